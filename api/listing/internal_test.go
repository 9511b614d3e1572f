package listing

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// A hash that came is known, in whichever layer it is, and others are not taken for it.
func TestASieveKnowsWhatCameAndNothingElse(t *testing.T) {
	var s sieve
	for round, known := range []bool{false, true} {
		hashes := rand.NewPCG(1, 2)
		for i := range 200_000 {
			if hash := hashes.Uint64(); s.add(hash) != known {
				t.Fatalf("round %d: hash %d", round, i)
			}
		}
	}
}

// InPages are rows as a scan adds them.
func InPages(all []api.Transaction, per int) *Rows {
	r := newRows()
	for len(all) > 0 {
		page := all[:min(per, len(all))]
		all = all[len(page):]
		if _, err := r.add(page, false); err != nil {
			panic(err)
		}
	}
	return r
}

// InFile is how many rows of what may be in a file have a text.
func InFile(r *Rows, text string) (n int, err error) {
	err = r.db.QueryRow("SELECT count(*) FROM main.list WHERE id LIKE '%'||?1||'%' OR raw LIKE '%'||?1||'%'", text).Scan(&n)
	return n, err
}

// OfKept is [Of] of rows that are kept.
func OfKept(rows ...api.Transaction) *Rows {
	r := newRows()
	r.parts = &parts{}
	r.Append(rows...)
	return r
}

// Keep keeps a scan that waits for nothing.
func (m *Mirror) Keep(ctx context.Context, place ledger.Destination, s State) (Summary, error) {
	return m.keep(ctx, place, s, noWait)
}

// KeepWaiting is [Mirror.Keep] that calls f between batches, while the file is locked.
func (m *Mirror) KeepWaiting(ctx context.Context, place ledger.Destination, s State, f func()) (Summary, error) {
	return m.keep(ctx, place, s, func(ctx context.Context) error { f(); return ctx.Err() })
}

// KeepUntil is [Mirror.Keep] beside a payment that is sent once f is true, which is asked between the steps. It reports whether
// the file was settled.
func (m *Mirror) KeepUntil(ctx context.Context, place ledger.Destination, s State, f func() bool) (settled bool, err error) {
	sum, err := m.keep(ctx, place, s, func(context.Context) error {
		if f() {
			return errBusy
		}
		return nil
	})
	return sum.settled, err
}

// Settle settles the file, and calls f before each step.
func (m *Mirror) Settle(ctx context.Context, f func()) (bool, error) {
	return m.settleLater(ctx, func(ctx context.Context) error { f(); return ctx.Err() })
}

// Impatient does not wait for the lock of another console.
func (m *Mirror) Impatient() { m.patience = 10 * time.Millisecond }

// OnNetwork takes the disk for a network disk.
func (m *Mirror) OnNetwork() { m.isLocal = func(string) bool { return false } }

// Changes calls f with each row that changed since a time, as it was and as it is.
func (m *Mirror) Changes(ctx context.Context, place ledger.Destination, at time.Time, f func(k Known, was, is api.Transaction)) (History, error) {
	return m.changes(ctx, place, at, func(some []change) error {
		for _, c := range some {
			f(c.Known, c.was, c.is)
		}
		return nil
	})
}

// Scans returns the scans of a service that are kept, newest first.
func (m *Mirror) Scans(ctx context.Context, place ledger.Destination) (all []Scan, err error) {
	err = m.read(ctx, func(q statefile.Querier) error {
		same, err := memories(ctx, q, place)
		if err != nil || len(same) == 0 {
			return err
		}
		all, err = scans(ctx, q, same[0].n, "ORDER BY n DESC")
		return err
	})
	return all, err
}
