package api

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// A hostileSample is one entry of sandbox/faulttest/hostile-strings.json.
type hostileSample struct {
	Class, Name, Value, Note string

	Raw    bool // each code point of Value is one byte
	Repeat int
}

func (h hostileSample) text() string {
	s := h.Value
	if h.Raw {
		b := make([]byte, 0, len(s))
		for _, r := range s {
			b = append(b, byte(r))
		}
		s = string(b)
	}
	return strings.Repeat(s, max(1, h.Repeat))
}

// hostileSamples reads the corpus, or the given classes of it.
func hostileSamples(t testing.TB, classes ...string) []hostileSample {
	t.Helper()
	raw, err := os.ReadFile("sandbox/faulttest/hostile-strings.json")
	noError(t, err)
	var all, some []hostileSample
	noError(t, json.Unmarshal(raw, &all))
	for _, h := range all {
		for _, class := range classes {
			if h.Class == class {
				some = append(some, h)
			}
		}
	}
	if len(classes) == 0 {
		some = all
	}
	if len(some) == 0 {
		t.Fatalf("no strings of %v", classes)
	}
	return some
}
