package listing_test

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"paydesk/api/listing"
	"paydesk/api/sandbox"
)

// heap is what is in use of the heap, without garbage.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// held is what the process holds of the system's memory.
func held() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys - m.HeapReleased
}

// Twenty thousand rows, and a million with PAYDESK_LONG, take no more than 2 or 10 MB of the heap, and 20 or 78 MB of
// the system's memory on the way there, which the sandbox beside it adds to.
func TestManyRowsTakeLittleMemory(t *testing.T) {
	n, mostHeap, most := 20_000, int64(2<<20), uint64(20e6)
	if os.Getenv("PAYDESK_LONG") != "" {
		n, mostHeap, most = 1_000_000, 10<<20, 78e6
	} else if testing.Short() {
		t.Skip("reads 200 pages")
	}
	c := clientOf(t, sandbox.New(sandbox.Options{Key: benchKey, Seed: 1, Transactions: n}))
	s := listing.NewScanner(t.Context(), c)
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // as in the console
	empty := heap()
	debug.FreeOSMemory()
	before, began := held(), time.Now()
	s.Start()
	highest := uint64(0)
	st := s.State()
	for st.Phase.Running() || st.Why == listing.AtLimit {
		if st.Why == listing.AtLimit {
			s.Resume()
		}
		highest = max(highest, held())
		var err error
		if st, err = s.Changed(t.Context(), st.N); err != nil {
			t.Fatal(err)
		}
	}
	took, rows := time.Since(began), int64(heap())-int64(empty)
	if !st.Verdict.Trusted || st.Rows.Len() != n {
		t.Fatalf("%+v", st)
	}
	t.Logf("%d rows in %v: %.1f MB for the rows, %.1f MB more held at most than before, the sandbox's in it", n, took.Round(time.Millisecond), float64(rows)/1e6, float64(highest-min(highest, before))/1e6)
	if rows > mostHeap {
		t.Errorf("%d bytes for %d rows", rows, n)
	}
	if highest > before+most {
		t.Errorf("%d bytes held at most, %d before", highest, before)
	}
	began = time.Now()
	q, _ := listing.Language().Parse("failed gbp >100")
	found, err := st.Rows.Find(t.Context(), listing.Search{Query: q, Order: listing.Order{By: listing.ByAmount, Descending: true}})
	t.Logf("%d of them found and ordered in %v: %v", len(found), time.Since(began).Round(time.Microsecond), err)
	runtime.KeepAlive(st)
}
