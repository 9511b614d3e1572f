package present_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

// The service says PENDING also of a transfer before the customer has made it.
func TestAnUnpaidTransferIsTheCustomersTurn(t *testing.T) {
	expired := &api.Transfer{Expiration: api.Timestamp{Time: time.Unix(1, 0), Zoned: true}}
	for _, c := range []struct {
		status string
		when   api.Circumstances
		want   ui.Cell
	}{
		{"PENDING", api.Circumstances{Unpaid: true}, ui.Cell{Text: "CUSTOMER MUST PAY", Tone: ui.ToneAct}},
		{"REQUIRE_USER_OFFLINE_ACTION", api.Circumstances{Unpaid: true}, ui.Cell{Text: "CUSTOMER MUST PAY", Tone: ui.ToneAct}},
		{"PENDING", api.Circumstances{}, ui.Cell{Text: "PENDING", Tone: ui.ToneWait}},
		{"PENDING", api.Circumstances{Unpaid: true, Account: expired, Now: time.Unix(2, 0)}, ui.Cell{Text: "PENDING", Tone: ui.ToneWait}},
		{"SUCCESSFUL", api.Circumstances{Unpaid: true}, ui.Cell{Text: "SUCCESSFUL", Tone: ui.ToneGood}},
	} {
		for _, got := range []ui.Cell{
			present.ListCell(api.ParseStatus(c.status), ledger.Mismatch{}, c.when), present.StatusCell(api.ParseStatus(c.status), ledger.Mismatch{}, c.when),
		} {
			if got != c.want {
				t.Errorf("%s, %+v: %+v", c.status, c.when, got)
			}
		}
	}
}

// The service's own words say why, where it answered a request that may have been carried out.
func TestAConflictIsNoInternalError(t *testing.T) {
	lost := &api.Unresolved{Kind: api.KindService, HTTP: 409, Detail: api.Clean("A payment with this reference exists")}
	if p := present.Error(lost, present.Sending); !p.Unresolved || strings.Contains(p.What, "internal") || !strings.Contains(p.What, "HTTP 409") || p.Detail != "A payment with this reference exists" {
		t.Errorf("%+v", p)
	}
	if words := lost.Cause(); words != "The service answered (HTTP 409): A payment with this reference exists." {
		t.Error(words)
	}
}
