package activity

import (
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/nav"
)

// The status of another profile's payment is not requested from the service of this one.
func TestAnAttemptOfAnotherProfileIsNotOpenedHere(t *testing.T) {
	b := rows(30)
	for i := range b.rows[:4] {
		b.rows[i].Destination = ledger.Destination{Profile: "live", Environment: "LIVE", Host: "live.example"}
	}
	open(t, 80, 24, b, func(d *screen) {
		d.Sees("26 attempts of this service").WaitsUntilGone("ref-000000")
		d.facet("service", "right").Sees("30 attempts of all services", "other: live").Golden("everywhere")
		d.Fits().Press("s", "d", "p").Sees("Sent from profile live, to another service (LIVE · live.example).").Went()
		d.Press("down", "down", "down", "s", "d").Went()
		d.Sees("30 attempts")
		d.facet("service", "right").Sees("26 attempts of this service")
	})
	open(t, 120, 40, b, func(d *screen) { // the columns of a small window are there beside the pane
		d.facet("service", "right").Sees("11:59  ✓ SUCCESSFUL", "other: live")
	})
}

func TestAFacetStepsThroughTheValuesThatOccur(t *testing.T) {
	open(t, 80, 24, rows(1204), func(d *screen) {
		d.facet("currency", "right").Sees("GBP▾", "268 attempts").WaitsUntilGone("NGN")
		d.facet("day", "right").Sees("today▾")
		d.facet("operator", "right").Sees("ada▾")
		d.facet("status", "right").Sees("FAILED▾")
		d.facet("status", "left", "left").Sees("UNRECOGNISED▾")
		d.facet("status", "left").Sees("SUCCESSFUL▾", "today▾", "GBP▾", "ada▾", "ref-").Golden("filtered")
		d.Fits()
		d.Press("tab", "tab", "tab", "tab").Sees("‹today›").Press("right").Sees("‹yesterday›").Press("right").Sees("‹7 days›").Press("right").Sees("‹day›")
		d.Press("left").Sees("‹7 days›").Press("left", "left", "left").Sees("‹day›")
		d.Press("tab", "right", "right", "right").Sees("‹NGN›").Press("right").Sees("‹currency›").WaitsUntilGone("NGN▾")
		d.Press("esc").Sees("SUCCESSFUL▾").Press("esc").Sees("status▾ ", "1,204 attempts").Went()
		d.Press("esc").Went(nav.Back{})
	})
}

// A payment that settled while the list was open is found by its new status.
func TestAFacetOffersWhatOccursWhenItIsReached(t *testing.T) {
	b := rows(1)
	open(t, 80, 24, b, func(d *screen) {
		d.mu.Lock()
		b.rows[0].Status = api.ParseStatus("FAILED")
		d.mu.Unlock()
		d.Press("tab", "tab", "right").Sees("‹FAILED›", "1 attempt of this service").Press("right").Sees("‹status›")
	})
}

// The words stay where they are when the focus moves, and the rows below with them.
func TestTheFocusMovesNothingOnTheLineOfTheFilter(t *testing.T) {
	for _, w := range []int{80, 60} {
		open(t, w, 18, rows(30), func(d *screen) {
			above := func() string { // what is above the notice, without the marks of the focus
				lines := strings.Split(strings.NewReplacer("‹", " ", "›", " ", "▾", " ").Replace(d.Screen()), "\n")[:16]
				for i := range lines {
					lines[i] = strings.TrimRight(lines[i], " ")
				}
				return strings.Join(lines, "\n")
			}
			before := above()
			for i := range facetNames {
				d.Press("tab").Sees("‹")
				if after := above(); after != before {
					t.Errorf("tab %d moves something:\n%s\nafter\n%s", i+1, after, before)
				}
				d.Fits()
			}
			d.Press("tab").WaitsUntilGone("‹").Press("shift+tab").Sees("‹operator›").Press("down", "c").Sees("‹operator›", "Only a payment")
			d.Press("esc").WaitsUntilGone("‹").Went()
		})
	}
}

// Where not all parts fit, those that filter stay, and so does the one that has the focus.
func TestASmallWindowShowsTheFacetsThatFilter(t *testing.T) {
	b := rows(300)
	for i := range b.rows {
		b.rows[i].By.User = "someone-with-a-long-name-" + b.rows[i].By.User
	}
	open(t, 60, 18, b, func(d *screen) {
		d.facet("service", "right")
		d.facet("day", "right", "right", "right")
		d.facet("operator", "right").Sees("all services", "7 days", "someone-with-a-long-name-ada", "…").WaitsUntilGone("outcome", "currency").Fits()
		d.Press("tab", "tab", "tab").Sees("‹outcome›", "7 days").Fits()
	})
}

// A status says how a payment ended, an outcome what became of a request: they are two lists.
func TestStatusAndOutcomeAreFilteredApart(t *testing.T) {
	open(t, 60, 18, rows(1204), func(d *screen) {
		d.Press("tab", "tab")
		for _, word := range []string{"FAILED", "PENDING", "SUCCESSFUL", "UNRECOGNISED"} {
			d.Press("right").Sees("‹" + word + "›")
		}
		d.Press("right").Sees("‹status›", "1,204 attempts").Press("tab")
		for _, word := range []string{"ACCEPTED", "REFUSED", "UNRESOLVED"} {
			d.Press("right").Sees("‹" + word + "›")
		}
		d.WaitsUntilGone("SUCCESSFUL").Press("shift+tab", "right").Sees("‹FAILED›", "UNRESOLVED ", "No attempts match")
		d.Press("tab", "right").Sees("‹outcome›", "FAILED")
	})
}

func TestDaysAreCalendarDays(t *testing.T) {
	open(t, 80, 24, rows(1204), func(d *screen) { // every ten minutes back from 11:59
		d.Press("tab", "tab", "tab", "tab", "right").Sees("today", "72 attempts")
		d.Press("right").Sees("yesterday", "144 attempts")
		d.Press("right").Sees("7 days", "936 attempts") // 72 and six days of 144
	})
}

func TestTheTextFilterIsTypedAndKept(t *testing.T) {
	open(t, 80, 24, rows(1204), func(d *screen) {
		d.Press("/").Type("REF-0011").Sees("Search REF-0011", "a field contains “REF-0011”", "67 attempts").Golden("typing")
		d.Fits().Press("down", "enter").Sees("“REF-0011”", "67 attempts").WaitsUntilGone("enter keep")
		d.Press("/").Type("zzz").Sees("No attempts match").Press("esc").Sees("1,204 attempts").Went()
	})
}

func TestTheSelectedAttemptStaysSelectedWhenTheFilterIsCleared(t *testing.T) {
	open(t, 80, 24, rows(3000), func(d *screen) {
		d.facet("currency", "right").Press("end").Sees("GBP")
		a, _ := d.model.Selected()
		d.Press("esc").Sees("3,000 attempts", string(a.Reference)).Press("enter").Went(nav.Push{To: nav.Attempt{ID: a.ID}})
	})
	open(t, 80, 24, rows(3000), func(d *screen) { // the filter hides it
		d.Press("end")
		a, _ := d.model.Selected()
		d.Press("/").Type("zzz").Sees("No attempts match").Press("esc").Sees("3,000 attempts", string(a.Reference)).Press("enter").Went(nav.Push{To: nav.Attempt{ID: a.ID}})
	})
	open(t, 80, 24, rows(30), func(d *screen) { // where nothing is selected
		d.Press("/").Type("zzz").Sees("No attempts match").Press("esc").Sees("30 attempts").Press("enter").Went(nav.Push{To: nav.Attempt{ID: "k3f9000000"}})
	})
}
