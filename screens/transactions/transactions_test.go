package transactions

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/screens/screentest"
)

// A page is read when the list is opened, and one more before each end of what was read is reached.
func TestTheListIsReadAsItIsLookedAt(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := browse80(t, l)
		c.Sees("Rows 1–", "of 100 read", "100 of 1,204 rows read at 00:00:00 · space reads all", "txn_0001").Golden("first")
		if c.Wait(time.Hour); fmt.Sprint(l.pages()) != "[1]" {
			t.Errorf("read pages %v while nothing happened", l.pages())
		}
		for n := 2; n <= 13; n++ {
			c.Press("end").Wait(time.Second).Sees("of " + present.Thousands(min(n*100, 1204)) + " read")
			if fmt.Sprint(l.pages()) != fmt.Sprint([]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}[:n]) {
				t.Errorf("read pages %v", l.pages())
			}
		}
		c.Press("end").Wait(time.Minute).Sees("txn_1204", "All 1,204 rows read at ").Golden("last")
		if l.count() != 13 {
			t.Errorf("read pages %v", l.pages())
		}
		c.Press("space").Wait(time.Minute).Sees("no change seen while it was read.")
	})
}

func TestARowIsReadBeforeItIsGoneTo(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := browse80(t, l)
		for _, zero := range []string{"0", "00", "-1", "x"} {
			c.Press("#").Type(zero).Press("enter").Sees("Enter a whole number").Press("esc")
		}
		c.Press("#").Type("1205").Press("enter").Sees("! The last row is 1,204").Golden("go-to")
		c.Press("backspace", "backspace", "backspace", "backspace").Type("730").Press("enter").Wait(time.Second)
		c.standsOn(t, "txn_0730")
		c.Sees("800 of 1,204 rows read").Press("enter").Sees(`"id": "txn_0730"`).Press("esc")
		l.respond(l.answer, 2*time.Second)
		c.Press("#").Type("1000").Press("enter").Wait(time.Second).Sees("To row 1,000: page 8 of 13").Wait(time.Minute)
		c.standsOn(t, "txn_1000")
		l.respond(listOf(500).answer, 0) // it has shrunk
		c.Press("#").Type("1204").Press("enter").Wait(time.Minute).Sees("txn_1100", "fewer pages", "1,100 rows read")
		c.Press("#").Type("1200").Press("enter").Sees("! The last row is 1,100")
	})
}

// What a service counts and does not give is not called all of the list, and a service that does not answer is not waited for in silence.
func TestWhatDoesNotComeIsSaid(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) {
			p := honestPage(900, page, per)
			p.Meta.PageCount = 2
			return p, nil
		}}
		c := browse80(t, l)
		c.Press("end").Wait(time.Second).Press("end").Wait(time.Second).Sees("▲ No page is left: 200 of 900 rows read").WaitsUntilGone("All 200")
		c.Press("#").Type("300").Press("enter").Sees("! The last row is 200").Press("esc")
		l.respond(listOf(900).answer, time.Minute)
		c.Press("r").Wait(5*time.Second).Sees("Reading the first page… · no answer for 5 s", "of 200 read")
		l.respond(func(int, int) (api.Page, error) { return api.Page{}, &api.Refusal{Kind: api.KindHTTP, HTTP: 401} }, 0)
		c.Wait(time.Minute).Press("r").Wait(time.Second).Sees("Stopped at page 1.", "are kept;", "txn_0001", "of 100 read")
	})
}

// standsOn checks that a row is the marked one.
func (c *console) standsOn(t *testing.T, id string) {
	t.Helper()
	if line := c.Marked(); !strings.Contains(line, id) && !(strings.HasPrefix(line, "▌") && c.Has(id)) {
		t.Errorf("%q is marked, want %s", line, id)
	}
}

func TestARowIsOpenedWithItsWholeObject(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, listOf(30))
		c.Press("down", "enter").Sees("5049 minor units", "50.49 NGN", "PENDING", `"id": "txn_0002"`).Golden("detail")
		c.Press("y").Sees("sent to your terminal's clipboard")
		if got := c.Copied(); got != "txn_0002" {
			t.Errorf("copied %q", got)
		}
		for i, want := range []string{
			"txn_0002, PENDING, 50.49 NGN", `{"id":"txn_0002","status":"PENDING","currency":"NGN","amount":5049}`,
			`{ "id": "txn_0002", "amount": 5049, "currency": "NGN", "status": "PENDING" }`,
		} {
			c.Press("Y").Sees("Copy this row", "txn_0002, PENDING, 50.49 NGN").Press(slices.Repeat([]string{"down"}, i)...).Press("enter").Sees("was sent")
			if got := c.Copied(); got != want {
				t.Errorf("copied %q", got)
			}
		}
		c.Sees("This ID may not be a payment reference").Press("l")
		c.Went(nav.Push{To: nav.Payment{Reference: "txn_0002", Ask: true}})
		c.Press("esc").Sees("All 30 rows read at ")
	})
}

func TestAnUnsafeIDIsNeitherCopiedNorChecked(t *testing.T) {
	for _, id := range []string{"", "a b", "x\x1b]52;c;eA==\x07", "../up", strings.Repeat("a", 65) + "/", "\u202eevil"} {
		inBubble(t, func(t *testing.T) {
			l := &fakeLister{answer: func(page, per int) (api.Page, error) {
				return api.Page{Rows: []api.Transaction{rowOf(id, 100, "GBP", "PENDING")}, HasMeta: true, Meta: api.Meta{Page: 1, PageCount: 1, Total: 1, PerPage: per}}, nil
			}}
			c := browse80(t, l)
			c.Press("p", "enter", "y", "l", "a").Went()
			if got := c.Copied(); got != "" {
				t.Errorf("%q: copied %q", id, got)
			}
		})
	}
}

func TestALargeAmountIsShownWholeOrNotAtAll(t *testing.T) {
	for _, minor := range []int64{1, 99_999_999, 999_999_999_999, 99_999_999_999_999, 1<<63 - 1, -1 << 63} {
		r := rowOf("x", minor, "GBP", "PENDING")
		got := strings.TrimSpace(report.AlignedAmount(r))
		if got != r.Amount.Grouped() && got != r.Amount.Major() && got != "see details" {
			t.Errorf("%d is shown as %q", minor, got)
		}
		if len(report.AlignedAmount(r)) > 14 {
			t.Errorf("%q is too wide", got)
		}
	}
}

func TestARowIsPinned(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(30)
		pinned := map[api.Reference]bool{"txn_0002": true}
		m := New(screentest.Theme, l, Options{Scans: listing.NewScanner(t.Context(), l), Pinned: func(r api.Reference) bool { return pinned[r] }})
		c := screentest.Open(t, m, 160, 24)
		c.Sees("p pin").Press("p").Went(nav.Pin{Payments: []api.Reference{"txn_0001"}})
		c.Press("down").Wait(time.Second).Sees("p unpin").Press("p").Went(nav.Pin{Payments: []api.Reference{"txn_0002"}, Remove: true})
		c.Press("enter", "p").Went(nav.Pin{Payments: []api.Reference{"txn_0002"}, Remove: true})
	})
}
