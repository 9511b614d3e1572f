package session_test

import (
	"testing"

	"paydesk/api"
	"paydesk/api/ledger"
)

func TestWhatWasSentIsKnownWithoutItsCard(t *testing.T) {
	d := tracked(t, &service{payment: initiated})
	if d.LastCustomer() != (api.Customer{}) {
		t.Error("there was no customer yet")
	}
	in := initiation(t, "0-abc")
	in.Customer, in.OwnReference = api.Customer{FirstName: "Ada", Email: "ada@example.org"}, "OURS1"
	if _, err := d.Initiate(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	of := ledger.Attempt{Reference: "ref-1", Amount: in.Amount, Link: "0-abc"}
	sent := d.Again(of)
	if sent.Card != nil || sent.OwnReference != "" || onlyEntry(t, d).Sent.Card != nil {
		t.Errorf("it has the card or the reference: %+v", sent)
	}
	if sent.Customer != in.Customer || sent.Amount != in.Amount || sent.Link != "0-abc" || d.LastCustomer() != in.Customer {
		t.Errorf("%+v", sent)
	}
	if sent = tracked(t, &service{}).Again(of); sent.Customer != (api.Customer{}) || sent.Amount != in.Amount || sent.Link != "0-abc" {
		t.Errorf("after a restart: %+v", sent)
	}
}
