package changes

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/listing"
	"paydesk/api/mirror"
	"paydesk/api/money"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

// shop is where the lists of these tests are read.
var shop = journal.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example", Fingerprint: "key one"}

// A desk is a mirror in memory, as the screen of one connection sees it.
type desk struct {
	*mirror.Mirror
	t testing.TB

	mu      sync.Mutex
	now     mirror.Progress
	changed chan struct{}
	fails   error
}

func newDesk(t testing.TB) *desk {
	d := &desk{Mirror: mirror.New(mirror.Options{}), t: t, changed: make(chan struct{})}
	t.Cleanup(d.Mirror.Close)
	return d
}

func (d *desk) Since(ctx context.Context, at time.Time) (mirror.History, error) {
	d.mu.Lock()
	err := d.fails
	d.mu.Unlock()
	if err != nil {
		return mirror.History{}, err
	}
	return d.Mirror.Since(ctx, shop, at)
}

func (d *desk) Forget(ctx context.Context) error { return d.Mirror.Forget(ctx, shop) }

func (d *desk) Changed(ctx context.Context, since int) (mirror.Progress, error) {
	for {
		d.mu.Lock()
		now, changed := d.now, d.changed
		d.mu.Unlock()
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

// fail makes reading fail from now on.
func (d *desk) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fails = err
}

// keep keeps a list that was read just now, in a minute.
func (d *desk) keep(trusted bool, rows ...api.Row) {
	d.t.Helper()
	now := time.Now()
	sum, err := d.Mirror.Keep(d.t.Context(), shop, listing.State{
		Phase: listing.Done, Rows: listing.Of(rows...), Began: now.Add(-time.Minute), Ended: now, Verdict: listing.Verdict{Trusted: trusted},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = mirror.Progress{N: d.now.N + 1, Step: mirror.Kept, Summary: sum, At: now}
	close(d.changed)
	d.changed = make(chan struct{})
}

// row is one of the list.
func row(i int, status, code string) api.Row {
	c, err := money.ParseCurrency(code)
	minor := int64(i)*4999 + 50
	return api.Row{
		ID: api.Clean(fmt.Sprintf("5e62a1b0-0000-4000-8000-%012d", i)), Amount: money.Amount{Minor: minor, Currency: c}, Known: err == nil,
		Raw: api.Clean(fmt.Sprint(minor)), Currency: api.Clean(code), Status: api.ParseStatus(status),
	}
}

// rows are some of the list, in the status that f gives each.
func rows(from, to int, f func(i int) string) (all []api.Row) {
	for i := from; i < to; i++ {
		all = append(all, row(i, f(i), []string{"GBP", "NGN", "JPY", "XQX"}[i%4]))
	}
	return all
}

func pending(int) string { return "PENDING" }

// settled are statuses to which a list has moved.
func settled(i int) string {
	return []string{"SUCCESSFUL", "FAILED", "PENDING", "SUCCESSFUL", "OnHold", "SUCCESSFUL"}[i%6]
}

// open shows the screen.
func open(t *testing.T, d *desk, w, h int, story func(*screentest.Console)) {
	t.Helper()
	c := screentest.Open(t, New(screentest.Theme, Options{Memory: d}), w, h)
	story(c)
	c.Leave()
}

var sizes = []struct {
	name string
	w, h int
}{{"", 80, 24}, {"-small", 60, 18}, {"-wide", 120, 40}}

func TestWhatChangedSinceTheScanBefore(t *testing.T) {
	for _, size := range sizes {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk(t)
			time.Sleep(9*time.Hour + 10*time.Minute)
			d.keep(true, rows(0, 40, pending)...)
			time.Sleep(5 * time.Hour)
			d.keep(true, append(rows(3, 40, settled), row(900, "INITIATED", "GBP"), row(901, "INITIATED", "KWD"))...)
			open(t, d, size.w, size.h, func(c *screentest.Console) {
				c.Sees("the scan before", "moved", "PENDING", "SUCCESSFUL", "new", "gone").Golden("groups" + size.name).Fits()
				c.Press("down").Press("enter").Wait(time.Second).Golden("rows" + size.name).Fits()
				c.Press("/").Type("ngn").Wait(time.Second).Golden("filtered" + size.name).Fits()
			})
		})
	}
}

func TestEachRowIsListedWithWhenItWasSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		time.Sleep(9 * time.Hour)
		d.keep(true, rows(0, 3, pending)...)
		time.Sleep(time.Hour)
		odd := row(2, "PENDING", "JPY")
		odd.Amount.Minor = 77
		d.keep(true, row(0, "SUCCESSFUL", "GBP"), odd)
		open(t, d, 120, 40, func(c *screentest.Console) {
			c.Press("enter").Sees("Moved: PENDING to SUCCESSFUL · 1 row", "between 08:59:00 and", "PENDING · 0.50 GBP", "SUCCESSFUL · 0.50 GBP")
			c.Press("esc").Press("down").Press("enter").Sees("Another amount", "10,048 JPY", "77 JPY")
			c.Press("esc").Press("down").Press("enter").Sees("Gone: PENDING", "not in the list")
			c.Press("y").Sees("ID")
			c.Press("l").Went(nav.Open(nav.Payment{Reference: "5e62a1b0-0000-4000-8000-000000000001"})())
		})
	})
}

func TestSinceATimeThatIsTyped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		statuses := []string{"INITIATED", "PENDING", "SUCCESSFUL"}
		time.Sleep(8 * time.Hour)
		for i := range 3 {
			time.Sleep(time.Hour)
			d.keep(true, row(1, statuses[i], "GBP"))
		}
		time.Sleep(time.Hour)
		open(t, d, 80, 24, func(c *screentest.Console) {
			c.Sees("PENDING", "SUCCESSFUL").SeesNot("INITIATED")
			c.Press("tab", "right").Sees("‹today›", "INITIATED", "SUCCESSFUL", "with 1 scan in between", "goes back to 09:00:00 only")
			c.Press("right").Sees("‹7 days›", "INITIATED")
			c.Press("right").Sees("Since").SeesNot("moved", "SUCCESSFUL").Type("25:00").Press("enter").Sees("Enter a time such as 09:30").SeesNot("SUCCESSFUL")
			c.Golden("typing").Fits()
			c.Press("ctrl+u").Type("23:00").Press("enter").Sees("has not come yet").SeesNot("SUCCESSFUL")
			c.Press("esc").Sees("‹7 days›", "INITIATED").Press("right").Sees("Since")
			c.Press("ctrl+u").Type("10:30").Press("enter").Sees("a time", "PENDING", "SUCCESSFUL").SeesNot("INITIATED", "goes back")
			c.Press("tab", "left", "left").Sees("‹today›").Press("enter", "esc").Went(nav.Back{})
		})
	})
}

func TestWhatCannotBeKnownIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		c := screentest.Open(t, New(screentest.Theme, Options{Memory: d}), 80, 24)
		c.Sees("Nothing is kept of this service's list yet.").Golden("nothing").Fits()
		d.keep(true, rows(0, 1204, pending)...)
		c.Wait(time.Second).Sees("1,204 rows were kept at 00:00:00.").Golden("first").Fits()
		time.Sleep(time.Hour)
		d.keep(false, rows(4, 1204, pending)...)
		c.Wait(time.Second).Sees("Nothing changed among the 1,200 rows read.", "The last scan read 1,200 rows of the 1,204 that are kept", "1 scan may be incomplete").Golden("doubtful").Fits()
		c.Press("x").Sees("1,204 rows of the list").Press("n")
		d.fail(&mirror.Unavailable{Why: "The mirror is damaged. (/home/ada/mirror.db)"})
		c.Press("r").Sees("The mirror is damaged.", "Press r to retry.")
		d.fail(nil)
		c.Press("r").Sees("Nothing changed")
		c.Leave()
	})
}

func TestWhereNothingIsKeptItSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := screentest.Open(t, New(screentest.Theme, Options{Off: "Nothing is remembered of the list, because the mirror of this profile is off: mirror = \"off\"."}), 80, 24)
		c.Sees("mirror = \"off\"").SeesNot("reload", "remove").Golden("off").Fits()
		c.Press("r").Press("x").Press("enter").Press("tab").Press("esc").Went(nav.Back{})
		c.Leave()
	})
}

func TestWhatIsKeptIsRemovedOnceThatWasConfirmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		d.keep(true, rows(0, 1204, pending)...)
		time.Sleep(time.Hour)
		d.keep(true, rows(0, 1204, settled)...)
		open(t, d, 80, 24, func(c *screentest.Console) {
			c.Press("x").Wait(time.Second).Sees("Remove what the mirror has of this service?", "1,204 rows").Golden("remove").Fits()
			c.Press("n").Wait(time.Second).Sees("moved")
			c.Press("x").Wait(time.Second).Press("y").Wait(time.Second).Sees("Removed.", "Nothing is kept of this service's list yet.")
		})
		all, err := d.Scans(t.Context(), shop)
		if err != nil || len(all) != 0 {
			t.Errorf("%v: %+v", err, all)
		}
	})
}

func TestAScanThatIsKeptWhileAGroupIsOpenIsShownOnceItIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		d.keep(true, rows(0, 4, pending)...)
		time.Sleep(time.Hour)
		d.keep(true, rows(0, 5, pending)...)
		open(t, d, 80, 24, func(c *screentest.Console) {
			c.Sees("1 new").Press("enter").Sees("New: PENDING")
			time.Sleep(time.Hour)
			d.keep(true, rows(0, 12, pending)...)
			c.Wait(time.Second).Sees("New: PENDING · 1 row")
			c.Press("esc").Sees("7 new", "01:00:00").SeesNot("1 new")
		})
	})
}

func TestRowsThatTheFirstScanMayHaveMissedAreNotSimplyNew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		time.Sleep(9 * time.Hour)
		d.keep(false, rows(0, 4, pending)...)
		time.Sleep(time.Hour)
		d.keep(true, rows(0, 7, pending)...)
		open(t, d, 80, 24, func(c *screentest.Console) {
			c.Sees("3 new", "The scan of 09:00:00 may have missed rows").SeesNot("what changed did so between").Fits()
		})
	})
}
