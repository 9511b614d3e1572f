package keystore

import (
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// lines knows on which line of a file each of its names stands first. The TOML
// reader itself forgets that once the file is read.
type lines struct {
	at    map[string]int
	texts map[int]string // every text value, by line
}

// of is the line of a name, or that of the nearest table around it.
func (l lines) of(path ...string) int {
	for n := len(path); n > 0; n-- {
		if at, ok := l.at[joined(path[:n])]; ok {
			return at
		}
	}
	return 1
}

func joined(path []string) string { return strings.Join(path, "\x00") }

// index reads a file that is valid TOML.
func index(b []byte) lines {
	l := lines{at: map[string]int{}, texts: map[int]string{}}
	p := &unstable.Parser{}
	p.Reset(b)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = l.names(p, nil, e.Key())
		case unstable.KeyValue:
			l.pair(p, table, e)
		}
	}
	return l
}

// pair notes name = value below a table.
func (l lines) pair(p *unstable.Parser, below []string, e *unstable.Node) {
	path := l.names(p, below, e.Key())
	l.value(p, path, e.Value())
}

func (l lines) value(p *unstable.Parser, path []string, v *unstable.Node) {
	switch v.Kind {
	case unstable.String:
		l.texts[l.of(path...)] += " " + string(v.Data)
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			l.pair(p, path, it.Node())
		}
	case unstable.Array:
		for it := v.Children(); it.Next(); {
			l.value(p, path, it.Node())
		}
	}
}

// names notes each name of a dotted one and gives the whole path.
func (l lines) names(p *unstable.Parser, below []string, key unstable.Iterator) []string {
	path := append([]string(nil), below...)
	for key.Next() {
		path = append(path, string(key.Node().Data))
		if _, ok := l.at[joined(path)]; !ok {
			l.at[joined(path)] = p.Shape(key.Node().Raw).Start.Line
		}
	}
	return path
}
