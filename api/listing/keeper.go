package listing

import (
	"cmp"
	"context"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// A Step tells what a Keeper is doing with a scan.
type Step uint8

// The steps.
const (
	Nothing Step = iota // it has not reached its end, or nothing keeps it
	Keeping             // it is being kept
	Kept
	NotKept // see [Progress.Err]
)

// Progress describes what became of a scan that reached the end of the list.
type Progress struct {
	Step    Step
	Summary Summary // once it is Kept
	Err     error
}

// A Keeper keeps the scans of one connection in the background, one after the other. What goes wrong with it holds up nothing:
// [State.Kept] says it. It is safe for concurrent use.
type Keeper struct {
	*Mirror
	place func(context.Context) ledger.Destination
}

// NewKeeper keeps what a scanner will read, until that ends. place returns where the list is read.
func NewKeeper(m *Mirror, scans *Scanner, place func(context.Context) ledger.Destination) *Keeper {
	scans.keeper = &Keeper{m, place}
	return scans.keeper
}

// expect prepares a scan that begins for being kept. It notes where that is read, since the key may be replaced before it ends.
func (k *Keeper) expect(ctx context.Context, sc *scan) {
	sc.now.Rows.parts, sc.place = &parts{}, make(chan ledger.Destination, 1)
	go func() { sc.place <- k.place(ctx) }()
}

// mostKeepTries limits how often a scan is tried while another console holds the lock.
const mostKeepTries = 12

// keepScan keeps a scan that reached its end in a state, and returns what became of it. Between its tries others may write to the file.
func (k *Keeper) keepScan(ctx context.Context, sc *scan, st State) (p Progress) {
	defer func() {
		if recover() != nil { // a panic here would end the console
			p = Progress{Step: NotKept, Err: &statefile.Unavailable{Why: "The saved list could not be written."}}
		}
	}()
	place := <-sc.place
	if place.Fingerprint == "" { // it may be known now
		place = k.place(ctx)
	}
	p.Step = Kept
	for range mostKeepTries {
		aside := p.Summary.SetAside
		p.Summary, p.Err = k.keep(ctx, place, st)
		p.Summary.SetAside = cmp.Or(p.Summary.SetAside, aside)
		if statefile.CauseOf(p.Err) != statefile.Locked {
			break
		}
	}
	if p.Err != nil {
		p.Step = NotKept
	}
	return p
}

// Compare is [Mirror.Compare] of this connection's service.
func (k *Keeper) Compare(ctx context.Context, asked string, rows *Rows) (*Rows, History, error) {
	return k.Mirror.Compare(ctx, k.place(ctx), asked, rows)
}

// Forget is [Mirror.Forget] of this connection's service.
func (k *Keeper) Forget(ctx context.Context) error { return k.Mirror.Forget(ctx, k.place(ctx)) }
