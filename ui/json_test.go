package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const request = `{
  "amount": 12.5,
  "isOpen": true,
  "userInformation": {
    "firstName": "Ada Augusta",
    "tags": [
      "first-time",
      {
        "since": 1842
      }
    ]
  },
  "id": "5e624915-4cac-4ca3-9902-187376f38abb",
  "metaData": {
    "paydesk_attempt": "given when it is sent"
  },
  "returnUrl": "https://shop.example/done?order=17"
}`

func texts(lines []string) string {
	for i, l := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(lines, "\n")
}

func TestNoTextLosesALetterInJSON(t *testing.T) {
	letters := func(s string) string { return strings.Join(strings.Fields(s), "") }
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ {\["]{0,6}[a-z":, {}\-/.0-9\\漢]{0,80}\n?[ ]{0,3}[a-z"]{0,30}[:] ?["]?[a-z0-9 \-]{0,60}"?,?`).Draw(t, "text")
		w := rapid.IntRange(-1, 60).Draw(t, "w")
		lines := NewTheme(false).MarkedJSON(text, w, "a")
		for _, l := range lines {
			if n := ansi.StringWidth(l); w > markWidth && n > w {
				t.Fatalf("%d cells in %d: %q", n, w, l)
			}
		}
		if got := texts(NewTheme(false).JSON(text, w)); w > 1 && letters(got) != letters(text) {
			t.Fatalf("%q is drawn %q in %d", text, got, w)
		}
	})
}

// A comma at the end of a line is part of the value.
func TestAValueKeepsTheCommasItIsBrokenAfter(t *testing.T) {
	if got := texts(NewTheme(false).JSON(`"name": "oak chairs, tables, and benches",`, 30)); strings.Join(strings.Fields(got), " ") != `"name": "oak chairs, tables, and benches",` {
		t.Errorf("%q", got)
	}
}

func TestWhatAFieldFeedsIsMarked(t *testing.T) {
	for paths, want := range map[string][]string{
		"userInformation.firstName":  {`    "firstName": "Ada Augusta",`},
		"userInformation.tags.since": {`        "since": 1842`},
		"metaData":                   {`  "metaData": {`, `    "paydesk_attempt": "given when it is sent"`, `  },`},
		"amount id":                  {`  "amount": 12.5,`, `  "id": "5e624915-4cac-4ca3-9902-187376f38abb",`},
		"":                           nil, "user": nil, "firstName": nil,
	} {
		var got []string
		for _, l := range NewTheme(false).MarkedJSON(request, 80, strings.Split(paths, " ")...) {
			if l, marked := strings.CutPrefix(ansi.Strip(l), "▌ "); marked {
				got = append(got, l)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q marks %s", paths, diff)
		}
	}
}
