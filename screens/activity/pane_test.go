package activity

import (
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/screens/nav"
)

func TestThePreviewSaysWhatTheRowMeans(t *testing.T) {
	open(t, 80, 24, rows(300), func(d *screen) {
		d.Press("down", "down", "down").Wait(time.Second)
		d.Sees("── Attempt k3f9000003 ──", "15.047 KWD  card •••• 4245 by eve on desk1", "▐ ? UNRESOLVED ▌", "It is not known whether this payment was made.", "● 00:02:00").Golden("preview")
		d.Press("r").Wait(time.Second).Sees("── Attempt k3f9000003 ──").Fits()
	})
	open(t, 80, 24, rows(300), func(d *screen) { // what has no room ends with an ellipsis
		d.Press("down").Wait(time.Second).Sees("── Payment ref-000001 ──", "Provide nothing yet. Do not ask for a second transfer").Fits()
	})
	open(t, 80, 23, rows(300), func(d *screen) { d.Sees("300 attempts").WaitsUntilGone("Funds have been", "▐✓") })
}

// Beside colleagues a row says whose it is.
func TestEachRowOfATeamNamesItsDesk(t *testing.T) {
	b := rows(300)
	b.team = true
	open(t, 80, 24, b, func(d *screen) {
		d.Sees("11:29  ? UNRESOLVED", "ada@desk1", "eve@desk1").Fits().Golden("team")
	})
}

// The keys for a row work in the list, and say why where they do not.
func TestTheKeysForAnAttemptWorkInTheList(t *testing.T) {
	b := rows(30)
	open(t, 80, 24, b, func(d *screen) {
		d.Press("s").Went(nav.Push{To: nav.Payment{Reference: "ref-000000"}})
		d.Press("d").Sees("There is nothing to decide about this attempt.").Went()
		d.Press("c").Sees("Only a payment that failed").Went()
		d.Press("y")
		if got := d.Copied(); got != "ref-000000" {
			t.Errorf("copied %q", got)
		}
		d.Press("down", "down", "c")
		if to, ok := d.LastRequest().(nav.Push); !ok || to.To.(nav.Collect).Again.Channel != "card" {
			t.Errorf("%#v", d.LastRequest())
		}
		d.Went(d.LastRequest()).Press("down", "s").Sees("It has no payment reference").Went()
		d.Press("d").Went(nav.Push{To: nav.Attempt{ID: "k3f9000003", Decide: true}})
	})
	open(t, 80, 24, &fakeJournal{}, func(d *screen) {
		d.Sees("c  collect a payment").Press("s").Sees("No attempt is selected").Press("c").Went(nav.Push{To: nav.Collect{}})
	})
}

func TestADayThatIsSplitBetweenTwoPagesIsCountedWhole(t *testing.T) {
	j, err := filled(260, 12*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	f := journal.Filter{Service: here}
	page, err := j.Find(t.Context(), f, journal.Search{}, 20, 100)
	if err != nil {
		t.Fatal(err)
	}
	all, err := j.Find(t.Context(), f, journal.Search{}, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	want := map[time.Time]dayCount{}
	for _, a := range all.Rows {
		c := want[dayOf(a)]
		if c.all++; a.IsUnresolved() {
			c.unresolved++
		}
		want[dayOf(a)] = c
	}
	got, err := countByDay(t.Context(), j, f, &page)
	if err != nil || len(got) < 1 {
		t.Fatal(got, err)
	}
	for day, n := range got {
		if n != want[day] {
			t.Errorf("%v: %v, want %v", day, n, want[day])
		}
	}
}
