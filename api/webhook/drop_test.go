package webhook

import (
	"fmt"
	"strings"
	"testing"

	"paydesk/api"
)

// A full inbox drops the oldest and counts them.
func TestAForgedFloodDoesNotDropThePaymentsThatAreKnown(t *testing.T) {
	t.Parallel()
	s := New(Options{Limit: 200_000})
	defer s.Close()
	keep(t, s, body("OURS", "SUCCESSFUL"))
	classify := func(r string, known bool) {
		must(t, s.classify(t.Context(), "shop", []api.Reference{api.Reference(r)}, map[api.Reference]bool{api.Reference(r): known}))
	}
	classify("OURS", true)
	keep(t, s, body("OURS", "SUCCESSFUL")) // again
	for i := range 80 {
		r := fmt.Sprint("R", i)
		keep(t, s, fmt.Appendf(nil, `{"event":"payment.success","data":{"reference":"%s","narration":"%s"}}`, r, strings.Repeat("x", 4000)))
		classify(r, false)
	}
	if f := find(t, s, "reference:OURS"); len(f.Records) != 1 {
		t.Errorf("found %+v", f)
	}
	if f := find(t, s, ""); f.Total >= 50 || f.Total < 20 || f.Dropped != int64(81-f.Total) || f.Newest != 82 || f.Records[0].Reference != "R79" {
		t.Errorf("%d events, %d dropped, newest %d", f.Total, f.Dropped, f.Newest)
	}
}

// What was just stored is there, and is passed on once, however full the inbox is of payments that are known.
func TestAnEventIsNotDroppedAsItArrives(t *testing.T) {
	t.Parallel()
	s := New(Options{Limit: 200_000})
	defer s.Close()
	var last int64
	for i := range 100 {
		r := api.Reference(fmt.Sprint("R", i))
		n := keep(t, s, fmt.Appendf(nil, `{"event":"payment.success","data":{"reference":"%s","narration":"%s"}}`, r, strings.Repeat("x", 4000)))
		all, err := s.After(t.Context(), "shop", last, 10)
		if err != nil || len(all) != 1 || all[0].Number != n || all[0].Reference != r {
			t.Fatalf("after %d there are %d deliveries, %v", last, len(all), err)
		}
		last = n
		must(t, s.classify(t.Context(), "shop", []api.Reference{r}, map[api.Reference]bool{r: i%5 > 0}))
	}
}

func TestAReplayStormFillsNothing(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	defer s.Close()
	for range 2*maxArrivals + 10 {
		keep(t, s, body("R1", "SUCCESSFUL"))
	}
	d, err := s.Get(t.Context(), "shop", find(t, s, "").Records[0].ID)
	if err != nil || d.Deliveries != 2*maxArrivals+10 || len(d.Arrivals) != shownArrivals {
		t.Errorf("%d deliveries, %d arrivals, %v", d.Deliveries, len(d.Arrivals), err)
	}
	if all, _ := s.After(t.Context(), "shop", 0, 10_000); len(all) > maxArrivals+10 {
		t.Errorf("%d deliveries are stored", len(all))
	}
}
