package attempt_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/attempt"
	"paydesk/screens/screentest"
)

// rowsRead is a scan of 250 rows that has ended, of which every hundredth has the amount of the attempt.
func rowsRead(began time.Time, v listing.Verdict) listing.State {
	var all []api.Transaction
	for i := range 250 {
		a := gbp(99)
		if i%100 == 40 {
			a = gbp(1250)
		}
		all = append(all, api.Transaction{ID: api.Clean(fmt.Sprintf("txn_%03d", i)), Amount: a, Known: true, Raw: api.Clean(a.MinorText()), Currency: api.Clean("GBP"), Status: api.ParseStatus("PENDING")})
	}
	rows := listing.Of(all...)
	return listing.State{Phase: listing.Done, Rows: rows, Read: rows.Len(), Began: began, Ended: began.Add(time.Second), Verdict: v}
}

func TestMatchesComeFromAllRowsWhereTheListWasRead(t *testing.T) {
	whole := listing.Verdict{Trusted: true}
	for name, test := range map[string]struct {
		after   time.Duration // it was sent, the scan began
		verdict listing.Verdict
		says    string
		pages   int // that are asked for
	}{
		"since it was lost":          {2 * time.Minute, whole, "Searched all 250 rows, read at 00:00:01, no change seen while it was read.", 0},
		"while it changed":           {2 * time.Minute, listing.Verdict{FirstDiffers: true}, "Searched 250 rows, read at 00:00:01, but the list changed while it was read.", 0},
		"and may not be all":         {2 * time.Minute, listing.Verdict{}, "Searched 250 rows, read at 00:00:01, which may not be all.", 0},
		"while it may still be made": {90 * time.Second, whole, "Searched 2 rows on 1 of 1 pages.", 1},
		"before":                     {-time.Hour, whole, "Searched 2 rows on 1 of 1 pages.", 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, s := &fakeJournal{attempt: lost(2 * time.Minute)}, &fakeService{list: listed(1, 1250, 99)}
				st := rowsRead(time.Now().Add(test.after-2*time.Minute), test.verdict)
				c := screentest.Open(t, attempt.New(screentest.Theme, b, s, shop, id, false).Over(func() listing.State { return st }), 80, 24)
				c.Press("m").Wait(time.Second).Sees("NO PROOF", test.says)
				if n := len(s.received()); n != test.pages {
					t.Errorf("%d pages were asked for", n)
				}
				if test.pages == 0 {
					c.Sees("txn_040", "txn_140", "txn_240").WaitsUntilGone("txn_041").Fits()
					c.Press("esc", "d").Wait(time.Second).Sees("Could be it", "3 rows", "txn_040", "no proof.").Fits()
					c.Press("esc", "m").Wait(time.Second).Press("enter").Sees("Found as", "txn_040")
				}
			})
		})
	}
}
