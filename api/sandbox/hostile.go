package sandbox

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// The corpus of hostile text: strings that attack terminals, layouts, readers and
// people. A raw one is bytes that are no UTF-8, which JSON cannot say: it is
// written as it is, so that the answer is no JSON.
//
//go:embed hostile-strings.json
var corpusFile []byte

// A hostileString is one of the corpus, as it is written into an answer.
type hostileString struct {
	literal  string // with its quotes
	readable bool   // leaves the answer JSON, and of a usual size
}

// readableSize is the most a readable one has.
const readableSize = 4 << 10

// corpus is read when it is first needed.
var corpus = sync.OnceValue(func() []hostileString {
	var file []struct {
		Value  json.RawMessage
		Raw    bool
		Repeat int
	}
	if err := json.Unmarshal(corpusFile, &file); err != nil {
		panic("sandbox: the corpus of hostile text cannot be read")
	}
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

// rawBytes writes a string of which each code point is one byte.
func rawBytes(value json.RawMessage) string {
	var points string
	json.Unmarshal(value, &points)
	var b strings.Builder
	for _, r := range points {
		switch {
		case r < ' ' || r == '"' || r == '\\':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteByte(byte(r))
		}
	}
	return b.String()
}

// hostile says whether answers are filled with hostile text, and with what next.
type hostile struct {
	on   bool
	next int
}

// identifiers are what a client needs to go on.
var identifiers = []string{"reference", "paymentReference", "alias", "paymentStatus", "currency", "currencyCode"}

// fill puts the next hostile strings in place of those of an answer (R132).
func (h *hostile) fill(doc *node, s switchValues) {
	spares := s.is(switchKeeps, "identifiers")
	doc.eachLeaf("", func(name string, l *node) {
		if l.isString() && !(spares && slices.Contains(identifiers, name)) {
			l.leaf = h.draw(s.is(switchReadable, "readable"))
		}
	})
}

func (h *hostile) draw(readable bool) string {
	for {
		one := corpus()[h.next%len(corpus())]
		h.next++
		if one.readable || !readable {
			return one.literal
		}
	}
}

// Hostile fills every string of an answer of the seven operations with hostile
// text, one string of the corpus after another, or ends that. The switches hostile.keeps
// and hostile.wire say what is spared.
func (s *Sandbox) Hostile(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hostile.on = on
}

// IsHostile reports whether answers are filled with hostile text.
func (s *Sandbox) IsHostile() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hostile.on
}
