package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// writtenStrings are the string literals of a response.
func writtenStrings(t *testing.T, body []byte) []string {
	t.Helper()
	var out []string
	for in := body; ; {
		i := bytes.IndexByte(in, '"')
		if i < 0 {
			return out
		}
		end := i + 1
		for in[end] != '"' {
			if in[end] == '\\' {
				end++
			}
			end++
		}
		text, rest := string(in[i:end+1]), in[end+1:]
		if len(rest) == 0 || rest[0] != ':' { // a value, not a name
			out = append(out, text)
		}
		in = rest
	}
}

// hostileAnswers are enough responses of every kind to use the whole corpus.
func hostileAnswers(t *testing.T, s *Sandbox) [][]byte {
	t.Helper()
	ask(s, "POST", initiatePath, mustJSON(with(charge("challenge"), "reference", "A1")))
	s.Hostile(true)
	var out [][]byte
	tell := func(method, target string, body any) {
		out = append(out, ask(s, method, target, mustJSON(body)).Body.Bytes())
	}
	for i := range 20 {
		tell("POST", initiatePath, charge("approve"))
		tell("POST", initiatePath, bankTransfer())
		tell("POST", initiatePath, obj{})
		tell("POST", makeLinkPath, draft(fmt.Sprint(i)))
		tell("POST", validatePath, obj{"amount": obj{"currencyCode": "NGN", "amount": 5}})
		tell("GET", checkPath+"A1", nil)
		tell("GET", statusPath+"A1", nil)
		tell("GET", listPath+"?perPage=5", nil)
		tell("GET", listPath+"?page=0", nil)
	}
	return out
}

func TestEveryStringOfTheCorpusIsUsedInTurn(t *testing.T) {
	s := New(Options{Key: testKey, Transactions: 20})
	next, raw := 0, 0
	for _, answer := range hostileAnswers(t, s) {
		if !json.Valid(answer) || !utf8.Valid(answer) {
			raw++
		}
		for _, got := range writtenStrings(t, answer) {
			if want := corpus()[next%len(corpus())].literal; got != want {
				t.Fatalf("string %d is %.80q, want %.80q", next, got, want)
			}
			next++
		}
	}
	if next < len(corpus()) || len(corpus()) < 300 || raw == 0 {
		t.Errorf("%d strings of %d in the corpus; %d responses were not JSON", next, len(corpus()), raw)
	}
	s.Hostile(false)
	if w := ask(s, "GET", statusPath+"A1", ""); !strings.Contains(w.Body.String(), `"paymentStatus":"INITIATED"`) {
		t.Errorf("hostile text does not end: %s", w.Body)
	}
}

func TestReadableHostileAnswersAreJSONOfAUsualSize(t *testing.T) {
	s := New(Options{Key: testKey, Transactions: 20})
	s.SetSwitch("hostile.wire", "readable")
	seen := map[string]bool{}
	for _, answer := range hostileAnswers(t, s) {
		if !json.Valid(answer) || !utf8.Valid(answer) || len(answer) > 64<<10 {
			t.Errorf("%d bytes: %.200q", len(answer), answer)
		}
		for _, text := range writtenStrings(t, answer) {
			seen[text] = true
		}
	}
	for _, c := range corpus() {
		if c.readable && !seen[c.literal] {
			t.Errorf("%.80q was never used", c.literal)
		}
	}
}

func TestIdentifiersCanBeKept(t *testing.T) {
	s := serve(t, Options{})
	ref := s.pay(charge("approve"))
	alias := s.link(draft("mug"))
	s.SetSwitch("hostile.keeps", "identifiers")
	s.SetSwitch("hostile.wire", "readable")
	s.Hostile(true)
	a := s.get(statusPath + ref)
	if a.str("value.paymentReference") != ref || a.str("value.paymentStatus") != "PENDING" || a.str("value.amount.currencyCode") != "GBP" {
		t.Errorf("identifiers were replaced: %s", a.text)
	}
	a = s.post(initiatePath, with(charge("challenge"), "link", obj{"alias": alias}))
	own := a.str("value.paymentItem.reference")
	if _, is := s.Payment(own); !is || a.str("value.paymentItem.paymentReference") != own || a.str("value.message") == "" || strings.HasPrefix(a.str("value.bankAuthURL"), s.origin) {
		t.Errorf("%s", a.text)
	}
	if a = s.post(makeLinkPath, draft("cup")); s.links[a.str("value.alias")] == nil || strings.HasPrefix(a.str("value.link"), s.origin) {
		t.Errorf("%s", a.text)
	}
}

// Strings of the corpus are written unchanged.
func TestTheCorpusIsWrittenAsItIs(t *testing.T) {
	file := table[[]struct {
		Name, Value string
		Raw         bool
		Repeat      int
	}]("hostile-strings.json")
	for i, f := range file {
		c := corpus()[i]
		if !f.Raw {
			var got string
			if err := json.Unmarshal([]byte(c.literal), &got); err != nil || got != strings.Repeat(f.Value, max(f.Repeat, 1)) {
				t.Errorf("%s: %v %.80q", f.Name, err, c.literal)
			}
			continue
		}
		// As decoded from JSON, with each byte beyond ASCII as a code point.
		var got strings.Builder
		for _, b := range []byte(c.literal) {
			got.WriteRune(rune(b))
		}
		var text string
		if err := json.Unmarshal([]byte(got.String()), &text); err != nil || text != strings.Repeat(f.Value, max(f.Repeat, 1)) || c.readable {
			t.Errorf("%s: %v %q", f.Name, err, c.literal)
		}
	}
}
