package listing_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/api/statefile"
)

// numbered is a list of n rows with UUIDs, of which every one has a status.
func numbered(t testing.TB, at time.Time, n int, status string) listing.State {
	rows := make([]api.Transaction, n)
	one := row(t, "x "+status+" 1250 GBP")
	for i := range rows {
		rows[i] = one
		rows[i].ID = api.Clean(fmt.Sprintf("%08x-0000-4000-8000-%012d", uint32(i)*2654435761, i))
	}
	return listing.State{Phase: listing.Done, Rows: listing.OfKept(rows...), Began: at, Ended: at.Add(time.Minute), Verdict: listing.Verdict{Trusted: true}}
}

func sizeOf(t testing.TB, m *listing.Mirror) (size int64) {
	t.Helper()
	files, err := filepath.Glob(m.Path() + "*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		about, err := os.Stat(f)
		noError(t, err)
		size += about.Size()
	}
	return size
}

func TestTheOldestChangesGoFirstAndTheFileStaysBelowItsLimit(t *testing.T) {
	m := open(t, t.TempDir()+"/state", statefile.MB/4)
	dropped := 0
	for i := range 9 {
		sum := keep(t, m, shop, numbered(t, morning.Add(time.Duration(i)*time.Hour), 1250, []string{"PENDING", "INITIATED"}[i%2]))
		if i > 0 && sum.Moved != 1250 {
			t.Errorf("%+v", sum)
		}
		dropped += sum.Dropped
		if size := sizeOf(t, m); size > statefile.MB/4 || sum.NoLog {
			t.Errorf("after scan %d: %d bytes, %+v", i, size, sum)
		}
	}
	h := since(t, m, shop, morning)
	if dropped == 0 || !h.Short || h.From.Began.Equal(morning) || h.To.Rows != 1250 {
		t.Errorf("%d were dropped: %+v", dropped, h)
	}
	if h = since(t, m, shop, time.Time{}); h.Counts[listing.Moved] != 1250 {
		t.Errorf("%+v", h)
	}
}

func TestRowsThatDoNotFitAreNotKeptAndThatIsSaid(t *testing.T) {
	m := open(t, t.TempDir()+"/state", statefile.MB/8)
	keep(t, m, shop, numbered(t, morning, 500, "PENDING"))
	_, err := m.Keep(t.Context(), shop, numbered(t, morning.Add(time.Hour), 5000, "PENDING"))
	if _, is := errors.AsType[*listing.TooLarge](err); !is || !strings.Contains(err.Error(), "5000 rows") {
		t.Error(err)
	}
	if size := sizeOf(t, m); size > statefile.MB/8 {
		t.Errorf("%d bytes", size)
	}
	if all := must(m.Scans(t.Context(), shop)); len(all) != 1 || all[0].Rows != 500 {
		t.Errorf("what was kept before stays: %+v", all)
	}
	other := shop
	other.Host, other.Fingerprint = "other.example", "key two"
	_, err = m.Keep(t.Context(), other, numbered(t, morning.Add(time.Hour), 5000, "PENDING"))
	if all := must(m.Scans(t.Context(), other)); err == nil || len(all) != 0 {
		t.Errorf("%v: %+v", err, all)
	}
}

func TestTheSpaceIsGivenBackInStepsThatLetAPaymentPass(t *testing.T) {
	dir := t.TempDir() + "/state"
	large := open(t, dir, 0)
	for i := range 6 {
		keep(t, large, shop, numbered(t, morning.Add(time.Duration(i)*time.Hour), 2_500, []string{"PENDING", "INITIATED"}[i%2]))
	}
	before := sizeOf(t, large)
	small := open(t, dir, statefile.MB/4)
	kept := func() bool { return len(must(small.Scans(t.Context(), shop))) < 6 } // the scans before were dropped, and this one is there
	settled, err := small.KeepUntil(t.Context(), shop, numbered(t, morning.Add(9*time.Hour), 2_500, "INITIATED"), kept)
	if err != nil || settled {
		t.Fatalf("%v; settled beside a payment: %v", err, settled)
	}
	if size := sizeOf(t, small); size < before {
		t.Errorf("%d bytes of %d, although a payment is being sent", size, before)
	}
	steps := 0
	if settled, err = small.Settle(t.Context(), func() { steps++ }); err != nil || !settled {
		t.Fatalf("%v; %v", err, settled)
	}
	if size := sizeOf(t, small); size > statefile.MB/4 || steps < 3 {
		t.Errorf("%d bytes after %d steps", size, steps)
	}
}
