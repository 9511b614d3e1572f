package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// The corpus of hostile text: strings that attack terminals, layouts, parsers and
// people. A raw one is not valid UTF-8, which JSON cannot express: it is written
// unchanged, and the response is not valid JSON.

// A hostileString is a string of the corpus as written into a response.
type hostileString struct {
	literal  string // with its quotes
	readable bool   // the response stays valid JSON, of a usual size
}

// readableSize limits the length of a readable string.
const readableSize = 4 << 10

// corpus is parsed on first use.
var corpus = sync.OnceValue(func() []hostileString {
	file := table[[]struct {
		Value  json.RawMessage
		Raw    bool
		Repeat int
	}]("hostile-strings.json")
	out := make([]hostileString, len(file))
	for i, f := range file {
		inside := string(f.Value[1 : len(f.Value)-1])
		if f.Raw {
			inside = rawBytes(f.Value)
		}
		inside = strings.Repeat(inside, max(f.Repeat, 1))
		out[i] = hostileString{`"` + inside + `"`, !f.Raw && len(inside) <= readableSize}
	}
	return out
})

// rawBytes writes a string whose code points each stand for one byte.
func rawBytes(value json.RawMessage) string {
	var points string
	json.Unmarshal(value, &points)
	var b strings.Builder
	for _, r := range points {
		if r < ' ' || r == '"' || r == '\\' {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteByte(byte(r))
		}
	}
	return b.String()
}

// hostile is whether responses are filled with hostile text, and the next string's index.
type hostile struct {
	on   bool
	next int
}

// identifiers are the fields a client needs to continue.
var identifiers = []string{
	"reference", "paymentReference", "alias", "paymentStatus", "currency", "currencyCode",
}

// fill replaces the strings of a response with hostile ones.
func (h *hostile) fill(doc *node, s switchValues) {
	keepsIdentifiers := s.is("hostile.keeps", "identifiers")
	doc.eachLeaf("", func(name string, l *node) {
		if l.isString() && !(keepsIdentifiers && slices.Contains(identifiers, name)) {
			l.leaf = h.draw(s.is("hostile.wire", "readable"))
		}
	})
}

// draw returns the next string, so that a screen meets the whole corpus in turn.
func (h *hostile) draw(readable bool) string {
	for {
		one := corpus()[h.next%len(corpus())]
		h.next++
		if one.readable || !readable {
			return one.literal
		}
	}
}

// Hostile turns hostile text on or off: it replaces every string in responses of the seven
// operations, one string of the corpus after another. The switches hostile.keeps and
// hostile.wire limit it.
func (s *Sandbox) Hostile(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hostile.on = on
}

// IsHostile reports whether hostile text is on.
func (s *Sandbox) IsHostile() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hostile.on
}
