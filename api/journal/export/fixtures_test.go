package export

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/money"
)

// hostiles reads the corpus of hostile texts.
func hostiles(t testing.TB) []string {
	t.Helper()
	raw, err := os.ReadFile("testdata/hostile-strings.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Value  string
		Raw    bool // each code point of Value is one byte
		Repeat int
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, h := range all {
		s := h.Value
		if h.Raw {
			b := make([]byte, 0, len(s))
			for _, r := range s {
				b = append(b, byte(r))
			}
			s = string(b)
		}
		s = strings.Repeat(s, max(1, h.Repeat))
		texts = append(texts, s[:min(len(s), 1<<14)]) // far more than the journal stores of a text
	}
	if len(texts) < 100 {
		t.Fatalf("only %d strings", len(texts))
	}
	return texts
}

func init() { time.Local = time.UTC } // files have the zone of the console

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// attemptWith returns an attempt that has s in every text.
func attemptWith(s string) journal.Attempt {
	gbp, _ := money.ParseCurrency("GBP")
	by := journal.Operator{User: s, Host: s, SSH: s}
	return journal.Attempt{
		ID: "7k3f9q2mzx", Kind: journal.Initiate, At: noon, By: by,
		Destination: journal.Destination{Profile: s, Environment: "TEST", Host: s},
		Amount:      money.Amount{Minor: 123450, Currency: gbp},
		Channel:     s, Link: api.Alias(s), Card: "4242", OwnReference: s, Reference: api.Reference(s),
		Outcome: journal.Unresolved, AnsweredAt: noon.Add(time.Second), Why: s,
		Decision: journal.Found, DecidedBy: by, DecidedAt: noon.Add(time.Hour),
		Status: api.ParseStatus(s), StatusAt: noon.Add(time.Hour),
		Draft: api.LinkDraft{Name: s, Description: s},
		CreatedLink: &api.Link{
			Name: api.Clean(s), Lacks: []api.Text{api.Clean(s)},
			Differs: []api.LinkDifference{{Part: api.Clean("name"), Asked: api.Clean(s), Answered: api.Clean(s)}},
		},
	}
}

// A fakeSource holds attempts, newest first; then changes them after each call.
type fakeSource struct {
	rows  []journal.Attempt
	calls int
	then  func(l *fakeSource)
}

func (l *fakeSource) Find(ctx context.Context, f journal.Filter, s journal.Search, from, n int) (p journal.Page[journal.Attempt], err error) {
	if err := ctx.Err(); err != nil {
		return p, err
	}
	var in []journal.Attempt
	for _, a := range l.rows {
		if f.To.IsZero() || a.At.Before(f.To) {
			in = append(in, a)
		}
	}
	from = min(from, len(in))
	rows := append([]journal.Attempt{}, in[from:min(from+n, len(in))]...)
	if l.calls++; l.then != nil {
		l.then(l)
	}
	return journal.Page[journal.Attempt]{Rows: rows, From: from, Count: len(in), Complete: true}, nil
}
