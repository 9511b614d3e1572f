package api

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api/text"
)

// The bounds of text from outside.
const (
	maxLine  = 4096      // bytes of a text in line mode
	maxBlock = 64 * 1024 // bytes of a text in block mode
	maxLines = 400       // lines of a block
	maxMarks = 4         // combining marks on one base
	perCell  = 20        // bytes per requested cell
)

// Text is text from outside, made safe to display. It is cleaned once, when the response is read,
// by the rules of line mode and block mode. The original is not kept, so nothing can display it.
//
// Nothing is dropped silently: what a terminal would interpret or could not display is spelled out,
// as in "^[", "<9B>" and "<U+202E>". Joiners stay where a script needs them. Only what makes a picture of
// several emoji, or another of one, is left out: terminals disagree about its width.
type Text struct{ line, block string }

// Clean makes text from outside safe to display.
func Clean(raw string) Text {
	if isPlain(raw) {
		return Text{raw, raw}
	}
	line := cleaner{max: maxLine}.clean(raw)
	if line == raw || len(raw) <= maxLine && !strings.ContainsAny(raw, "\t\r\n") {
		return Text{line, line} // both modes give the same
	}
	return Text{line, block(raw)}
}

// isPlain reports whether a text is short and printable ASCII, as most are: nothing is changed about it.
func isPlain(raw string) bool {
	for i := range len(raw) {
		if raw[i] < 0x20 || raw[i] > 0x7e {
			return false
		}
	}
	return len(raw) <= maxLine
}

// masks are the words that redaction puts into a text. They do not come from outside, and read the same everywhere.
var masks = strings.NewReplacer("<pan <U+2026>", "<pan …", "<U+2022><U+2022><U+2022>", "•••")

// CleanASCII is [Clean] for words that decide something, such as a status or an unknown currency.
// It also spells out every non-ASCII rune, so that no look-alike passes for another word.
func CleanASCII(raw string) Text {
	if isPlain(raw) {
		return Text{raw, raw}
	}
	line := masks.Replace(cleaner{max: maxLine, ascii: true}.clean(raw))
	return Text{line, line}
}

// Line is the text on one line, at most width cells wide, with an ellipsis where it was cut. A
// width of 0 or less means the whole line.
func (t Text) Line(width int) string { return fit(t.line, width) }

// Lines returns texts, each on one whole line.
func Lines(texts []Text) (lines []string) {
	for _, t := range texts {
		lines = append(lines, t.Line(0))
	}
	return lines
}

// Prose is [Text.Line] for words that stand in a line or a sentence: line ends in it become blanks,
// where they would be spelled out otherwise. It is not for what is copied, compared or decides something.
func (t Text) Prose(width int) string { return fit(t.prose().line, width) }

// prose is the text with the line ends of its line, spelled out by the cleaning or already escaped by
// the service, as blanks: for words that stand in a sentence.
func (t Text) prose() Text {
	return Text{strings.Join(strings.Fields(lineEnds.Replace(t.line)), " "), t.block}
}

var lineEnds = strings.NewReplacer(`\r\n`, " ", `\n`, " ", `\r`, " ")

// Block is the text as at most height lines of at most width cells. Lines are cut, not wrapped; the
// last one ends in an ellipsis when more would follow. A width or height of 0 or less means no
// limit.
func (t Text) Block(width, height int) []string {
	if t.block == "" {
		return nil
	}
	if height <= 0 {
		height = maxLines
	}
	lines := strings.SplitN(t.block, "\n", height+1)
	if len(lines) > height {
		lines = lines[:height]
		lines[height-1] += "…"
	}
	for i, l := range lines {
		lines[i] = fit(l, width)
	}
	return lines
}

// String is the whole line, so that formatting a Text always gives cleaned text.
func (t Text) String() string { return t.line }

// Size is the bytes that the text takes in memory.
func (t Text) Size() int { return max(len(t.line), len(t.block)) }

// Empty reports whether there is nothing to display.
func (t Text) Empty() bool { return t.line == "" }

// block cleans a text in block mode, to at most [maxLines] lines.
func block(raw string) string {
	text := cleaner{max: maxBlock, lines: true}.clean(raw)
	n := strings.Count(text, "\n") + 1
	if n <= maxLines {
		return text
	}
	first := strings.SplitAfterN(text, "\n", maxLines)[:maxLines-1]
	text = strings.Join(first, "") + fmt.Sprintf("[+%d lines]", n-maxLines+1)
	if len(raw) > maxBlock {
		text += fmt.Sprintf("[+%d bytes]", len(raw)-maxBlock)
	}
	return text
}

// A cleaner applies the rules of one mode to one text. It returns a text that needs no change
// without allocating.
type cleaner struct {
	max   int  // bytes read
	lines bool // block mode: keep line ends
	ascii bool // spell out every non-ASCII rune

	src     string
	copied  int // src[:copied] is in out
	out     strings.Builder
	hasBase bool // a combining mark here has a base
	marks   int  // on that base
	dropped int  // marks over the limit
}

func (c cleaner) clean(raw string) string {
	c.src = firstBytes(raw, c.max)
	for i := 0; i < len(c.src); {
		if b := c.src[i]; 0x20 <= b && b < 0x7f {
			c.endMarks(i)
			c.hasBase = b != ' '
			i++
			continue
		}
		i += c.special(i)
	}
	c.endMarks(len(c.src))
	if cut := len(raw) - len(c.src); cut > 0 {
		c.substitute(len(c.src), 0, fmt.Sprintf("[+%d bytes]", cut))
	}
	if c.copied == 0 && c.out.Len() == 0 {
		return c.src
	}
	c.out.WriteString(c.src[c.copied:])
	return c.out.String()
}

// firstBytes is at most the first n bytes of s, without half a rune at its end.
func firstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	end := n
	for end > n-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// special handles the rune at src[i:], which is not printable ASCII, and returns its length.
func (c *cleaner) special(i int) int {
	r, n := utf8.DecodeRuneInString(c.src[i:])
	switch {
	case c.ascii: // every rune is spelled out
	case r == 0xfe0e || r == 0xfe0f: // text or emoji presentation; without it the width is unambiguous
		c.substitute(i, n, "")
		return n
	case unicode.Is(unicode.M, r) && unicode.IsPrint(r) && !text.Invisible(r):
		c.mark(i, n)
		return n
	case text.JoinsEmoji(c.src[:i], r, c.src[i+n:]):
		c.substitute(i, n, "")
		return n
	case c.dropped == 0 && text.Needs(c.src[:i], r, c.src[i+n:]):
		return n // it ends no letter: the marks after it are on the one before it
	}
	c.endMarks(i)
	if r == '\r' && c.lines && strings.HasPrefix(c.src[i:], "\r\n") {
		n = 2
	}
	shown, asIs := c.escape(r, n, c.src[i])
	if !asIs {
		c.substitute(i, n, shown)
	}
	c.hasBase = asIs
	return n
}

// escape spells a rune out, or returns asIs when it stays unchanged.
func (c *cleaner) escape(r rune, n int, b byte) (shown string, asIs bool) {
	switch {
	case r == utf8.RuneError && n == 1:
		return fmt.Sprintf("<%02X>", b), false
	case r == '\n' && c.lines, r == '\r' && n == 2:
		return "\n", false
	case r == '\n':
		return `\n`, false
	case r == '\r':
		return `\r`, false
	case r == '\t' && c.lines:
		return "    ", false
	case r == '\t':
		return " ", false
	case r < 0x20:
		return string([]byte{'^', byte(r) + '@'}), false
	case r == 0x7f:
		return "^?", false
	case !c.ascii && unicode.Is(unicode.Zs, r):
		return " ", false
	case c.ascii || text.Invisible(r) || !unicode.IsPrint(r):
		return fmt.Sprintf("<U+%04X>", r), false
	}
	return "", true
}

// mark keeps the first marks on a base, puts a dotted circle under a mark without a base, and
// counts the rest.
func (c *cleaner) mark(i, n int) {
	if !c.hasBase {
		c.substitute(i, 0, "\u25cc")
		c.hasBase = true
	}
	if c.marks++; c.marks > maxMarks {
		c.substitute(i, n, "")
		c.dropped++
	}
}

// endMarks ends the marks on a base before src[i].
func (c *cleaner) endMarks(i int) {
	if c.dropped > 0 {
		c.substitute(i, 0, fmt.Sprintf("<+%d marks>", c.dropped))
	}
	c.marks, c.dropped = 0, 0
}

// substitute writes text in place of the n bytes at src[i].
func (c *cleaner) substitute(i, n int, text string) {
	c.out.WriteString(c.src[c.copied:i])
	c.out.WriteString(text)
	c.copied = i + n
}

// fit cuts a cleaned line to width cells, and its bytes to 20 × width + 3. Until a terminal reports
// grapheme clustering the renderer counts cells rune by rune, while layout always counts by
// cluster; the two differ for some emoji, so a line must fit both ways.
func fit(s string, width int) string {
	if width <= 0 || len(s) <= width { // no byte is wider than a cell
		return s
	}
	tail, room := "…", width-ansi.StringWidth("…") // one cell or two, however it is measured
	if room < 0 {                                  // two cells wide in East Asian locales
		tail, room = "", width
	}
	cells, wide, end := 0, 0, 0
	for i := 0; i < len(s); {
		cluster, w := ansi.FirstGraphemeCluster(s[i:], ansi.GraphemeWidth)
		cells += w
		wide += ansi.StringWidthWc(cluster)
		i += len(cluster)
		if max(cells, wide) > width || i > perCell*width {
			return strings.TrimRightFunc(s[:end], text.IsJoiner) + tail
		}
		if max(cells, wide) <= room {
			end = i
		}
	}
	return s
}
