package activity

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/nav"
)

func TestEveryAttemptIsListedNewestFirst(t *testing.T) {
	open(t, 80, 24, rows(1204), func(d *screen) {
		d.Sees("1,204 attempts of this service", " · as of 12:00:00", "this service", "operator", "0.50 GBP", "UNRESOLVED", "✓ SUCCESSFUL").Golden("list")
		d.HelpBarFits().Fits().Idle(time.Hour)
	})
}

func TestAPaymentIsPinnedFromTheList(t *testing.T) {
	open(t, 120, 40, rows(30), func(d *screen) {
		d.Wait(time.Second).Sees("p pin").Press("p").Went(nav.Pin{Payments: []api.Reference{"ref-000000"}})
		d.Press("down").Wait(time.Second).Sees("p unpin").Press("p").Went(nav.Pin{Payments: []api.Reference{"ref-000001"}, Remove: true})
		d.Press("down", "down", "p").Sees("no payment reference").Went()
	})
}

func TestManyAttemptsAreReadInWindows(t *testing.T) {
	b := rows(2_000)
	b.large = true
	open(t, 80, 24, b, func(d *screen) {
		d.Sees("2,000 attempts")
		d.Press("end").Sees("ref-001999")
		for range 100 {
			d.selectedRowIsLoaded(t)
			d.Press("pgup")
		}
		d.Press("home").Sees("0.50 GBP")
		requests, largest := d.asked()
		if largest > 200 {
			t.Errorf("%d rows in one answer", largest)
		}
		if requests > 40 { // for 1,500 rows
			t.Errorf("requested %d times", requests)
		}
	})
}

// selectedRowIsLoaded fails the test when the selected row has not been read.
func (d *screen) selectedRowIsLoaded(t *testing.T) {
	t.Helper()
	if line := d.Marked(); strings.HasPrefix(line, "…") {
		t.Fatalf("the selected row is not read: %q", line)
	}
}

// What a colleague sends is listed at once: the cursor stays on its attempt, wherever it was moved meanwhile.
func TestWhatAColleagueSendsIsListedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := rows(30)
		m, _ := openSync(t, b)
		down := tea.KeyPressMsg{Code: tea.KeyDown}
		m.press(down)
		sent := func(i int) { b.rows = append([]ledger.Attempt{row(i, time.Now())}, b.rows...) }
		sent(99)
		reading := m.Changed()
		m.press(down) // while the rows are read
		want, _ := m.Selected()
		sent(98)
		if cmd := m.Changed(); cmd != nil {
			t.Error("the rows are requested while they are read")
		}
		run(m, reading)
		view, _ := m.View()
		sees(t, view, "32 attempts of this service", "ref-000099", "ref-000098")
		if got, _ := m.Selected(); got.ID != want.ID {
			t.Errorf("%s is selected, not %s", got.ID, want.ID)
		}
		sent(97)
		run(m, m.Changed())
		view, _ = m.View()
		sees(t, view, "33 attempts of this service")
		m.press(letter('/'), letter('x'))
		if cmd := m.Changed(); cmd != nil {
			t.Error("a search is repeated with each change")
		}
	})
}

func TestAnErrorIsShownAndTheRowsStay(t *testing.T) {
	open(t, 80, 24, rows(30), func(d *screen) {
		d.respond(&ledger.Unavailable{Why: "The disk with the journal is full."}, 0)
		d.Press("r").Sees("The disk with the journal is full. Press r to retry.", "ref-000000").Golden("error")
		d.Fits()
		d.respond(nil, 0)
		d.Press("r").WaitsUntilGone("disk")
	})
}

func TestAnEmptyJournalAndOneThatIsOff(t *testing.T) {
	open(t, 80, 24, &fakeJournal{}, func(d *screen) {
		d.Sees("No attempts of this service", "Nothing has been sent yet").Golden("empty").Fits()
		d.Press("tab", "tab", "right").Sees("There is no status to choose from").Press("w").Sees("nothing to export").Press("esc").Press("enter").Sees("No attempt is selected")
	})
	b := rows(3)
	b.off = true
	open(t, 80, 24, b, func(d *screen) {
		d.Sees("Journal off: what is listed here ends with this console.").Golden("off").Fits()
	})
}

func TestTextOfOthersStaysInItsCell(t *testing.T) {
	b := rows(5)
	for i, s := range []string{"x\r\n✓ SUCCESSFUL", "\x1b[2K\x1b[1A", "\u202eevil", "a\tb", "\x1b]0;x\x07"} {
		b.rows[i].By = ledger.Operator{User: s, Host: s, SSH: s}
		b.rows[i].Reference, b.rows[i].Why, b.rows[i].Channel = api.Reference(s), s, s
		b.rows[i].Card, b.rows[i].Status = "", api.ParseStatus("FAILED")
	}
	b.events = []ledger.Event{{What: "\x1b[31m", Detail: "x\n✓ SUCCESSFUL", Source: "\u202e", By: ledger.Operator{User: "\x07"}}}
	open(t, 120, 40, b, func(d *screen) {
		if n := strings.Count(d.Screen(), "✗ FAILED "); n != 4 {
			t.Errorf("%d rows begin with their status", n)
		}
		d.Wait(time.Second).Sees(`x\r\n✓ SUCCESSFUL`, "^[[31m", `x\n✓ SUCCESSFUL`).Press("y")
		if d.Green() > 0 || d.Copied() != "" {
			t.Errorf("%d green cells, copied %q", d.Green(), d.Copied())
		}
		d.Fits()
	})
}
