package listing_test

import (
	"context"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
)

func TestAScanIsKeptUnderTheKeyThatReadIt(t *testing.T) {
	places := []ledger.Destination{shop, shop}
	places[1].Fingerprint = "key two" // from the second time on that it is asked where the list is read
	asked := 0
	m, scans := open(t, "", 0), listing.NewScanner(t.Context(), &list{rows: []api.Transaction{row(t, "a PENDING 1 GBP")}})
	listing.NewKeeper(m, scans, func(context.Context) ledger.Destination {
		asked++
		return places[min(asked, len(places))-1]
	})
	scans.Start()
	for st := (listing.State{N: -1}); st.Kept.Step != listing.Kept; {
		if st = must(scans.Changed(t.Context(), st.N)); st.Kept.Err != nil {
			t.Fatal(st.Kept.Err)
		}
	}
	for _, place := range places {
		if h := since(t, m, place, time.Time{}); h.To.N == 0 || h.OtherKey != (place != shop) {
			t.Errorf("%s: %+v", place.Fingerprint, h)
		}
	}
}
