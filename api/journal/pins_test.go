package journal_test

import (
	"testing"
	"time"

	"paydesk/api/ledger"
)

func TestAPinGoesWithTheLastThatIsKnownOfItsPayment(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "OLD", "PENDING", 900)))
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "ASKED", "PENDING", 900)))
	noError(t, j.Pin(t.Context(), shop, "OLD", "ASKED", "NOTHING-KNOWN"))
	c.advance(48 * time.Hour)
	noError(t, j.Pin(t.Context(), shop, "NEW"))
	noError(t, j.Pin(t.Context(), ledger.Destination{Environment: "TEST", Host: "elsewhere.example"}, "THERE"))
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "ASKED", "PENDING", 900)))
	_, err := j.Purge(t.Context(), c.at.Add(-24*time.Hour))
	noError(t, err)
	got, err := j.Pins(t.Context(), shop)
	if err != nil || len(got) != 2 || got[0].Reference != "ASKED" || got[1].Reference != "NEW" {
		t.Errorf("%+v, %v", got, err)
	}
}
