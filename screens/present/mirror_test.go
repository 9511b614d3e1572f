package present_test

import (
	"testing"

	"paydesk/api/listing"
	"paydesk/screens/present"
)

func TestWhatBecameOfAScanIsSaidTruly(t *testing.T) {
	for _, c := range []struct {
		sum  listing.Summary
		want string
	}{
		{listing.Summary{Scan: listing.Scan{Rows: 153, Trusted: true}}, "Kept. Nothing changed since the scan before."},
		{listing.Summary{Scan: listing.Scan{Rows: 153, Trusted: true, New: 3, Gone: 1}}, "Kept. 3 new, 1 gone since the scan before."},
		{listing.Summary{Scan: listing.Scan{Rows: 100}, Missing: 53}, "Kept. Nothing changed among the 100 rows read. " +
			"53 rows that were kept before were not read in this scan, which does not prove them gone."},
		{listing.Summary{Scan: listing.Scan{Rows: 100, Moved: 2}, Missing: 1}, "Kept. 2 changed since the scan before. " +
			"1 row that was kept before was not read in this scan, which does not prove it gone."},
		{listing.Summary{Scan: listing.Scan{Rows: 100}, Doubled: 1}, "Kept. Nothing changed among the 100 rows read. " +
			"1 ID came with different values, which is not recorded as a change."},
	} {
		if _, got := present.Kept(listing.Progress{Step: listing.Kept, Summary: c.sum}); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
