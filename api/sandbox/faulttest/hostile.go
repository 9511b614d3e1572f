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

// A Text is one of the corpus of hostile text: strings that attack terminals, layouts, parsers and people.
type Text struct {
	Class, Name, Text string // as the bytes that a server sends
	literal           string // as written into a response, with its quotes
	readable          bool   // the response stays valid JSON, of a usual size
}

// readableSize limits the length of a readable string.
const readableSize = 4 << 10

//go:embed hostile-strings.json
var hostileStrings []byte

// corpus is parsed on first use.
var corpus = sync.OnceValue(func() (all []Text) {
	var file []struct {
		Class, Name string
		Value       json.RawMessage
		Raw         bool // each code point is a byte: not valid UTF-8, which JSON cannot express
		Repeat      int
	}
	if err := json.Unmarshal(hostileStrings, &file); err != nil {
		panic(err)
	}
	for _, f := range file {
		var text string
		json.Unmarshal(f.Value, &text)
		inside := string(f.Value[1 : len(f.Value)-1])
		if f.Raw {
			text, inside = rawBytes(text)
		}
		n := max(f.Repeat, 1)
		text, inside = strings.Repeat(text, n), strings.Repeat(inside, n)
		all = append(all, Text{f.Class, f.Name, text, `"` + inside + `"`, !f.Raw && len(inside) <= readableSize})
	}
	return all
})

// rawBytes returns the bytes that code points stand for, and how they are written inside a string of a response.
func rawBytes(points string) (text, inside string) {
	var plain, written strings.Builder
	for _, r := range points {
		plain.WriteByte(byte(r))
		if r < ' ' || r == '"' || r == '\\' {
			fmt.Fprintf(&written, `\u%04x`, r)
		} else {
			written.WriteByte(byte(r))
		}
	}
	return plain.String(), written.String()
}

// Texts returns the corpus, or its texts of some classes, which it has.
func Texts(classes ...string) []Text {
	all := slices.DeleteFunc(slices.Clone(corpus()), func(t Text) bool {
		return len(classes) > 0 && !slices.Contains(classes, t.Class)
	})
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
