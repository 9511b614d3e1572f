package listing

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// A Step tells what a Keeper is doing with a scan.
type Step uint8

// The steps.
const (
	Nothing Step = iota // it has not reached its end, or nothing keeps it
	Keeping             // it is being kept
	Held                // a payment is being sent, which goes first
	Kept
	NotKept // see [Progress.Err]
)

// Progress describes what became of a scan that reached the end of the list.
type Progress struct {
	Step    Step
	Summary Summary // once it is Kept
	Err     error
}

// A Keeper keeps the scans of one connection in the background, one after the other, and never while a
// payment is being sent. What goes wrong with it holds up nothing: [State.Kept] says it. It is safe for
// concurrent use.
type Keeper struct {
	*Mirror
	place    func(context.Context) ledger.Destination
	payments Sender

	turn   chan struct{}        // holds a token while a scan is kept
	newest atomic.Pointer[scan] // that reached its end
}

// A Sender sends payments.
type Sender interface {
	Sending() bool               // reports whether one is being sent
	Quiet(context.Context) error // returns once none is
}

// NewKeeper keeps what a scanner will read, until that ends. place returns where the list is read.
func NewKeeper(m *Mirror, scans *Scanner, place func(context.Context) ledger.Destination, p Sender) *Keeper {
	k := &Keeper{Mirror: m, place: place, payments: p, turn: make(chan struct{}, 1)}
	scans.keeper = k
	return k
}

// expect prepares a scan that begins for being kept. It notes where that is read, since the key may be replaced before it ends.
func (k *Keeper) expect(ctx context.Context, sc *scan) {
	sc.now.Rows.parts, sc.place = &parts{}, make(chan ledger.Destination, 1)
	go func() { sc.place <- k.place(ctx) }()
}

// keepScan keeps a scan that reached its end in a state, once those before it are kept, and tells what becomes of it. One that still
// waits makes way for a newer one.
func (k *Keeper) keepScan(ctx context.Context, sc *scan, st State, tell func(Progress)) {
	place := <-sc.place // known before the scan is reported as held, because the key may be replaced from then on
	if k.payments.Sending() {
		tell(Progress{Step: Held})
	}
	select {
	case k.turn <- struct{}{}:
	case <-ctx.Done():
		return
	}
	defer func() {
		k.newest.CompareAndSwap(sc, nil) // its rows may be dropped
		<-k.turn
	}()
	if ctx.Err() != nil || k.newest.Load() != sc {
		return
	}
	defer func() {
		if recover() != nil { // a panic here would end the console
			tell(Progress{Step: NotKept, Err: &statefile.Unavailable{Why: "The saved list could not be written."}})
		}
	}()
	if place.Fingerprint == "" { // it may be known now
		place = k.place(ctx)
	}
	sum, err := k.keepQuietly(ctx, place, st, tell)
	if err != nil {
		tell(Progress{Step: NotKept, Err: k.unavailable(err)})
		return
	}
	tell(Progress{Step: Kept, Summary: sum})
	for settled := sum.settled; !settled && err == nil; {
		if err = k.payments.Quiet(ctx); err == nil {
			settled, err = k.settleLater(ctx, k.waitBriefly) // an error of it shows with the next scan
		}
	}
}

// mostKeepTries are the times that a scan waits for the lock of another console.
const mostKeepTries = 12

// keepQuietly keeps a scan while nothing is being sent, and begins again when that takes more than a moment:
// while it waits it holds no lock, so that other consoles and screens go on.
func (k *Keeper) keepQuietly(ctx context.Context, place ledger.Destination, st State, tell func(Progress)) (sum Summary, err error) {
	aside := ""
	for tries := 1; ; {
		if k.payments.Sending() {
			tell(Progress{Step: Held})
			if err := k.payments.Quiet(ctx); err != nil {
				return sum, err
			}
		}
		tell(Progress{Step: Keeping})
		sum, err = k.keep(ctx, place, st, k.waitBriefly)
		aside = cmp.Or(sum.SetAside, aside)
		sum.SetAside = aside
		switch {
		case errors.Is(err, errBusy):
		case statefile.CauseOf(err) == statefile.Locked && tries < mostKeepTries:
			tries++
		default:
			return sum, err
		}
	}
}

// moment sets how long a payment is waited for while the file is locked.
const moment = 200 * time.Millisecond

// waitBriefly returns once nothing is being sent; [errBusy] when that takes more than a moment.
func (k *Keeper) waitBriefly(ctx context.Context) error {
	if !k.payments.Sending() {
		return ctx.Err()
	}
	brief, stop := context.WithTimeout(ctx, moment)
	defer stop()
	if k.payments.Quiet(brief) != nil && ctx.Err() == nil {
		return errBusy
	}
	return ctx.Err()
}

// Compare is [Mirror.Compare] of this connection's service.
func (k *Keeper) Compare(ctx context.Context, asked string, rows *Rows) (*Rows, History, error) {
	return k.Mirror.Compare(ctx, k.place(ctx), asked, rows)
}

// Forget is [Mirror.Forget] of this connection's service.
func (k *Keeper) Forget(ctx context.Context) error { return k.Mirror.Forget(ctx, k.place(ctx)) }
