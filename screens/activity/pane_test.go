package activity

import (
	"strings"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
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

// A panel that has no room for all says so, and scrolls.
func TestThePanelSaysThatItGoesOn(t *testing.T) {
	open(t, 120, 20, rows(30), func(d *screen) {
		d.Sees("── Payment ref-000000 ─", " ↓ more ─", "● 23:58:01").WaitsUntilGone("● 23:58:00").Fits()
		d.Press("shift+down").Sees("● 23:58:00").WaitsUntilGone("↓ more").Fits()
	})
	open(t, 120, 40, rows(30), func(d *screen) { d.Sees("● 23:58:00").WaitsUntilGone("↓ more") })
}

// Beside colleagues a row says whose it is.
func TestEachRowOfATeamNamesItsDesk(t *testing.T) {
	for golden, size := range map[string][2]int{"team": {80, 24}, "team-wide": {120, 40}} {
		b := rows(300)
		b.team = true
		open(t, size[0], size[1], b, func(d *screen) {
			d.Sees("11:29  ? UNRESOLVED", "ada@desk1", "eve@desk1").Fits().Golden(golden)
		})
	}
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

// Wherever the list is, the rule above it names the day of its first row, with all attempts of that day.
func TestTheRuleNamesTheDayOfTheFirstRow(t *testing.T) {
	open(t, 80, 18, rows(1204), func(d *screen) {
		rule := func() string { return strings.Trim(strings.Split(d.Screen(), "\n")[4], " ─") }
		for _, want := range []struct {
			key   string
			times int
			rule  string
		}{
			{"home", 1, "1 Jan 2000, today ─ 72 · 8 unresolved"},
			{"pgdown", 5, "1 Jan 2000, today ─ 72 · 8 unresolved"},
			{"pgdown", 2, "31 Dec 1999, yesterday ─ 144 · 16 unresolved"},
			{"pgdown", 14, "30 Dec 1999 ─ 144 · 16 unresolved"},
			{"end", 1, "24 Dec 1999 ─ 124 · 14 unresolved"},
		} {
			for range want.times {
				d.Press(want.key)
			}
			if got := strings.Join(strings.FieldsFunc(rule(), func(r rune) bool { return r == '─' }), "─"); got != want.rule {
				t.Errorf("after %s: %q, want %q", want.key, got, want.rule)
			}
		}
	})
}

// While a query is typed, and while a message is shown, no row of the list moves.
func TestNoRowMovesWhenAMessageComesOrATextIsTyped(t *testing.T) {
	for _, w := range []int{80, 120} {
		open(t, w, 40, rows(300), func(d *screen) {
			line := func(n int) string { return strings.TrimSpace(strings.Split(d.Screen(), "\n")[n])[:16] }
			second := func() string { return line(6) }
			d.Press("end").Press("/").Sees("or text in reference, alias, link").Type("-z").Wait(time.Second)
			before := line(9)
			for _, typed := range []string{"z", " -q", " status:what", " >1.2.3"} { // none of which leaves anything out
				d.Type(typed)
				if got := line(9); got != before {
					t.Errorf("%q is where %q was", got, before)
				}
			}
			d.Press("ctrl+u", "enter", "home").Wait(time.Second)
			d.respond(&ledger.Unavailable{Why: "The disk with the journal is full."}, 0)
			d.Press("r").Wait(time.Second).Sees("The disk with the journal is full. Press r to retry.")
			if got := second(); !strings.HasPrefix(got, "11:49") {
				t.Errorf("%q", got)
			}
			d.Fits()
		})
	}
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
