package reconcile_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/listing"
	"paydesk/api/money"
	"paydesk/screens/nav"
	"paydesk/screens/reconcile"
	"paydesk/screens/screentest"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // times are shown in the zone of the person looking
	os.Exit(m.Run())
}

func of(minor int64, code string) money.Amount {
	c, err := money.ParseCurrency(code)
	if err != nil {
		panic(err)
	}
	return money.Amount{Minor: minor, Currency: c}
}

// A world is a journal and a service's list.
type world struct {
	mu        sync.Mutex
	payments  []journal.PaymentRecord
	rows      []api.Row
	err       error // of the journal
	takes     time.Duration
	uncounted bool // the service does not say how many rows there are
	grow      int  // rows at the top of the list before each page
	reads     int  // of the journal
}

func (w *world) EachPayment(_ context.Context, each func([]journal.PaymentRecord) error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reads++
	if w.err != nil {
		return w.err
	}
	return each(w.payments)
}

func (w *world) Transactions(ctx context.Context, page, per int) (api.Page, error) {
	select {
	case <-time.After(w.takes):
	case <-ctx.Done():
		return api.Page{}, ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for range w.grow {
		w.rows = append([]api.Row{row(fmt.Sprint("new-", len(w.rows)), of(1, "JPY"), "PENDING")}, w.rows...)
	}
	n := len(w.rows)
	p := api.Page{HasMeta: true, Meta: api.Meta{Page: page, PageCount: (n + per - 1) / per, Total: n, PerPage: per}}
	if w.uncounted {
		p.HasMeta, p.Meta = false, api.Meta{}
	}
	p.Rows = w.rows[min((page-1)*per, n):min(page*per, n)]
	return p, nil
}

// change changes the world while a console looks at it.
func (w *world) change(do func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	do()
}

func row(id string, a money.Amount, status string) api.Row {
	return api.Row{ID: api.Clean(id), Amount: a, Known: true, Raw: api.Clean(a.MinorText()), Currency: api.Clean(a.Currency.Code()), Status: api.ParseStatus(status)}
}

// made is a payment that was accepted some minutes ago.
func made(id, ref string, a money.Amount, status string, ago int) journal.PaymentRecord {
	at := time.Now().Add(-time.Duration(ago) * time.Minute)
	return journal.PaymentRecord{
		ID: journal.ID(id), Kind: journal.Initiate, At: at, User: "ada", Amount: a, Channel: api.ChannelCard, Card: "4242",
		Reference: api.Reference(ref), Outcome: journal.Accepted, Status: api.ParseStatus(status), StatusAt: at,
	}
}

func lost(id string, a money.Amount, ago int) journal.PaymentRecord {
	p := made(id, "", a, "", ago)
	p.Outcome, p.Status, p.StatusAt = journal.Unresolved, api.Status{}, time.Time{}
	return p
}

const uuid = "5e62b1f0-0000-4000-8000-00000000000"

// shop has a payment of each kind, and a list with rows of others.
func shop() *world {
	w := &world{payments: []journal.PaymentRecord{
		made("agrees0001", uuid+"1", of(1250, "GBP"), "SUCCESSFUL", 10),
		made("differs001", uuid+"2", of(2000, "GBP"), "SUCCESSFUL", 20),
		made("differs002", uuid+"3", of(450, "GBP"), "SUCCESSFUL", 30),
		made("missing001", uuid+"4", of(119900, "GBP"), "SUCCESSFUL", 40),
		made("missing002", uuid+"5", of(800, "NGN"), "PENDING", 50),
		made("moved00001", uuid+"6", of(5000, "JPY"), "PENDING", 60),
		lost("lost000001", of(1250, "GBP"), 70), lost("lost000002", of(777, "GBP"), 80),
		made("later00001", uuid+"8", of(31, "GBP"), "PENDING", -1),
	}}
	w.rows = []api.Row{
		row(uuid+"1", of(1250, "GBP"), "SUCCESSFUL"), row(uuid+"2", of(2001, "GBP"), "SUCCESSFUL"), row(uuid+"3", of(450, "GBP"), "FAILED"),
		row(uuid+"6", of(5000, "JPY"), "SUCCESSFUL"), row("x1", of(119900, "GBP"), "SUCCESSFUL"), row("x2", of(119900, "GBP"), "FAILED"),
	}
	for i := range 120 {
		w.rows = append(w.rows, row(fmt.Sprintf("y%03d", i), of(1250, "GBP"), "SUCCESSFUL"))
	}
	own := lost("lost000003", of(90, "GBP"), 90)
	own.OwnReference = "ORDER17"
	w.payments = append(w.payments, own)
	w.rows = append(w.rows, row("ORDER17", of(90, "GBP"), "FAILED"))
	return w
}

// byAmount is the same shop where the IDs of the list are not references.
func byAmount() *world {
	w := shop()
	for i := range w.rows {
		w.rows[i].ID = api.Clean(fmt.Sprintf("txn-%03d", i))
	}
	return w
}

type console struct {
	*screentest.Console
	scans *listing.Scanner
}

// open opens the screen over a list that has been read, or not.
func open(t *testing.T, w *world, read bool, width, height int) *console {
	t.Helper()
	scans := listing.NewScanner(t.Context(), w)
	if read {
		scans.Start()
		synctest.Wait()
		time.Sleep(time.Minute)
	}
	return &console{screentest.Open(t, reconcile.New(screentest.Theme, reconcile.Options{
		Journal: w, Scans: scans, Folder: func() string { return t.TempDir() },
	}), width, height), scans}
}

func TestThePaymentsOfTheJournalAreComparedWithTheList(t *testing.T) {
	for name, size := range map[string][2]int{"": {80, 24}, "-small": {60, 18}, "-wide": {120, 40}} {
		synctest.Test(t, func(t *testing.T) {
			c := open(t, shop(), true, size[0], size[1])
			c.Wait(time.Second).Sees("1 agrees", "4 of 6 references are IDs in the list").Golden("reconcile" + name)
			c.Fits().HelpBarFits()
			c.Press("end").Wait(time.Second).Sees("5,000 JPY").Golden("reconcile-end" + name)
			c.Press("z").Sees("What was compared").Golden("about" + name)
			c.Fits().Press("z").Press("home", "enter").Went(nav.Push{To: nav.Attempt{ID: "differs001"}})
		})
		synctest.Test(t, func(t *testing.T) {
			c := open(t, byAmount(), true, size[0], size[1])
			c.Wait(time.Second).Golden("by-amount" + name)
			c.Fits()
		})
	}
}

func TestTheListIsReadFirstAndComparedAsSoonAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := shop()
		w.takes = time.Second
		c := open(t, w, false, 80, 24)
		c.Sees("Nothing of the service's list has been read yet.", "space  read all").Golden("nothing-read").Fits()
		c.Press("z").Sees("Nothing has been compared yet.").Press("r").Sees("has been read yet")
		c.Press("space").Sees("Reading the list", "space pause").Wait(1500 * time.Millisecond).Sees("page 1 of 2… compared when it is read")
		w.change(func() {
			if w.reads != 0 {
				t.Error("it compares before anything was read")
			}
		})
		c.Wait(time.Minute).Sees("127 rows, no change seen while it was read", "differs").SeesNot("Reading")
		c.Press("space").Sees("r in Transactions reads it again")
	})
}

func TestWhatWasNotReadIsNotCalledMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := shop()
		w.takes = time.Second
		c := open(t, w, false, 80, 24)
		c.Press("space").Wait(1500 * time.Millisecond).Press("space").Wait(time.Second)
		c.Sees("100 of 127 rows read", "2 not seen").SeesNot("missing ", "not in the list").Golden("not-read-whole")
		c.Press("z").Sees("What was read may not be the whole list").Press("z")
		c.Press("space").Wait(time.Minute).Sees("2 missing", "Missing: not in the list")
	})
	synctest.Test(t, func(t *testing.T) {
		w := shop()
		w.uncounted = true
		open(t, w, true, 80, 24).Wait(time.Second).Sees("127 rows, which may not be all", "2 not seen").SeesNot("changed", "2 missing")
	})
	synctest.Test(t, func(t *testing.T) {
		w := shop()
		w.grow = 1
		open(t, w, true, 80, 24).Wait(time.Second).Sees("rows, but the list changed while it was read", "2 not seen").SeesNot("2 missing")
	})
}

func TestTheComparisonFollowsTheJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := shop()
		c := open(t, w, true, 80, 24)
		c.Wait(time.Second).Press("down").Wait(time.Second).Sees("2 differ")
		w.change(func() { w.payments[1].Amount = of(2001, "GBP") })
		c.Press("r").Wait(time.Second).Sees("1 differs ·", "2 agree")
		if at := c.Marked(); !strings.Contains(at, "4.50 GBP") {
			t.Errorf("the mark is on %q", at)
		}
		w.change(func() { w.err = errors.New("disk on fire") })
		c.Press("r").Wait(time.Second).Sees("could not be read from the journal", "disk on fire", "1 differs ·")
		w.change(func() { w.err, w.payments = nil, w.payments[:1] })
		c.Press("r").Wait(time.Second).Sees("Each payment that was compared agrees", "1 agrees").Golden("agrees").Fits()
		w.change(func() { w.payments = nil })
		c.Press("r").Wait(time.Second).Sees("No payment was made from here")
	})
}

func TestAPaymentLeadsToWhereItIsDecided(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, shop(), true, 120, 40)
		c.Wait(time.Second).Press("s").Went(nav.Push{To: nav.Payment{Reference: uuid + "2"}})
		for key, want := range map[string]string{"y": "differs001", "Y": uuid + "2"} {
			if got := c.Press(key).Copied(); !strings.Contains(got, want) {
				t.Errorf("%s copied %q", key, got)
			}
		}
		c.Press("down", "down").Wait(time.Second).Sees("The reference that was sent with it is an ID", "in the list.")
		c.Press("s").Went(nav.Push{To: nav.Payment{Reference: "ORDER17"}})
		c.Press("down").Wait(time.Second).Sees("Its reference is no ID in the list, though 4", "One row could be it", "Could be it", "x1")
		c.Press("down", "down").Wait(time.Second).Sees("120 rows", "rows more").Golden("many-candidates")
		c.Press("s").Sees("No reference is known of it").Went()
		c.Press("Y").Sees("No reference is known of it")
	})
}

func TestTheComparisonIsWrittenToAFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		w := shop()
		scans := listing.NewScanner(t.Context(), w)
		scans.Start()
		time.Sleep(time.Minute)
		m := reconcile.New(screentest.Theme, reconcile.Options{Journal: w, Scans: scans, Folder: func() string { return dir }})
		c := screentest.Open(t, m, 80, 24)
		c.Wait(time.Second).Press("w").Wait(time.Second).Sees("Export 8 payments", "reconcile-").Fits().Press("ctrl+s").Wait(time.Second).Sees("8 payments were written to")
		files, _ := filepath.Glob(filepath.Join(dir, "paydesk-reconcile-*.csv"))
		if len(files) != 1 {
			t.Fatal(files)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\r\n")
		if want := "differs,differs001,"; len(lines) != 10 || !strings.HasPrefix(lines[1], want) || !strings.HasSuffix(lines[1], uuid+"2,SUCCESSFUL,GBP,2001,") {
			t.Errorf("%d lines: %s", len(lines), lines[1])
		}
		c.Press("w").Press("esc").Sees("Differ from the list")
	})
}

func TestWithoutAJournalThereIsNothingToCompare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := reconcile.New(screentest.Theme, reconcile.Options{Scans: listing.NewScanner(t.Context(), shop())})
		screentest.Open(t, m, 80, 24).Sees("The journal is off for this profile").Press("r", "enter", "space").Went().Fits()
	})
}

func TestAPaymentWithAMismatchIsNotShownAsASuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := shop()
		w.payments = w.payments[:1]
		w.payments[0].Differed, w.payments[0].Answered = api.AmountDiffers, of(1300, "GBP")
		c := open(t, w, true, 120, 40)
		c.Wait(time.Second).Sees("0 agree · 1 differs", "≠ SUCCESSFUL", "An answer of the service differed", "enter").SeesNot("✓")
	})
}
