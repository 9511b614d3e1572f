package termtest

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Breaches are what in a stream of bytes is outside of the renderer's own grammar, each
// with what stands around it: what a text from outside would have to be to reach the
// terminal (R2). Within it are printable UTF-8 without bidi controls or anything invisible, CR
// and LF and a few other moves, colours, erasing, and the modes and questions that Bubble Tea
// begins and ends with. An OSC is in it when it puts a text on the clipboard or sets the
// cursor's or the window's colours back; how many of the former there may be is told by
// [Copies].
//
// It is for tests alone. It would cost a sixth of a millisecond for a window of 200×60 (see the
// benchmark), but a guard in the program would know the sequences of one release of Bubble
// Tea, and garble a payment's screen with the next; texts are safe before they are drawn.
//
// It knows nothing of how texts are made safe, so that it can disagree.
func Breaches(sent []byte) []string {
	var found []string
	for i := 0; i < len(sent); {
		n, ok := token(sent[i:])
		if !ok {
			found = append(found, fmt.Sprintf("%q in %q", sent[i:i+n], sent[max(0, i-20):min(len(sent), i+n+20)]))
		}
		i += n
	}
	return found
}

// token is how long the first token is, and whether it is in the grammar.
func token(b []byte) (n int, ok bool) {
	switch c := b[0]; {
	case c == '\x1b':
		return escapeSequence(b)
	case c == '\r', c == '\n', c == '\b', c == '\t', c == '\a':
		return 1, true
	case c < ' ', c == 0x7f:
		return 1, false
	case c < utf8.RuneSelf:
		return 1, true
	}
	r, n := utf8.DecodeRune(b)
	return n, (r != utf8.RuneError || n > 1) && visible(r)
}

// visible reports whether a rune is one that a person sees, where it is.
func visible(r rune) bool {
	return unicode.IsPrint(r) && !unicode.In(r, unicode.Cf, unicode.Bidi_Control, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
		r != 0x2800 && r != 0xfffc
}

// escapeSequence is a sequence that begins with ESC.
func escapeSequence(b []byte) (n int, ok bool) {
	if len(b) < 2 {
		return 1, false
	}
	switch b[1] {
	case '[':
		return csiSequence(b)
	case ']':
		return oscSequence(b)
	case 'M': // up, and the screen with it
		return 2, true
	}
	return 2, false
}

// csiSequences are the sequences CSI ... that are sent: the bytes before the numbers and the ones
// after them. Any other is a breach.
var csiSequences = map[string]string{
	"m": "colours", "A": "up", "B": "down", "C": "right", "D": "left", "H": "to", "G": "to column", "d": "to row",
	"I": "tab", "Z": "tab back", "J": "erase screen", "K": "erase line", "X": "erase cells",
	"@": "insert cells", "P": "delete cells", "L": "insert lines", "M": "delete lines", "b": "repeat", "r": "scroll region", "S": "scroll", "T": "scroll back",
	"?W": "tab stops", " q": "cursor shape",
	"?h": "mode", "?l": "mode", "?$p": "which mode", "?u": "which keys", ">u": "keys", "<u": "keys", "=u": "keys", ">m": "keys",
}

// privateModes are the private modes that are switched or asked about.
var privateModes = []string{"25", "1049", "2004", "2026", "2027"}

func csiSequence(b []byte) (n int, ok bool) {
	i := 2
	begin := i
	for i < len(b) && '<' <= b[i] && b[i] <= '?' {
		i++
	}
	private, begin := string(b[begin:i]), i
	for i < len(b) && (b[i] >= '0' && b[i] <= ';') {
		i++
	}
	numbers, begin := string(b[begin:i]), i
	for i < len(b) && ' ' <= b[i] && b[i] <= '/' {
		i++
	}
	if i == len(b) || b[i] < '@' || b[i] > '~' {
		return 1, false
	}
	name := private + string(b[begin:i+1])
	_, ok = csiSequences[name]
	if name == "?h" || name == "?l" || name == "?$p" {
		for mode := range strings.SplitSeq(numbers, ";") {
			ok = ok && slices.Contains(privateModes, mode)
		}
	}
	return i + 1, ok && len(numbers) <= 40
}

// oscSequence is an OSC that ends in BEL or ST.
func oscSequence(b []byte) (n int, ok bool) {
	for i := 2; i < len(b); i++ {
		switch {
		case b[i] == '\a':
			return i + 1, knownOSC(string(b[2:i]))
		case b[i] == '\x1b' && i+1 < len(b) && b[i+1] == '\\':
			return i + 2, knownOSC(string(b[2:i]))
		case b[i] < ' ' || b[i] >= 0x7f:
			return 1, false
		}
	}
	return 1, false
}

// knownOSC reports whether an OSC is one the program sends.
func knownOSC(body string) bool {
	return strings.HasPrefix(body, "52;c;") || slices.Contains([]string{"110", "111", "112"}, body)
}

// Copies counts the texts that were put on the clipboard (R6).
func Copies(sent []byte) int { return strings.Count(string(sent), "\x1b]52;c;") }

// Blinks reports whether a stream makes anything blink: text, or the cursor by its shape.
// Nothing that flashes is drawn.
func Blinks(sent []byte) bool {
	for i := 0; i < len(sent); {
		n, _ := token(sent[i:])
		if t := string(sent[i : i+n]); strings.HasPrefix(t, "\x1b[") {
			if numbers, is := strings.CutSuffix(t[2:], "m"); is && slices.ContainsFunc(sgrCodes(numbers), func(code string) bool { return code == "5" || code == "6" }) {
				return true
			}
			// 0 is whatever the person has, while the cursor is hidden and at the end.
			if shape, is := strings.CutSuffix(t[2:], " q"); is && slices.Contains([]string{"1", "3", "5"}, shape) {
				return true
			}
		}
		i += n
	}
	return false
}

// sgrCodes are the codes of a colour sequence that stand for themselves: not the numbers of a
// colour of many.
func sgrCodes(numbers string) []string {
	var codes []string
	for rest := strings.Split(numbers, ";"); len(rest) > 0; rest = rest[1:] {
		codes = append(codes, rest[0])
		if slices.Contains([]string{"38", "48", "58"}, rest[0]) && len(rest) > 1 {
			rest = rest[min(len(rest)-1, map[string]int{"5": 2, "2": 4}[rest[1]]):]
		}
	}
	return codes
}
