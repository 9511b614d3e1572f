package mirror

import (
	"context"
	"time"

	"paydesk/api/ledger"
	"paydesk/api/listing"
)

// KeepWaiting is [Mirror.Keep] that calls f between batches, while the file is locked.
func (m *Mirror) KeepWaiting(ctx context.Context, place ledger.Destination, s listing.State, f func()) (Summary, error) {
	return m.keepRows(ctx, place, s, func(ctx context.Context) error { f(); return ctx.Err() })
}

// KeepUntil is [Mirror.Keep] beside a payment that is sent once f is true, which is asked between the steps. It
// reports whether the file was settled.
func (m *Mirror) KeepUntil(ctx context.Context, place ledger.Destination, s listing.State, f func() bool) (settled bool, err error) {
	sum, err := m.keepRows(ctx, place, s, func(context.Context) error {
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

// ShortRuns has so few lines of a scan in memory, until the function is called.
func ShortRuns(n int) func() {
	before := linesOfRun
	linesOfRun = n
	return func() { linesOfRun = before }
}
