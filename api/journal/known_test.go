package journal_test

import (
	"testing"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

func TestPaymentsThatWereMadeLookedUpOrPinnedAreKnown(t *testing.T) {
	t.Parallel()
	j := newJournal(journal.Options{})
	defer j.Close()
	d := ledger.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example"}
	if err := j.RecordTransaction(t.Context(), d, api.PaymentStatus{Reference: "LOOKED", Status: api.ParseStatus("PENDING")}); err != nil {
		t.Fatal(err)
	}
	if err := j.Pin(t.Context(), d, "PINNED"); err != nil {
		t.Fatal(err)
	}
	known, err := j.Standing(t.Context(), d, []api.Reference{"LOOKED", "PINNED", "NEITHER"})
	if err != nil || len(known) != 2 || known["LOOKED"].AnsweredAt.IsZero() || !known["PINNED"].IsPinned() {
		t.Errorf("%v, %v", known, err)
	}
	d.Host = "elsewhere.example"
	if known, err = j.Standing(t.Context(), d, []api.Reference{"LOOKED", "PINNED"}); err != nil || len(known) > 0 {
		t.Errorf("at another service: %v, %v", known, err)
	}
}
