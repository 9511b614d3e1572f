package changes

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/screentest"
)

// A ledger knows about which payments an answer differed.
type ledger struct {
	mu      sync.Mutex
	differs map[api.Reference]journal.Mismatch
	err     error
}

func (l *ledger) set(differs map[api.Reference]journal.Mismatch, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.differs, l.err = differs, err
}

func (l *ledger) Differing(context.Context) (all []api.Reference, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for r := range l.differs {
		all = append(all, r)
	}
	return all, l.err
}

func (l *ledger) Mismatches(_ context.Context, asked []api.Reference) (map[api.Reference]journal.Mismatch, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := map[api.Reference]journal.Mismatch{}
	for _, r := range asked {
		if m := l.differs[r]; !m.IsZero() {
			all[r] = m
		}
	}
	return all, l.err
}

func amountDiffers(i int) map[api.Reference]journal.Mismatch {
	return map[api.Reference]journal.Mismatch{api.Reference(row(i, "", "GBP").ID.Line(0)): {Difference: api.Difference{What: api.AmountDiffers}}}
}

// The list says SUCCESSFUL for a payment whose answer had another amount: it is no success here either.
func TestAPaymentThatDiffersIsNoSuccessAmongTheChanges(t *testing.T) {
	for _, size := range sizes {
		synctest.Test(t, func(t *testing.T) {
			d, l := newDesk(t), &ledger{differs: amountDiffers(1)}
			time.Sleep(9 * time.Hour)
			d.keep(true, rows(0, 4, pending)...)
			time.Sleep(time.Hour)
			d.keep(true, rows(0, 4, func(int) string { return "SUCCESSFUL" })...)
			m := New(screentest.Theme, Options{Memory: d, Journal: l})
			c := screentest.Open(t, m, size.w, size.h)
			c.Sees("moved", "SUCCESSFUL").SeesNot("✓ ")
			c.Press("enter").Sees("✓ SUCCESSFUL", "≠ ").Golden("differs" + size.name).Fits()
			c.Press("down").Wait(time.Second).Sees("A status check differs").Fits()
			l.set(nil, errors.New("disk I/O error"))
			c.Press("esc").Press("enter").Sees("? SUCCESSFUL", "The journal could not be read").SeesNot("✓ ").Fits()
			c.Leave()
		})
	}
}

func TestASuccessThatIsGoneIsNotPaintedAsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		time.Sleep(9 * time.Hour)
		d.keep(true, rows(0, 4, func(int) string { return "SUCCESSFUL" })...)
		time.Sleep(time.Hour)
		d.keep(true, rows(2, 4, func(int) string { return "SUCCESSFUL" })...)
		c := screentest.Open(t, New(screentest.Theme, Options{Memory: d}), 80, 24)
		if c.Sees("gone", "SUCCESSFUL").SeesNot("✓ "); c.Green() > 0 {
			t.Errorf("%d cells are in the colour of success", c.Green())
		}
		if c.Press("enter").Sees("Gone: SUCCESSFUL").SeesNot("✓ "); c.Green() > 0 {
			t.Errorf("%d cells of the rows are in the colour of success", c.Green())
		}
		c.Leave()
	})
}
