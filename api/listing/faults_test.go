package listing_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"testing"

	"paydesk/api/listing"
	"paydesk/api/sandbox"
	"paydesk/api/sandbox/faulttest"
)

// whatFaultsLeave is what a scan says of a list with a fault in two of its answers, as patterns; of those that are
// not here, nothing but that it has all rows and trusts them. What comes before a semicolon is why it was paused.
var whatFaultsLeave = map[string]string{
	"F37": "730 rows, not counted, total 0, then 730, first page differs, more pages at [2-5] ×[0-9]+, no count at 1 ×2", // the numbers are not read
	"F39": "730 rows, 531 ids, 199 differing, first page differs",                                                        // the ids are
	"F42": "730 rows, not counted, total 0, then 730, more pages at [2-5] ×[0-9]+, no count at 1 ×2",                     // the meta is not
	"F50": "page 1: .*HTTP 401.*The key may have been rotated.*; 730 rows, trusted",
	"F51": "page 1: .*HTTP 403.*The key may have been rotated.*; 730 rows, trusted",
	"F52": "page 1: .*HTTP 404.*; 730 rows, trusted",
	"F54": "page 1: .*HTTP 422.*; 730 rows, trusted",
}

// A scan that meets a fault of the service, of whichever class, reads on or says what is wrong; and once the fault is gone it
// has every row.
func TestAScanSurvivesEveryFault(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits, as a scan does")
	}
	slow := []string{"F10", "F13", "F16", "F17", "F55"} // until the client's limit of time, or as long as Retry-After says
	var all sync.WaitGroup
	for _, f := range faulttest.Classes() {
		if slices.Contains(slow, f.Name) {
			continue
		}
		all.Go(func() { survives(t, f) })
	}
	all.Wait()
}

func survives(t *testing.T, f sandbox.Fault) {
	box := sandbox.New(sandbox.Options{Key: benchKey, Seed: 1, Transactions: 730, Faults: faulttest.All()})
	s := listing.NewScanner(t.Context(), clientOf(t, box))
	if err := box.Arm("transactions", f.Name, 2); err != nil {
		t.Error(err)
		return
	}
	s.Start()
	st, paused := done(t, s), ""
	if st.Phase == listing.Paused {
		if st.Why != listing.ByProblem || st.Err == nil {
			t.Errorf("%s: %+v", f.Does, st)
			return
		}
		paused = fmt.Sprintf("page %d: %v; ", st.Page, st.Err)
		box.ClearFaults()
		s.Resume()
		st = done(t, s)
	}
	want := cmp.Or(whatFaultsLeave[f.Name], "730 rows, trusted")
	if got := paused + said(st); st.Phase != listing.Done || !regexp.MustCompile("^"+want+"$").MatchString(got) {
		t.Errorf("%s, %s: %s\nwant %s", f.Name, f.Does, got, want)
	}
}
