package listing

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// A Step is what is being done with the last scan.
type Step uint8

// The steps.
const (
	Nothing Step = iota // no scan has reached its end
	Keeping             // it is being kept
	Held                // a payment is being sent, which goes first
	Kept
	NotKept // see [Progress.Err]
)

// Progress describes what became of the last scan that reached the end of the list.
type Progress struct {
	N       int   // changes with the progress: see [Keeper.Changed]
	Rows    *Rows // the rows of that scan
	Step    Step
	Summary Summary // once it is Kept
	Err     error
}

// A Keeper keeps the scans of one connection in the background, one after the other, and never while a
// payment is being sent. What goes wrong with it holds up nothing: [Keeper.Progress] says it. It is safe for
// concurrent use.
type Keeper struct {
	*Mirror
	scans    *Scanner
	place    func(context.Context) ledger.Destination
	payments Sender

	mu      sync.Mutex
	changed chan struct{} // closed with the next change
	now     Progress
}

// A Sender sends payments.
type Sender interface {
	Sending() bool               // whether one is being sent
	Quiet(context.Context) error // returns once none is
}

// NewKeeper keeps the scans of a scanner until ctx ends. place is where the list is read.
func NewKeeper(ctx context.Context, m *Mirror, scans *Scanner, place func(context.Context) ledger.Destination, p Sender) *Keeper {
	k := &Keeper{Mirror: m, scans: scans, place: place, payments: p, changed: make(chan struct{})}
	go k.follow(ctx)
	return k
}

// Place returns where the list is read. It may read the journal.
func (k *Keeper) Place(ctx context.Context) ledger.Destination { return k.place(ctx) }

// Progress returns what became of the last scan.
func (k *Keeper) Progress() Progress {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.now
}

// Changed returns the progress once it is another than that with the number since.
func (k *Keeper) Changed(ctx context.Context, since int) (Progress, error) {
	for {
		k.mu.Lock()
		now, changed := k.now, k.changed
		k.mu.Unlock()
		if now.N != since {
			return now, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return now, ctx.Err()
		}
	}
}

func (k *Keeper) show(p Progress) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p.N = k.now.N + 1
	k.now = p
	close(k.changed)
	k.changed = make(chan struct{})
}

// An ended scan reached the end of the list.
type ended struct {
	State
	place ledger.Destination // where it was read
}

// follow notes where each scan is read when it begins, since the key may be replaced before the scan is kept,
// and has it kept once it ended.
func (k *Keeper) follow(ctx context.Context) {
	next := make(chan ended, 1)
	go k.keepEach(ctx, next)
	var rows, last *Rows
	var place ledger.Destination
	for since := -1; ; {
		s, err := k.scans.Changed(ctx, since)
		if err != nil {
			return
		}
		since = s.N
		done := s.Phase == Done && s.Rows != last
		if s.Rows != rows && s.Phase != Idle || done && place.Fingerprint == "" {
			rows, place = s.Rows, k.place(ctx)
		}
		if !done {
			continue
		}
		last = s.Rows
		select { // a scan that still waits to be kept makes way for a newer one
		case <-next:
		default:
		}
		next <- ended{s, place}
	}
}

func (k *Keeper) keepEach(ctx context.Context, next <-chan ended) {
	for {
		select {
		case s := <-next:
			k.keepScan(ctx, s)
		case <-ctx.Done():
			return
		}
	}
}

func (k *Keeper) keepScan(ctx context.Context, s ended) {
	defer func() {
		if recover() != nil { // a panic here would end the console
			k.show(Progress{Rows: s.Rows, Step: NotKept, Err: &statefile.Unavailable{Why: "The mirror could not be written."}})
		}
	}()
	k.show(Progress{Rows: s.Rows, Step: Keeping})
	sum, err := k.keepQuietly(ctx, s)
	if err != nil {
		k.show(Progress{Rows: s.Rows, Step: NotKept, Err: k.unavailable(err)})
		return
	}
	k.show(Progress{Rows: s.Rows, Step: Kept, Summary: sum})
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
func (k *Keeper) keepQuietly(ctx context.Context, s ended) (sum Summary, err error) {
	aside := ""
	for tries := 1; ; {
		if err := k.wait(ctx, s.Rows); err != nil {
			return sum, err
		}
		sum, err = k.keep(ctx, s.place, s.State, k.waitBriefly)
		if aside = cmp.Or(sum.SetAside, aside); aside != "" {
			sum.SetAside = aside
		}
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

// wait returns once nothing is being sent.
func (k *Keeper) wait(ctx context.Context, rows *Rows) error {
	if !k.payments.Sending() {
		return ctx.Err()
	}
	k.show(Progress{Rows: rows, Step: Held})
	if err := k.payments.Quiet(ctx); err != nil {
		return err
	}
	k.show(Progress{Rows: rows, Step: Keeping})
	return nil
}

// Compare is [Mirror.Compare] of this connection's service.
func (k *Keeper) Compare(ctx context.Context, asked string, rows *Rows) (*Rows, History, error) {
	return k.Mirror.Compare(ctx, k.place(ctx), asked, rows)
}

// Forget is [Mirror.Forget] of this connection's service.
func (k *Keeper) Forget(ctx context.Context) error { return k.Mirror.Forget(ctx, k.place(ctx)) }
