package keystore

import (
	"bytes"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A span is a part of a file, in bytes.
type span struct{ from, to int }

// An entry is one name = value of a file; a long value may span several lines.
type entry struct {
	path  []string // including the names of its table
	all   span     // name and value
	value span
	table int // index of its header; -1 before the first header
}

// A header is the line of a [profileTable].
type header struct {
	path []string
	at   span
}

// An outline locates the headers and entries in the text of a file.
type outline struct {
	b       []byte
	headers []header
	entries []entry
}

// parseOutline parses a file that must be valid TOML.
func parseOutline(b []byte) outline {
	o := outline{b: b}
	p := &unstable.Parser{}
	p.Reset(b)
	var table []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			var at span
			table, at = keyPath(nil, e.Key())
			o.headers = append(o.headers, header{table, at})
		case unstable.KeyValue:
			path, name := keyPath(table, e.Key())
			all := span{int(e.Raw.Offset), int(e.Raw.Offset + e.Raw.Length)}
			all.to = all.from + len(bytes.TrimRight(b[all.from:all.to], " \t\r\n"))
			value := span{name.to + bytes.IndexByte(b[name.to:], '=') + 1, all.to}
			value.from = value.to - len(bytes.TrimLeft(b[value.from:value.to], " \t"))
			o.entries = append(o.entries, entry{path, all, value, len(o.headers) - 1})
		}
	}
	return o
}

// keyPath returns the parts of a dotted name appended to those of its table, and its span.
func keyPath(below []string, names unstable.Iterator) (path []string, at span) {
	path = slices.Clone(below)
	for names.Next() {
		raw := names.Node().Raw
		if len(path) == len(below) {
			at.from = int(raw.Offset)
		}
		at.to = int(raw.Offset + raw.Length)
		path = append(path, string(names.Node().Data))
	}
	return path, at
}

// find returns the entry with a path, if there is one.
func (o outline) find(path ...string) (entry, bool) {
	i := slices.IndexFunc(o.entries, func(e entry) bool { return slices.Equal(e.path, path) })
	if i < 0 {
		return entry{}, false
	}
	return o.entries[i], true
}

// wholeLines extends a span to the start of its first and the end of its last line.
func (o outline) wholeLines(s span) span {
	s.from = bytes.LastIndexByte(o.b[:s.from], '\n') + 1
	if n := bytes.IndexByte(o.b[s.to:], '\n'); n >= 0 {
		s.to += n + 1
	} else {
		s.to = len(o.b)
	}
	return s
}

// lineEnding returns the line ending that the file uses.
func (o outline) lineEnding() string {
	if bytes.Contains(o.b, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// A change replaces a span with text.
type change struct {
	span
	text string
}

// apply returns the file after changes that do not overlap.
func (o outline) apply(changes []change) []byte {
	slices.SortStableFunc(changes, func(a, b change) int { return a.from - b.from })
	var b bytes.Buffer
	at := 0
	for _, c := range changes {
		b.Write(o.b[at:c.from])
		b.WriteString(c.text)
		at = c.to
	}
	b.Write(o.b[at:])
	return b.Bytes()
}
