package transactions

import (
	"context"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/screentest"
)

// A fixedScanner is a scan that stays in one state.
type fixedScanner struct{ state listing.State }

func (f fixedScanner) Start()               {}
func (f fixedScanner) Pause()               {}
func (f fixedScanner) Resume()              {}
func (f fixedScanner) Read(int)             {}
func (f fixedScanner) Again(int)            {}
func (f fixedScanner) State() listing.State { return f.state }

func (f fixedScanner) Changed(ctx context.Context, _ int) (listing.State, error) {
	<-ctx.Done()
	return f.state, ctx.Err()
}

func TestEachStateOfAScanHasItsWords(t *testing.T) {
	at := time.Date(2026, 11, 23, 21, 2, 10, 0, time.UTC)
	rows := listing.Of(honestPage(500, 1, 500).Rows...)
	partly := listing.State{Rows: rows, Read: 500, More: true, Pages: 5, Of: 13, Total: 1204, Counted: true}
	in := func(change func(*listing.State)) listing.State {
		s := partly
		change(&s)
		return s
	}
	whole := in(func(s *listing.State) {
		s.Phase, s.Pages, s.Of, s.Total, s.Ended, s.More = listing.Done, 5, 5, 500, at, false
		s.Verdict = listing.Verdict{Counted: true, Before: 500, After: 500, Unique: 500}
	})
	verdict := func(change func(*listing.Verdict)) listing.State {
		s := whole
		change(&s.Verdict)
		return s
	}
	for name, tc := range map[string]struct {
		state listing.State
		words string
	}{
		"reading": {in(func(s *listing.State) { s.Phase, s.Rate, s.Left = listing.Reading, 1840, 3*time.Minute }), "page 5 of 13 · 1,840 rows/s · 3 min left"},
		"looked-at": {in(func(s *listing.State) {
			s.Phase, s.Why, s.To, s.Began, s.Ended = listing.Paused, listing.Enough, 500, at, at.Add(time.Hour)
		}), "500 of 1,204 rows read at 21:02:10–22:02:10 · space reads all"},
		"strange": {in(func(s *listing.State) {
			s.Phase, s.Why, s.To, s.Began, s.Ended, s.Verdict.Odd = listing.Paused, listing.Enough, 500, at, at, []listing.Oddity{{What: listing.WrongNumber, Page: 3, Pages: 2}}
		}), "Page 3 and 1 more"},
		"full": {in(func(s *listing.State) { s.Phase, s.Why = listing.Paused, listing.ByFull }), "Stopped at row 500 of 1,204"},
		"waiting": {in(func(s *listing.State) {
			s.Phase, s.Until, s.Err = listing.Waiting, at, &api.Refusal{Kind: api.KindHTTP, HTTP: 429}
		}), "Waiting until 21:02:10: The service"},
		"changed": {verdict(func(v *listing.Verdict) {
			v.After, v.FirstDiffers, v.Repeated, v.Differing, v.Unique = 503, true, 12, 2, 499
			v.Odd = []listing.Oddity{{What: listing.MorePages, Page: 4, Pages: 1}}
		}), "the list"},
		"odd": {verdict(func(v *listing.Verdict) {
			v.Nameless, v.Odd = 3, []listing.Oddity{{What: listing.WrongNumber, Page: 3, Pages: 2}, {What: listing.NeverEnds, Page: 70, Pages: 1}}
		}), "which may not be all:"},
	} {
		inBubble(t, func(t *testing.T) {
			m := New(screentest.Theme, listOf(1204), Options{Scans: fixedScanner{tc.state}})
			c := screentest.Open(t, m, 80, 24)
			c.Fits().Sees(tc.words, "txn_0001").Golden("scan-" + name)
		})
	}
}
