package listing_test

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/statefile"
)

// begins returns how long the journal took to record payments, one after the other, until stop.
func begins(t *testing.T, dir string, n int, done <-chan struct{}) (took []time.Duration) {
	j, err := journal.Open(t.Context(), journal.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for i := 0; i < n; i++ {
		select {
		case <-done:
			return took
		default:
		}
		a := ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: api.Reference("REF" + strconv.FormatInt(time.Now().UnixNano(), 36))} // so many digits could be a card's number
		began := time.Now()
		if _, err := j.Begin(t.Context(), a, ledger.Payer{}, nil); err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	return took
}

func p99(of []time.Duration) time.Duration {
	slices.Sort(of)
	return of[len(of)*99/100]
}

// TestFiguresOfAMillionRows prints how long keeping takes, how large the file is, and how long the journal takes
// to record a payment meanwhile. With PAYDESK_LONG=1.
func TestFiguresOfAMillionRows(t *testing.T) {
	if os.Getenv("PAYDESK_LONG") == "" {
		t.Skip("takes minutes")
	}
	dir := t.TempDir() + "/state"
	m := open(t, dir, 0)
	alone := begins(t, dir, 1000, nil)
	for i, status := range []string{"PENDING", "PENDING", "FAILED"} {
		s := numbered(t, morning.Add(time.Duration(i)*time.Hour), 1_000_000, status)
		done := make(chan struct{})
		var sum listing.Summary
		var err error
		began := time.Now()
		go func() {
			defer close(done)
			sum, err = m.Keep(t.Context(), shop, s)
		}()
		beside := begins(t, dir, 100_000, done)
		<-done
		var mem runtime.MemStats
		runtime.ReadMemStats(&mem)
		if err != nil || len(beside) == 0 {
			t.Fatal(err)
		}
		t.Logf("scan %d: kept in %s, %d MB on disk, %d MB of heap; p99 of a payment's begin %s beside it (%d), %s alone; %d new, %d moved",
			i+1, time.Since(began).Round(time.Millisecond), sum.Size/statefile.MB, mem.HeapAlloc/statefile.MB, p99(beside), len(beside), p99(alone), sum.New, sum.Moved)
	}
}
