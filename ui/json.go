package ui

import (
	"slices"
	"strings"
)

// JSON draws JSON that is indented already, on lines of at most w cells: keys in the accent, numbers and
// literals bold, punctuation and empty strings muted. A value that is too long continues below its own beginning, and no word of
// it is broken that fits on a line. Text that is not JSON is plain, and continues below its indent.
func (t *Theme) JSON(src string, w int) []string {
	var lines []string
	for l := range strings.SplitSeq(src, "\n") {
		lines = append(lines, t.JSONLine(l, w)...)
	}
	return lines
}

// markWidth is the gutter of [Theme.MarkedJSON].
const markWidth = 2

// MarkedJSON is [Theme.JSON] with a gutter, in which the lines are marked that belong to one of
// the paths: "paymentRequestProps.card.number", or "paymentRequestProps" for all that is in it. The first of them
// has the index first, -1 where there is none.
func (t *Theme) MarkedJSON(src string, w int, paths ...string) (lines []string, first int) {
	first = -1
	var in []string
	for l := range strings.SplitSeq(src, "\n") {
		p := splitJSON(l)
		at := slices.Clone(in)
		if p.closes() && len(in) > 0 {
			in = in[:len(in)-1]
		} else if at = append(at, strings.Trim(p.key, `"`)); p.opens() {
			in = slices.Clone(at)
		}
		gutter := blanks(markWidth)
		if marked(strings.Join(slices.DeleteFunc(at, func(s string) bool { return s == "" }), "."), paths) {
			gutter = Fit(t.Accent.Render(focusMark), markWidth)
			if first < 0 {
				first = len(lines)
			}
		}
		for _, drawn := range t.JSONLine(l, w-markWidth) {
			lines = append(lines, gutter+drawn)
		}
	}
	return lines, first
}

// marked reports whether a line of JSON belongs to one of the paths.
func marked(at string, paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return p != "" && strings.HasPrefix(at+".", p+".") })
}

// JSONLine is one line of [Theme.JSON].
func (t *Theme) JSONLine(line string, w int) []string {
	const deeper = 4
	if w < 1 {
		return nil
	}
	p := splitJSON(line)
	value := p.value + p.end
	own := min(p.indent+deeper, w/2) // the column of a value that has no room beside its key
	under, head := p.indent, blanks(p.indent)
	var lines []string
	if key := width(p.key) + width(p.colon); p.indent+key <= w {
		under += key
		head += paint(t.key, p.key) + paint(t.Muted, p.colon)
		if room := w - under; under > own+deeper && width(value) > room && (width(value) <= w-own || longest(value) > room) {
			lines, under, head = append(lines, strings.TrimRight(head, " ")), own, blanks(own)
		}
	} else { // not even the key has room
		value, p.value, p.end = p.key+p.colon+value, "", ""
	}
	if w-under < 2 { // not even a wide character has room
		if under > p.indent { // behind the key
			lines = append(lines, strings.TrimRight(head, " "))
		}
		under, head = 0, ""
	}
	parts, style := wrapValue(value, w-under), t.valueStyle(p.value)
	for i, part := range parts {
		if i > 0 {
			head = blanks(under)
		}
		if words, ended := strings.CutSuffix(part, p.end); ended && i+1 == len(parts) {
			lines = append(lines, head+paint(style, words)+paint(t.Muted, p.end))
		} else {
			lines = append(lines, head+paint(style, part))
		}
	}
	return lines
}

// paint draws s in a style; nothing stays nothing.
func paint(style Style, s string) string {
	if s == "" {
		return ""
	}
	return style.Render(s)
}

func (t *Theme) valueStyle(value string) Style {
	switch {
	case value == "":
	case strings.Trim(value, "{}[]") == "", value == `""`:
		return t.Muted
	case value == "true", value == "false", value == "null", isNumber(value):
		return t.Strong
	}
	return t.Plain
}

func isNumber(s string) bool {
	return strings.Trim(s, "0123456789+-.eE") == "" && strings.ContainsAny(s, "0123456789")
}

// A jsonLine is the parts of a line of JSON.
type jsonLine struct {
	indent     int
	key, colon string // with its quotes; "" in an array
	value, end string // end is the comma
}

func (p jsonLine) opens() bool  { return p.value == "{" || p.value == "[" }
func (p jsonLine) closes() bool { return p.value == "}" || p.value == "]" }

func splitJSON(line string) (p jsonLine) {
	p.value = strings.TrimLeft(line, " ")
	p.indent = len(line) - len(p.value)
	if n := quoted(p.value); n > 0 {
		rest := p.value[n:]
		if value := strings.TrimLeft(rest, " "); strings.HasPrefix(value, ":") {
			value = strings.TrimLeft(value[1:], " ")
			p.key, p.colon, p.value = p.value[:n], rest[:len(rest)-len(value)], value
		}
	}
	if value, ended := strings.CutSuffix(p.value, ","); ended && value != "" {
		p.value, p.end = value, ","
	}
	return p
}

// quoted returns how many bytes the quoted string takes that s begins with, 0 for none.
func quoted(s string) int {
	if !strings.HasPrefix(s, `"`) {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// wrapValue breaks a text at blanks into lines of at most w cells, and a word that is longer than a line
// as an address is. Blanks within a line stay as they are. It returns at least one line.
func wrapValue(s string, w int) []string {
	lines := []string{""}
	for s != "" {
		word, _, _ := strings.Cut(s, " ")
		rest := strings.TrimLeft(s[len(word):], " ")
		gap := s[len(word) : len(s)-len(rest)]
		if last := lines[len(lines)-1]; last != "" && width(last)+width(word) > w {
			lines = append(lines, "")
		}
		parts := chop(word, w, "-/&?=;_+")
		lines[len(lines)-1] += parts[0]
		lines = append(lines, parts[1:]...)
		lines[len(lines)-1] += gap
		s = rest
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return lines
}

// longest is the width of the longest word.
func longest(s string) (n int) {
	for word := range strings.FieldsSeq(s) {
		n = max(n, width(word))
	}
	return n
}
