package present_test

import (
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/ui"
)

func TestAnAttemptIsWordedByItsDecisionThenByItsOutcome(t *testing.T) {
	for want, a := range map[string]ledger.Attempt{
		"It is not known whether this payment was made.":      {Kind: ledger.Initiate, Outcome: ledger.Unresolved},
		"It is not known whether this link was created.":      {Kind: ledger.CreateLink, Outcome: ledger.Unresolved},
		"It is not known whether it was finalized.":           {Kind: ledger.Finalize, Outcome: ledger.Unresolved},
		"It is not known whether it was finalized. Given up.": {Kind: ledger.Finalize, Outcome: ledger.Unresolved, Decision: ledger.GaveUp},
		"It was found.":                              {Kind: ledger.Initiate, Outcome: ledger.Unresolved, Decision: ledger.Found},
		"Recorded as never done.":                    {Kind: ledger.Initiate, Outcome: ledger.Unresolved, Decision: ledger.NotFound},
		"Sent; the response may still arrive.":       {Kind: ledger.Initiate, Outcome: ledger.Sent},
		"The service accepted it.":                   {Kind: ledger.Initiate, Outcome: ledger.Accepted},
		"The service rejected it. Nothing was done.": {Kind: ledger.Initiate, Outcome: ledger.Refused},
		"Nothing was sent.":                          {Kind: ledger.Initiate, Outcome: ledger.NotSent},
	} {
		if got := present.Outcome(a); got != want {
			t.Errorf("%+v is worded %q, want %q", a, got, want)
		}
	}
}

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

func TestTheServicesOwnWordIsNotInAShortStatus(t *testing.T) {
	for _, s := range []string{"SUCCESSFUL.", "x\n✓ SUCCESSFUL", "ok"} {
		if got := present.ShortStatus(api.ParseStatus(s)); got != "UNRECOGNISED" {
			t.Errorf("%q is shown as %q", s, got)
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

func TestAnAttemptIsNamedByItsKindAndWhatPaidForIt(t *testing.T) {
	for _, c := range []struct {
		attempt       ledger.Attempt
		name, subject string
	}{
		{ledger.Attempt{Kind: ledger.CreateLink}, "Payment link", "new link"},
		{ledger.Attempt{Kind: ledger.Finalize}, "Finalization", "finalize"},
		{ledger.Attempt{Kind: ledger.Initiate}, "Payment", "payment"},
		{ledger.Attempt{Kind: ledger.Initiate, Channel: api.ChannelTransfer}, "Payment", "transfer"},
		{ledger.Attempt{Kind: ledger.Initiate, Channel: "wallet"}, "Payment", "wallet"},
		{ledger.Attempt{Kind: ledger.Initiate, Channel: "card", Card: "4242"}, "Payment", "•••• 4242"},
	} {
		a := c.attempt
		if name, subject := present.KindName(a.Kind), present.Subject(a.Kind, present.Card(a), a.Channel); name != c.name || subject != c.subject {
			t.Errorf("%q %q, want %q %q", name, subject, c.name, c.subject)
		}
		if amount := present.Amount(a); amount != "" {
			t.Errorf("an unknown amount is %q", amount)
		}
	}
}

// What a request carries as the amount of a link whose customer chooses it is none.
func TestAnOpenAmountIsNeverANumber(t *testing.T) {
	gbp, err := money.ParseCurrency("GBP")
	if err != nil {
		t.Fatal(err)
	}
	asked := api.LinkDraft{Name: "Gift", AmountType: api.Dynamic, Amount: money.Amount{Currency: gbp}}
	for name, a := range map[string]ledger.Attempt{
		"lost":    {Kind: ledger.CreateLink, Outcome: ledger.Unresolved, Draft: asked, Amount: asked.Amount},
		"created": {Kind: ledger.CreateLink, Draft: asked, Amount: asked.Amount, CreatedLink: &api.Link{Amount: money.Amount{Minor: 100, Currency: gbp}, HasAmount: true}},
	} {
		if got := present.Amount(a); got != "chosen by the customer, in GBP" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := present.Amount(ledger.Attempt{Kind: ledger.CreateLink, Amount: money.Amount{Minor: 100, Currency: gbp}, Draft: api.LinkDraft{Name: "Gift"}}); got != "1.00 GBP" {
		t.Errorf("a fixed amount is %q", got)
	}
}
