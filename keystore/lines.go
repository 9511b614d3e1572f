package keystore

import (
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A lineIndex knows the line where each name of a file first appears. The TOML decoder does
// not report it.
type lineIndex struct {
	at    map[string]int
	texts map[int]string // all string values, by line
}

// line returns the line of a name, or of the nearest table around it.
func (l lineIndex) line(path ...string) int {
	for n := len(path); n > 0; n-- {
		if at, ok := l.at[pathKey(path[:n])]; ok {
			return at
		}
	}
	return 1
}

func pathKey(path []string) string { return strings.Join(path, "\x00") }

// indexLines parses a file that must be valid TOML.
func indexLines(b []byte) lineIndex {
	l := lineIndex{at: map[string]int{}, texts: map[int]string{}}
	p := &unstable.Parser{}
	p.Reset(b)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = l.addNames(p, nil, e.Key())
		case unstable.KeyValue:
			l.addPair(p, table, e)
		}
	}
	return l
}

// addPair records name = value in a table.
func (l lineIndex) addPair(p *unstable.Parser, below []string, e *unstable.Node) {
	path := l.addNames(p, below, e.Key())
	l.addValue(p, path, e.Value())
}

func (l lineIndex) addValue(p *unstable.Parser, path []string, v *unstable.Node) {
	switch v.Kind {
	case unstable.String:
		l.texts[l.line(path...)] += " " + string(v.Data)
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			l.addPair(p, path, it.Node())
		}
	case unstable.Array:
		for it := v.Children(); it.Next(); {
			l.addValue(p, path, it.Node())
		}
	}
}

// addNames records each part of a dotted name and returns the whole path.
func (l lineIndex) addNames(p *unstable.Parser, below []string, key unstable.Iterator) []string {
	path := append([]string(nil), below...)
	for key.Next() {
		path = append(path, string(key.Node().Data))
		if _, ok := l.at[pathKey(path)]; !ok {
			l.at[pathKey(path)] = p.Shape(key.Node().Raw).Start.Line
		}
	}
	return path
}
