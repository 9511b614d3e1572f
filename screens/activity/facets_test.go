package activity

import (
	"testing"

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
		d.facet("status", "left").Sees("SUCCESSFUL▾", "today▾", "GBP▾", "ada▾", "ref-").Golden("searched")
		d.Fits()
		d.Press("tab", "tab", "tab", "tab").Sees("‹today›").Press("right").Sees("‹yesterday›").Press("right").Sees("‹7 days›").Press("right").Sees("‹day›")
		d.Press("left").Sees("‹7 days›").Press("left", "left", "left").Sees("‹day›")
		d.Press("tab", "right", "right", "right").Sees("‹NGN›").Press("right").Sees("‹currency›").WaitsUntilGone("NGN▾")
		d.Press("esc").Sees("SUCCESSFUL▾").Press("esc").Sees("status▾ ", "1,204 attempts").Went()
		d.Press("esc").Went(nav.Back{})
	})
}

func TestDaysAreCalendarDays(t *testing.T) {
	open(t, 80, 24, rows(1204), func(d *screen) { // every ten minutes back from 11:59
		d.Press("tab", "tab", "tab", "tab", "right").Sees("today", "72 attempts")
		d.Press("right").Sees("yesterday", "144 attempts")
		d.Press("right").Sees("7 days", "936 attempts") // 72 and six days of 144
	})
}

func TestTheSelectedAttemptStaysSelectedWhenTheSearchIsCleared(t *testing.T) {
	open(t, 80, 24, rows(3000), func(d *screen) {
		d.facet("currency", "right").Press("end").Sees("GBP")
		a, _ := d.model.Selected()
		d.Press("esc").Sees("3,000 attempts", string(a.Reference)).Press("enter").Went(nav.Push{To: nav.Attempt{ID: a.ID}})
	})
	open(t, 80, 24, rows(3000), func(d *screen) { // the search hides it
		d.Press("end")
		a, _ := d.model.Selected()
		d.Press("/").Type("zzz").Sees("No attempts match").Press("esc").Sees("3,000 attempts", string(a.Reference)).Press("enter").Went(nav.Push{To: nav.Attempt{ID: a.ID}})
	})
	open(t, 80, 24, rows(30), func(d *screen) { // where nothing is selected
		d.Press("/").Type("zzz").Sees("No attempts match").Press("esc").Sees("30 attempts").Press("enter").Went(nav.Push{To: nav.Attempt{ID: "k3f9000000"}})
	})
}
