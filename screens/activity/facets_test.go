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
		d.Press("esc").Sees("SUCCESSFUL▾").Press("esc").Sees("status▾ ", "1,204 attempts").Went()
		d.Press("esc").Went(nav.Back{})
	})
}
