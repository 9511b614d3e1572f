package present_test

import (
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/screens/screentest"
	"paydesk/ui"
)

func TestOnlyAStatusEventIsGoodNews(t *testing.T) {
	for _, c := range []struct {
		what, detail, want string
		tone               ui.Tone
	}{
		{"status", "SUCCESSFUL", "SUCCESSFUL", ui.ToneGood},
		{"status", "paid\x1b[2J", "UNRECOGNISED", ui.ToneUnknown},
		{"accepted", "SUCCESSFUL", "accepted", ui.ToneNone},
		{"finalize unresolved", "", "finalize UNRESOLVED", ui.ToneUnknown},
		{"SUCCESSFUL\n", "", `SUCCESSFUL\n`, ui.ToneNone},
	} {
		if word, tone := present.Event(ledger.Event{What: c.what, Detail: c.detail}, false); word != c.want || tone != c.tone {
			t.Errorf("%q %q is %q with tone %d", c.what, c.detail, word, tone)
		}
	}
}

func TestInAColumnAnAttemptIsItsStatusElseWhatIsKnownOfIt(t *testing.T) {
	pending, paid := api.ParseStatus("PENDING"), api.ParseStatus("SUCCESSFUL")
	for _, c := range []struct {
		attempt ledger.Attempt
		want    ui.Cell
	}{
		{ledger.Attempt{Kind: ledger.Initiate, Outcome: ledger.Unresolved, Status: pending}, ui.Cell{Text: "UNRESOLVED", Tone: ui.ToneUnknown}},
		{ledger.Attempt{Kind: ledger.Initiate, Outcome: ledger.Accepted, Status: paid}, ui.Cell{Text: "SUCCESSFUL", Tone: ui.ToneGood}},
		{ledger.Attempt{Kind: ledger.Initiate, Outcome: ledger.Accepted}, ui.Cell{Text: "ACCEPTED", Tone: ui.ToneWait}},
		{ledger.Attempt{Kind: ledger.CreateLink, Outcome: ledger.Accepted, Status: paid}, ui.Cell{Text: "CREATED"}},
		{ledger.Attempt{Kind: ledger.Finalize, Outcome: ledger.Accepted, Status: paid}, ui.Cell{Text: "FINALIZED"}},
		{ledger.Attempt{Kind: ledger.Finalize, Outcome: ledger.Refused}, ui.Cell{Text: "REFUSED", Tone: ui.ToneBad}},
		{ledger.Attempt{Kind: ledger.CreateLink, Outcome: ledger.NotSent}, ui.Cell{Text: "NOT SENT", Tone: ui.ToneBad}},
		{ledger.Attempt{Kind: ledger.Initiate, Outcome: ledger.Sent}, ui.Cell{Text: "SENT", Tone: ui.ToneWait}},
		{ledger.Attempt{Outcome: ledger.Unresolved, Decision: ledger.Found}, ui.Cell{Text: "FOUND", Tone: ui.ToneWait}},
		{ledger.Attempt{Outcome: ledger.Unresolved, Decision: ledger.NotFound}, ui.Cell{Text: "NOT FOUND"}},
		{ledger.Attempt{Outcome: ledger.Unresolved, Decision: ledger.GaveUp}, ui.Cell{Text: "GIVEN UP", Tone: ui.ToneUnknown}},
		{ledger.Attempt{Kind: ledger.Initiate, Outcome: ledger.Accepted, Decision: ledger.NotFound}, ui.Cell{Text: "ACCEPTED", Tone: ui.ToneWait}},
	} {
		if got := present.AttemptCell(c.attempt, time.Time{}); got != c.want {
			t.Errorf("%+v is %v, want %v", c.attempt, got, c.want)
		}
	}
}

// What a request carries as the amount of a link whose customer chooses it is none.
func TestAnOpenAmountIsNeverANumber(t *testing.T) {
	asked := api.LinkDraft{Name: "Gift", AmountType: api.Dynamic, Amount: screentest.Money(0, "GBP")}
	for name, a := range map[string]ledger.Attempt{
		"lost":    {Kind: ledger.CreateLink, Outcome: ledger.Unresolved, Draft: asked, Amount: asked.Amount},
		"created": {Kind: ledger.CreateLink, Draft: asked, Amount: asked.Amount, CreatedLink: &api.Link{Amount: screentest.Money(100, "GBP"), HasAmount: true}},
	} {
		if got := present.Amount(a); got != "chosen by the customer, in GBP" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := present.Amount(ledger.Attempt{Kind: ledger.CreateLink, Amount: screentest.Money(100, "GBP"), Draft: api.LinkDraft{Name: "Gift"}}); got != "1.00 GBP" {
		t.Errorf("a fixed amount is %q", got)
	}
}
