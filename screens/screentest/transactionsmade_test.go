package screentest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/screentest"
	"paydesk/screens/transactions"
)

// A madeJournal has some payments.
type madeJournal struct {
	mu    sync.Mutex
	has   map[api.Reference]ledger.Attempt
	reads int
}

func (j *madeJournal) payment(_ context.Context, r api.Reference) (ledger.Attempt, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.reads++
	a, is := j.has[r]
	if !is {
		return a, ledger.ErrNotFound
	}
	return a, nil
}

func (j *madeJournal) count() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.reads
}

// madeAttempt made the payment of a row of the list.
func madeAttempt(id string, i int, status string) ledger.Attempt {
	made := row(i)
	return ledger.Attempt{
		ID: ledger.ID(id), Kind: ledger.Initiate, At: time.Now().Add(-time.Hour), By: ledger.Operator{User: "ada"}, Outcome: ledger.Accepted,
		Amount: made.Amount, Reference: api.Reference(made.ID.Line(0)), Status: api.ParseStatus(status), StatusAt: time.Now().Add(-time.Hour),
	}
}

func madeHere() *madeJournal {
	differs := madeAttempt("differs001", 1, "PENDING")
	differs.Amount.Minor++
	return &madeJournal{has: map[api.Reference]ledger.Attempt{
		"txn_0001": madeAttempt("agrees0001", 0, "SUCCESSFUL"), "txn_0002": differs, "txn_0003": madeAttempt("moved00001", 2, "PENDING"),
	}}
}

func TestTheRowOfAPaymentMadeFromHereNamesItsAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, j := listOf(1204), madeHere()
		c := screentest.Open(t, transactions.New(screentest.Theme, l, transactions.Options{Scans: listing.NewScanner(t.Context(), l), Made: j.payment}), 80, 24)
		c.Wait(time.Second).Sees("* raw minor units · attempt agrees0001: agrees").Golden("transactions/made-agrees").Fits()
		c.Press("down").Wait(time.Second).Sees("differs001", "differs").Golden("transactions/made-differs")
		c.Press("down").Wait(time.Second).Sees("moved00001")
		c.Press("down").Wait(time.Second).WaitsUntilGone("moved00001", "In this console")
		n := j.count()
		if c.Press("down", "down", "down", "down").Wait(time.Second); j.count() != n+1 {
			t.Errorf("%d rows were looked up after four moves", j.count()-n)
		}
		c.Press("home").Wait(time.Second).Press("enter").Sees("In this console", "agrees0001", "Amount and status agree.").Golden("transactions/made-detail").Fits()
		c.Press("esc", "space").Wait(time.Minute).Sees("agrees0001")
	})
}

func TestASuccessThatDiffersFromItsAttemptIsNotPaintedAsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := madeAttempt("differs001", 0, "SUCCESSFUL")
		a.Amount.Minor = 999
		l, j := listOf(1204), &madeJournal{has: map[api.Reference]ledger.Attempt{"txn_0001": a}}
		c := screentest.Open(t, transactions.New(screentest.Theme, l, transactions.Options{Scans: listing.NewScanner(t.Context(), l), Made: j.payment}), 120, 40)
		c.Wait(time.Second).Sees("▐≠ SUCCESSFUL▌", "It differs: requested 9.99 GBP").Press("enter").Sees("▐≠ SUCCESSFUL▌")
	})
}

// What an answer differed about is never among what was paid, whatever its status in the list, and what cannot be summed is counted apart.
func TestTotalsSumOnlyWhatWasPaidAndCanBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) {
			p := honestPage(5, page, per)
			for i := range 3 {
				p.Rows[i] = rowOf(fmt.Sprintf("txn_%04d", i+1), 1000, "GBP", "SUCCESSFUL")
			}
			p.Rows[3] = rowOf("b", 1000, "XQX", "FAILED")
			p.Rows[4] = api.Transaction{ID: api.Clean("c"), Raw: api.Clean("12.5"), Currency: api.Clean("GBP"), Status: api.ParseStatus("\x1b[32mSUCCESSFUL, or so")}
			return p, nil
		}, differing: map[api.Reference]ledger.Mismatch{"txn_0002": {}}, looks: time.Second}
		c := browse(t, l)
		c.Wait(2*time.Second).Press("t", "right").Wait(2*time.Second).Sees(`"XQX"`, "not summed", "GBP")
		c.Press("right").Sees("SUCCESSFUL", "2", "20.00", "≠ MISMATCH", "1", "10.00", "All GBP", "30.00", "1 row without an amount that can be read: not in the sums.")
		c.Resize(46, 24).Sees("100.0 %          30.00") // a long word leaves room for the sums
		c.Press("esc").WaitsUntilGone("Totals of").Resize(118, 60).Wait(time.Minute)
		if n := strings.Count(c.Screen(), "  1  █"); n != 3 { // FAILED, MISMATCH, and a long word
			t.Errorf("%d bars are whole on\n%s", n, c.Screen())
		}
		c = browse(t, listOf(1204))
		c.Wait(time.Second).Resize(118, 60)
		c.Wait(time.Minute).Sees("Rows 1–55", "✓ SUCCESSFUL       67").Press("t").Sees("Totals of").Press("esc").WaitsUntilGone("Totals of")
		browse(t, listOf(0)).Wait(time.Second).Resize(118, 60).Press("t").Sees("No rows are listed.")
	})
}

func TestNoSuccessIsShownWhileTheJournalCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listOf(1204)
		l.breakJournal(errors.New("disk I/O error"))
		c := scanning(t, l, 80, 24)
		c.Sees("? SUCCESSFUL", "The journal could not be read").WaitsUntilGone("✓ ").Fits()
		l.breakJournal(nil)
		c.Press("r").Wait(time.Minute).Sees("✓ SUCCESSFUL").WaitsUntilGone("journal", "? SUCCESSFUL")
		l.breakJournal(errors.New("disk I/O error"))
		c.Press("r").Wait(time.Minute).Sees("? SUCCESSFUL", "The journal could not be read").WaitsUntilGone("✓ ")
	})
}

// A payment about which an answer differed is no success in a file either, though the list says so.
func TestAFileDoesNotCallAMismatchASuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listOf(300)
		l.differing = map[api.Reference]ledger.Mismatch{"txn_0002": {}, "txn_0004": {}}
		c := scanning(t, l, 100, 30)
		c.Press("w").Fill("Folder", c.folder).Press("ctrl+s").Sees("rows were written to")
		text := screentest.OnlyFile(t, c.folder, "paydesk-transactions-partial-*.csv")
		for _, row := range []string{"\r\n2,txn_0002,", "\r\n4,txn_0004,"} {
			_, rest, is := strings.Cut(text, row)
			if line, _, _ := strings.Cut(rest, "\r\n"); !is || !strings.Contains(line, ",MISMATCH,") {
				t.Errorf("%q is %q", row, line)
			}
		}
		if strings.Count(text, "MISMATCH") != 2 {
			t.Errorf("the file is\n%s", text)
		}
	})
}

// A list that changed, or was not read to its end, says so in the name of the file and below the list.
func TestAFileOfAListThatIsNotWholeSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listOf(1204)
		c := scanning(t, l, 80, 24)
		l.respond(l.answer, time.Second)
		c.Press("space").Wait(2500 * time.Millisecond).Press("space").Wait(time.Minute).Sees("paused at row ")
		c.Press("w").Sees("read so far", "-partial-2000", "The list was not read to its end: ", "of 1,204 rows are missing.").WaitsUntilGone("all ")
		c.Fill("Folder", c.folder).Press("ctrl+s").Wait(time.Second).Sees("were written to", "The list was not read to its end")
		screentest.OnlyFile(t, c.folder, "paydesk-transactions-partial-2000*.csv")
	})
	synctest.Test(t, func(t *testing.T) {
		c := scanning(t, growing(1204), 80, 24)
		c.Press("space").Wait(time.Minute).Sees("changed while it was read").Press("w").Sees("-partial-2000", "The list changed while it was read: rows may be")
		c.Fill("Folder", c.folder).Press("ctrl+s").Wait(time.Second).Sees("were written to", "▲ The list changed while it was read")
		screentest.OnlyFile(t, c.folder, "paydesk-transactions-partial-2000*.csv")
	})
}

// A card number that the service sends as an ID goes to no clipboard.
func TestNothingCopiedHoldsACardNumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) {
			r := rowOf("4111111111111111", 100, "GBP", "FAILED")
			r.Object = api.Clean(`{"id":"4111111111111111"}`)
			return api.Page{Rows: []api.Transaction{r}, HasMeta: true, Meta: api.Meta{Page: 1, PageCount: 1, Total: 1, PerPage: per}}, nil
		}}
		c := scanning(t, l, 80, 24)
		for _, keys := range [][]string{{"y"}, {"Y", "enter"}, {"Y", "down", "enter"}, {"Y", "down", "down", "enter"}} {
			if c.Press(keys...); strings.Contains(c.Copied(), "4111") {
				t.Errorf("%v copied %q", keys, c.Copied())
			}
		}
		c.Press("y").Sees("looks like a card number")
	})
}
