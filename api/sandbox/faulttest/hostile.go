package faulttest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"paydesk/api/sandbox"
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
	var file []struct {
		Value  json.RawMessage
		Raw    bool
		Repeat int
	}
	if err := json.Unmarshal(hostileStrings, &file); err != nil {
		panic(err)
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

//go:embed hostile-strings.json
var hostileStrings []byte

// A Text is one of the corpus, as the bytes that a server sends.
type Text struct{ Class, Name, Text string }

// Texts returns the corpus, or its texts of some classes, which it has.
func Texts(classes ...string) (all []Text) {
	var file []struct {
		Class, Name, Value string
		Raw                bool // each code point is a byte
		Repeat             int
	}
	if err := json.Unmarshal(hostileStrings, &file); err != nil {
		panic(err)
	}
	for _, f := range file {
		if len(classes) > 0 && !slices.Contains(classes, f.Class) {
			continue
		}
		text := f.Value
		if f.Raw {
			b := make([]byte, 0, len(text))
			for _, r := range text {
				b = append(b, byte(r))
			}
			text = string(b)
		}
		all = append(all, Text{f.Class, f.Name, strings.Repeat(text, max(f.Repeat, 1))})
	}
	if len(all) == 0 {
		panic("no texts of these classes")
	}
	return all
}

// identifiers are the fields a client needs to continue.
var identifiers = []string{
	"reference", "paymentReference", "alias", "paymentStatus", "currency", "currencyCode",
}

// Hostile is a fault that replaces every string of an answer, one string of the corpus after another, so that a screen
// meets the whole corpus in turn.
func Hostile(name string, readable, keepsIdentifiers bool) sandbox.Fault {
	var next atomic.Int64
	draw := func() string {
		for {
			one := corpus()[int(next.Add(1)-1)%len(corpus())]
			if one.readable || !readable {
				return one.literal
			}
		}
	}
	fill := func(text string) string {
		return eachLeaf(text, func(name, leaf string) string {
			if !strings.HasPrefix(leaf, `"`) || keepsIdentifiers && slices.Contains(identifiers, name) {
				return leaf
			}
			return draw()
		})
	}
	return sandbox.Fault{Name: name, Does: "every string is hostile text", When: "always after", Answer: rewritten(fill)}
}
