package screens_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"paydesk/screens/consoletest"
)

// floods are texts that are meant to be much: each of about as many bytes as leave an answer of a
// usual size.
func floods(t *testing.T) []hostile {
	var all []hostile
	for _, h := range hostiles(t) {
		if h.class == "flood" {
			all = append(all, h)
		}
	}
	for name, part := range map[string]string{
		"four marks on each": "a\u0301\u0301\u0301\u0301", "five marks on each": "a\u0301\u0301\u0301\u0301\u0301", "overrides": "\u202e", "words": "a ",
		"wide with marks": "漢\u0301\u0301\u0301\u0301", "far runes": "\U0010ffff",
	} {
		all = append(all, hostile{"flood", name, strings.Repeat(part, most/len(part)/2)})
	}
	slices.SortFunc(all, func(a, b hostile) int { return strings.Compare(a.name, b.name) })
	return all
}

// A flood makes no frame of a big window larger than 64 KiB: [tread] looks at what each step writes.
func TestAFloodMakesNoFlood(t *testing.T) {
	if !long {
		t.Skip("takes minutes: .ci/long hostile")
	}
	all := floods(t)
	if len(all) < 12 {
		t.Fatalf("only %d floods", len(all))
	}
	for i, r := range hostileRoads() {
		mine := all
		switch {
		case r.name == opList.name: // the answer with the most texts
		case !whole:
			mine = []hostile{all[i%len(all)]}
		}
		r.options = append(slices.Clone(r.options), consoletest.Size(200, 60))
		for _, h := range mine {
			try(t, r, fmt.Sprint("flood ", h.name), func(path string, _ int) (hostile, bool) { return h, !decides(path) })
		}
	}
}
