package keystore

import (
	"bytes"
	"slices"
	"strings"

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

// A header is the line that begins a table.
type header struct {
	path []string
	at   span
}

// An outline locates the parts of a file in its text. The TOML decoder does not report where
// they are.
type outline struct {
	b       []byte
	headers []header
	entries []entry
	lines   map[string]int // the line where each name first appears, by pathKey
	texts   map[int]string // all string values, by line
}

// parseOutline parses a file that must be valid TOML.
func parseOutline(b []byte) outline {
	o := outline{b: b, lines: map[string]int{}, texts: map[int]string{}}
	p := &unstable.Parser{}
	p.Reset(b)
	var table []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			var at span
			table, at = o.addNames(nil, e.Key())
			o.headers = append(o.headers, header{table, at})
		case unstable.KeyValue:
			path, name := o.addNames(table, e.Key())
			o.addTexts(path, e.Value())
			all := span{int(e.Raw.Offset), int(e.Raw.Offset + e.Raw.Length)}
			all.to = all.from + len(bytes.TrimRight(b[all.from:all.to], " \t\r\n"))
			value := span{name.to + bytes.IndexByte(b[name.to:], '=') + 1, all.to}
			value.from = value.to - len(bytes.TrimLeft(b[value.from:value.to], " \t"))
			o.entries = append(o.entries, entry{path, all, value, len(o.headers) - 1})
		}
	}
	return o
}

// addNames records the line of each part of a dotted name. It returns the parts appended to
// those of the table, and the span of the name.
func (o outline) addNames(below []string, names unstable.Iterator) (path []string, at span) {
	path = slices.Clone(below)
	for names.Next() {
		raw := names.Node().Raw
		if len(path) == len(below) {
			at.from = int(raw.Offset)
		}
		at.to = int(raw.Offset + raw.Length)
		path = append(path, string(names.Node().Data))
		if _, ok := o.lines[pathKey(path)]; !ok {
			o.lines[pathKey(path)] = bytes.Count(o.b[:raw.Offset], []byte("\n")) + 1
		}
	}
	return path, at
}

// addTexts records the strings of a value, and the names of an inline table.
func (o outline) addTexts(path []string, v *unstable.Node) {
	if v.Kind == unstable.String {
		o.texts[o.line(path...)] += " " + string(v.Data)
		return
	}
	if v.Kind != unstable.InlineTable && v.Kind != unstable.Array {
		return
	}
	for it := v.Children(); it.Next(); {
		if v.Kind == unstable.Array {
			o.addTexts(path, it.Node())
			continue
		}
		below, _ := o.addNames(path, it.Node().Key())
		o.addTexts(below, it.Node().Value())
	}
}

func pathKey(path []string) string { return strings.Join(path, "\x00") }

// line returns the line of a name, or of the nearest table around it.
func (o outline) line(path ...string) int {
	for n := len(path); n > 0; n-- {
		if at, ok := o.lines[pathKey(path[:n])]; ok {
			return at
		}
	}
	return 1
}

// find returns the entry with a path, if there is one.
func (o outline) find(path ...string) (entry, bool) {
	i := slices.IndexFunc(o.entries, func(e entry) bool { return slices.Equal(e.path, path) })
	if i < 0 {
		return entry{}, false
	}
	return o.entries[i], true
}

// tableLines returns the lines of a table from its header to its last setting. Comments and
// blank lines below may belong to the next table.
func (o outline) tableLines(table int) span {
	s := o.wholeLines(o.headers[table].at)
	for _, e := range o.entries {
		if e.table == table {
			s.to = o.wholeLines(e.all).to
		}
	}
	return s
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
