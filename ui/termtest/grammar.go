package termtest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Breaches returns whatever in a stream of bytes the renderer itself would not write, with some
// context. A match means that text from outside has reached the terminal unsanitized. Allowed are
// printable UTF-8 without bidi controls and invisible characters, CR, LF and a few other moves,
// colours, erasing, the modes and queries of the program's start and end, the window's title, and an OSC
// that writes the clipboard, shows a notification, asks for the background, resets the cursor's or the window's
// colours, or is a link of the program's own; [Copies] counts the clipboard writes, [Notes] has the notifications.
//
// Breaches is for tests only. The program itself sanitizes text before it is drawn: a filter on its
// output would know the sequences of one release of Bubble Tea and garble a screen with the next.
// Breaches shares no code with the sanitizer, so that it can find its errors.
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

// token returns the length of the first token and whether it is in the grammar.
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
	if joined(r, b[n:]) { // a joiner belongs to the letter before it
		n += len("\u200c")
	}
	return n, (r != utf8.RuneError || n > 1) && visible(r)
}

// joined reports whether a joiner follows a letter or a mark of a script that has them.
func joined(r rune, rest []byte) bool {
	next, _ := utf8.DecodeRune(rest)
	return (next == 0x200c || next == 0x200d) && r >= 0x600 && r < 0x1a00 && (unicode.IsLetter(r) || unicode.IsMark(r))
}

// visible reports whether a rune is drawn, in its own place.
func visible(r rune) bool {
	return unicode.IsPrint(r) && !unicode.In(r, unicode.Cf, unicode.Bidi_Control, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
		r != 0x2800 && r != 0xfffc
}

// escapeSequence parses a sequence that starts with ESC.
func escapeSequence(b []byte) (n int, ok bool) {
	if len(b) < 2 {
		return 1, false
	}
	switch b[1] {
	case '[':
		return csiSequence(b)
	case ']':
		return oscSequence(b)
	case 'P':
		return passedOn(b)
	case 'M': // reverse line feed
		return 2, true
	}
	return 2, false
}

// csiSequences are the allowed CSI sequences, by the bytes before and after the numbers.
var csiSequences = map[string]string{
	"m": "colours", "A": "up", "B": "down", "C": "right", "D": "left", "H": "to", "G": "to column", "d": "to row",
	"I": "tab", "Z": "tab back", "J": "erase screen", "K": "erase line", "X": "erase cells",
	"@": "insert cells", "P": "delete cells", "L": "insert lines", "M": "delete lines", "b": "repeat", "r": "scroll region", "S": "scroll", "T": "scroll back",
	"?W": "tab stops", " q": "cursor shape",
	"c": "which terminal", "?h": "mode", "?l": "mode", "?$p": "which mode", "?u": "which keys", ">u": "keys", "<u": "keys", "=u": "keys", ">m": "keys",
}

// privateModes are the private modes that may be set, reset or queried.
var privateModes = []string{"7", "25", "1049", "2004", "2026", "2027"}

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
	ok = ok || name == "t" && (numbers == "22;2" || numbers == "23;2") // the title, put away and back
	if name == "?h" || name == "?l" || name == "?$p" {
		for mode := range strings.SplitSeq(numbers, ";") {
			ok = ok && slices.Contains(privateModes, mode)
		}
	}
	return i + 1, ok && len(numbers) <= 40
}

// oscSequence parses an OSC that ends with BEL or ST.
func oscSequence(b []byte) (n int, ok bool) {
	for i := 2; i < len(b); i++ {
		switch {
		case b[i] == '\a':
			return i + 1, knownOSC(string(b[2:i]))
		case b[i] == '\x1b' && i+1 < len(b) && b[i+1] == '\\':
			return i + 2, knownOSC(string(b[2:i]))
		case b[i] < ' ' || b[i] == 0x7f:
			return 1, false
		}
	}
	return 1, false
}

// passedOn parses a device control string, which screen passes on: a part of an OSC that writes the
// clipboard.
func passedOn(b []byte) (n int, ok bool) {
	end := bytes.Index(b, []byte("\x1b\\"))
	if end < 0 {
		return 2, false
	}
	body := strings.TrimSuffix(strings.TrimPrefix(string(b[2:end]), "\x1b]52;c;"), "\a")
	return end + 2, strings.Trim(body, base64Digits) == ""
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="

// knownOSC reports whether the program itself sends this OSC.
func knownOSC(body string) bool {
	if title, is := strings.CutPrefix(body, "2;"); is {
		return title == "" || strings.HasPrefix(title, "paydesk") && utf8.ValidString(title) && !strings.ContainsFunc(title, func(r rune) bool { return !visible(r) })
	}
	if copied, is := strings.CutPrefix(body, "52;c;"); is {
		return strings.Trim(copied, base64Digits) == ""
	}
	if target, is := strings.CutPrefix(body, "8;id=paydesk;"); is {
		return (strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "http://")) && !strings.ContainsFunc(target, func(r rune) bool { return r <= ' ' || r > '~' })
	}
	if note, is := notification(body); is {
		return strings.Trim(note, noteText) == "" && len(note) <= 120
	}
	return slices.Contains([]string{"11;?", "110", "111", "112", "8;;"}, body)
}

// noteText matches a notification: words, numbers and references.
const noteText = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:_-()"

// notification is the text of an OSC that shows one.
func notification(body string) (text string, is bool) {
	for _, kind := range []string{"9;paydesk: ", "777;notify;paydesk;"} {
		if text, is := strings.CutPrefix(body, kind); is {
			return text, true
		}
	}
	return "", false
}

// Notes are the desktop notifications in a stream.
func Notes(sent []byte) (all []string) {
	for rest := string(sent); ; {
		_, after, more := strings.Cut(rest, "\x1b]")
		if !more {
			return all
		}
		body, _, _ := strings.Cut(after, "\a")
		if text, is := notification(body); is {
			all = append(all, text)
		}
		rest = after
	}
}

// Copies counts the clipboard writes.
func Copies(sent []byte) int { return strings.Count(string(sent), "\x1b]52;c;") }

// Blinks reports whether a stream makes text or the cursor blink.
func Blinks(sent []byte) bool {
	for i := 0; i < len(sent); {
		n, _ := token(sent[i:])
		if t := string(sent[i : i+n]); strings.HasPrefix(t, "\x1b[") {
			if numbers, is := strings.CutSuffix(t[2:], "m"); is && slices.ContainsFunc(sgrCodes(numbers), func(code string) bool { return code == "5" || code == "6" }) {
				return true
			}
			// 0, the user's own shape, is allowed: it is set while the cursor is hidden and at the end.
			if shape, is := strings.CutSuffix(t[2:], " q"); is && slices.Contains([]string{"1", "3", "5"}, shape) {
				return true
			}
		}
		i += n
	}
	return false
}

// sgrCodes returns the codes of an SGR sequence without the arguments of extended colours.
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
