package ui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/money"
	"paydesk/api/text"
)

// Fit cuts s, which may be styled, with an ellipsis or pads it with blanks to exactly w cells.
// Line breaks and tabs become blanks: the result is one line.
func Fit(s string, w int) string {
	s, n := cutTo(s, w)
	return s + blanks(w-n)
}

// fitRight is Fit with the text at the right end.
func fitRight(s string, w int) string {
	return Right(cut(s, w), w)
}

// Right puts s, which may be styled, at the right end of w cells. It is not cut.
func Right(s string, w int) string { return blanks(w-width(s)) + s }

// Wrap breaks plain text at blanks into lines of at most w cells; a word longer than w is broken, after a dash
// or a slash if one is near. An amount keeps its currency beside it. Line breaks and empty lines stay; runs of blanks become one.
// It returns nil when w is below 1.
func Wrap(s string, w int) []string {
	if w < 1 {
		return nil
	}
	var lines []string
	for paragraph := range strings.SplitSeq(s, "\n") {
		lines = append(lines, wrapParagraph(paragraph, w)...)
	}
	return lines
}

func wrapParagraph(s string, w int) []string {
	var lines []string
	if width(s) <= w && !strings.Contains(s, "  ") && strings.Trim(s, " \t\r\v\f") == s && !strings.ContainsAny(s, "\t\r\v\f") {
		return []string{s} // as it is nearly always
	}
	line, used := "", 0
	for _, word := range unbroken(s, w) {
		if n := width(word); used > 0 && used+1+n <= w {
			line, used = line+" "+word, used+1+n
			continue
		}
		if used > 0 {
			lines = append(lines, line)
		}
		parts := chop(word, w, "-/")
		line = parts[len(parts)-1]
		lines, used = append(lines, parts[:len(parts)-1]...), width(line)
	}
	if used > 0 || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// unbroken are the words of a paragraph, and as one word an amount with its currency, where w cells have room for both.
func unbroken(s string, w int) (words []string) {
	for word := range strings.FieldsSeq(s) {
		code := strings.TrimRight(word, ".,;:?)")
		if last := len(words) - 1; last >= 0 && endsInDigit(words[last]) && width(words[last])+1+width(word) <= w {
			if c, err := money.ParseCurrency(code); err == nil && c.Code() == code {
				words[last] += " " + word
				continue
			}
		}
		words = append(words, word)
	}
	return words
}

func endsInDigit(s string) bool { return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

// chop breaks a word into parts of at most w cells, after one of some characters if it is near: one for a word that fits. From a
// character that is wider than that on it is left out.
func chop(word string, w int, after string) (parts []string) {
	for {
		head := fitting(word, w)
		if head == word || head == "" {
			return append(parts, head)
		}
		if i := strings.LastIndexAny(head, after); i >= len(head)/2 {
			head = head[:i+1]
		}
		parts, word = append(parts, head), word[len(head):]
	}
}

// fitting returns the beginning of a plain text that fits w cells.
func fitting(s string, w int) string {
	for at := 0; at < len(s); {
		cluster, cells := ansi.FirstGraphemeCluster(s[at:], ansi.GraphemeWidth)
		if w -= cells; w < 0 {
			return s[:at]
		}
		at += len(cluster)
	}
	return s
}

// Fact is a label and its value on one line: the label muted, in a column of its own, and "-"
// for a value that is empty. It is not cut: fit it where the value may be long.
func (t *Theme) Fact(label, value string, column int) string {
	if strings.TrimSpace(value) == "" {
		value = "-"
	}
	return t.Muted.Render(Fit(label, column)) + value
}

// FactLines is a label and its value on as many lines of at most w cells as the value needs, each
// under the beginning of the first.
func (t *Theme) FactLines(label, value string, column, w int) []string {
	lines := Wrap(value, max(w-column, 1))
	for i, l := range lines {
		lines[i] = t.Muted.Render(Fit(label, column)) + l
		label = ""
	}
	return lines
}

// Lines joins lines and cuts the result to at most w×h cells. An entry may itself
// hold several lines.
func Lines(w, h int, lines ...string) string {
	if w < 1 || h < 1 {
		return ""
	}
	kept := make([]string, 0, h)
	for _, entry := range lines {
		for line := range strings.SplitSeq(entry, "\n") {
			if len(kept) == h {
				return strings.Join(kept, "\n")
			}
			kept = append(kept, cut(line, w))
		}
	}
	return strings.Join(kept, "\n")
}

// shortened keeps at most n lines, the last of them an ellipsis where others are left out.
func shortened(lines []string, n int) []string {
	switch {
	case len(lines) <= n:
		return lines
	case n < 1:
		return nil
	}
	return append(lines[:n-1:n-1], "…")
}

// Below draws a part, such as a form, under other lines, within w×h cells: the part gets the height
// that they leave, and its cursor moves down with it.
func Below(w, h int, lines []string, part func(w, h int) (string, *tea.Cursor)) (string, *tea.Cursor) {
	body, cursor := part(w, max(h-len(lines), 0))
	if cursor != nil {
		if cursor.Y += len(lines); cursor.Y >= h || cursor.X >= w {
			cursor = nil
		}
	}
	return Lines(w, h, append(lines, body)...), cursor
}

// Indented are lines two cells to the right, under their rule or where the rows of a list begin.
func Indented(lines []string) []string {
	all := make([]string, len(lines))
	for i, l := range lines {
		all[i] = "  " + l
	}
	return all
}

// cut makes s one line of at most w cells, with an ellipsis where text is left out.
func cut(s string, w int) string {
	s, _ = cutTo(s, w)
	return s
}

// cutTo is cut, and returns the cells that the line takes.
func cutTo(s string, w int) (line string, cells int) {
	if w < 1 {
		return "", 0
	}
	cells, narrow := narrowCells(s)
	if !narrow {
		if strings.ContainsAny(s, "\n\r\t\v\f") {
			s = lineBreaks.Replace(s)
		}
		cells = ansi.StringWidth(s)
	}
	if cells <= w {
		return s, cells
	}
	s = ansi.Truncate(s, w, "…")
	return s, width(s)
}

// width returns the cells s takes.
func width(s string) int {
	if cells, narrow := narrowCells(s); narrow {
		return cells
	}
	return ansi.StringWidth(s)
}

// narrowCells counts the cells of a text that has narrow characters and colours alone, as most have.
func narrowCells(s string) (cells int, is bool) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c >= ' ' && c <= '~':
			i, cells = i+1, cells+1
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			if !text.NarrowRune(r) {
				return 0, false
			}
			i, cells = i+n, cells+1
		default:
			n := colourLen(s[i:])
			if n == 0 {
				return 0, false
			}
			i += n
		}
	}
	return cells, true
}

// colourLen returns how long the sequence is that s begins with, if it is one that colours text; else 0.
func colourLen(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := len("\x1b["); i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c < '0' || c > ';': // a digit, a colon or a semicolon
			return 0
		}
	}
	return 0
}

// StableWidth spells out the characters whose width terminals disagree on, by rune or by cluster:
// they would shift whatever stands to their right.
func StableWidth(s string) string {
	if text.Narrow(s) || ansi.StringWidth(s) == ansi.StringWidthWc(s) {
		return s
	}
	var b strings.Builder
	for s = strings.TrimRight(s, " "); s != ""; {
		cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s = s[len(cluster):]
		if w == ansi.StringWidthWc(cluster) || cluster == "\x1b" {
			b.WriteString(cluster)
			continue
		}
		for _, r := range cluster {
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}

var lineBreaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ", "\v", " ", "\f", " ")

// Width returns how many cells a text takes on one line, which may be styled.
func Width(s string) int { return width(s) }

func blanks(n int) string { return strings.Repeat(" ", max(n, 0)) }

// Focus returns the cell of a body where its focus is: the facet or the answer that is chosen, else the row or the field that has the
// mark, else the first cell. Such a mark has nothing before it on its line: others end a chip, or are in a pane.
func Focus(body string) (x, y int) {
	if before, _, has := strings.Cut(body, facetMark); has {
		return width(before[strings.LastIndexByte(before, '\n')+1:]), strings.Count(before, "\n")
	}
	for _, mark := range []string{chosenMark, focusMark} {
		if !strings.Contains(body, mark) {
			continue
		}
		y := 0
		for line := range strings.SplitSeq(body, "\n") {
			if before, _, has := strings.Cut(line, mark); has {
				if before = ansi.Strip(before); strings.TrimLeft(before, " ") == "" {
					return len(before), y
				}
			}
			y++
		}
	}
	return 0, 0
}

// linkID is the parameter of a link. A terminal takes the lines of one URL for one link by it, and it tells the links that are drawn
// here from any others in a stream of bytes.
const linkID = "id=paydesk"

// longestLink sets how long a target may be: some terminals ignore longer ones.
const longestLink = 2000

// URLLines is a URL on lines of at most w cells, each of which leads to the whole of it where the terminal has
// hyperlinks (OSC 8): its text is always its target.
func (t *Theme) URLLines(url string, w int) []string {
	lines := strings.Split(ansi.Hardwrap(url, max(w, 1), true), "\n") // full lines, which some terminals select as one
	for i, l := range lines {
		lines[i] = t.Hyperlink(url, l)
	}
	return lines
}

// Hyperlink makes text, which must be the URL or a part of it, lead to the URL where the terminal has hyperlinks. Anything but
// http and https, and characters that a URL does not have, are drawn without.
func (t *Theme) Hyperlink(url, text string) string {
	if !t.Hyperlinks || text == "" || !strings.Contains(url, text) || !linkable(url) {
		return text
	}
	return ansi.SetHyperlink(url, linkID) + text + ansi.ResetHyperlink()
}

func linkable(url string) bool {
	if len(url) > longestLink || !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return false
	}
	return !strings.ContainsFunc(url, func(r rune) bool { return r <= ' ' || r > '~' })
}
