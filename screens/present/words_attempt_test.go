package present_test

import (
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/ui"
)

func TestAnAttemptIsWordedByItsDecisionThenByItsOutcome(t *testing.T) {
	for want, a := range map[string]journal.Attempt{
		"It is not known whether this payment was made.":      {Kind: journal.Initiate, Outcome: journal.Unresolved},
		"It is not known whether this link was created.":      {Kind: journal.CreateLink, Outcome: journal.Unresolved},
		"It is not known whether it was finalized.":           {Kind: journal.Finalize, Outcome: journal.Unresolved},
		"It is not known whether it was finalized. Given up.": {Kind: journal.Finalize, Outcome: journal.Unresolved, Decision: journal.GaveUp},
		"It was found.":                              {Kind: journal.Initiate, Outcome: journal.Unresolved, Decision: journal.Found},
		"Recorded as never done.":                    {Kind: journal.Initiate, Outcome: journal.Unresolved, Decision: journal.NotFound},
		"Sent; the response may still arrive.":       {Kind: journal.Initiate, Outcome: journal.Sent},
		"The service accepted it.":                   {Kind: journal.Initiate, Outcome: journal.Accepted},
		"The service rejected it. Nothing was done.": {Kind: journal.Initiate, Outcome: journal.Refused},
		"Nothing was sent.":                          {Kind: journal.Initiate, Outcome: journal.NotSent},
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
		if word, tone := present.Event(journal.Event{What: c.what, Detail: c.detail}, false); word != c.want || tone != c.tone {
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
		attempt journal.Attempt
		want    ui.Cell
	}{
		{journal.Attempt{Kind: journal.Initiate, Outcome: journal.Unresolved, Status: pending}, ui.Cell{Text: "UNRESOLVED", Tone: ui.ToneUnknown}},
		{journal.Attempt{Kind: journal.Initiate, Outcome: journal.Accepted, Status: paid}, ui.Cell{Text: "SUCCESSFUL", Tone: ui.ToneGood}},
		{journal.Attempt{Kind: journal.Initiate, Outcome: journal.Accepted}, ui.Cell{Text: "ACCEPTED", Tone: ui.ToneWait}},
		{journal.Attempt{Kind: journal.CreateLink, Outcome: journal.Accepted, Status: paid}, ui.Cell{Text: "CREATED"}},
		{journal.Attempt{Kind: journal.Finalize, Outcome: journal.Accepted, Status: paid}, ui.Cell{Text: "FINALIZED"}},
		{journal.Attempt{Kind: journal.Finalize, Outcome: journal.Refused}, ui.Cell{Text: "REFUSED", Tone: ui.ToneBad}},
		{journal.Attempt{Kind: journal.CreateLink, Outcome: journal.NotSent}, ui.Cell{Text: "NOT SENT", Tone: ui.ToneBad}},
		{journal.Attempt{Kind: journal.Initiate, Outcome: journal.Sent}, ui.Cell{Text: "SENT", Tone: ui.ToneWait}},
		{journal.Attempt{Outcome: journal.Unresolved, Decision: journal.Found}, ui.Cell{Text: "FOUND", Tone: ui.ToneWait}},
		{journal.Attempt{Outcome: journal.Unresolved, Decision: journal.NotFound}, ui.Cell{Text: "NOT FOUND"}},
		{journal.Attempt{Outcome: journal.Unresolved, Decision: journal.GaveUp}, ui.Cell{Text: "GIVEN UP", Tone: ui.ToneUnknown}},
		{journal.Attempt{Kind: journal.Initiate, Outcome: journal.Accepted, Decision: journal.NotFound}, ui.Cell{Text: "ACCEPTED", Tone: ui.ToneWait}},
	} {
		if got := present.AttemptCell(c.attempt, time.Time{}); got != c.want {
			t.Errorf("%+v is %v, want %v", c.attempt, got, c.want)
		}
	}
}

func TestAnAttemptIsNamedByItsKindAndWhatPaidForIt(t *testing.T) {
	for _, c := range []struct {
		attempt       journal.Attempt
		name, subject string
	}{
		{journal.Attempt{Kind: journal.CreateLink}, "Payment link", "new link"},
		{journal.Attempt{Kind: journal.Finalize}, "Finalization", "finalize"},
		{journal.Attempt{Kind: journal.Initiate}, "Payment", "payment"},
		{journal.Attempt{Kind: journal.Initiate, Channel: api.ChannelTransfer}, "Payment", "transfer"},
		{journal.Attempt{Kind: journal.Initiate, Channel: "wallet"}, "Payment", "wallet"},
		{journal.Attempt{Kind: journal.Initiate, Channel: "card", Card: "4242"}, "Payment", "•••• 4242"},
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
	for name, a := range map[string]journal.Attempt{
		"lost":    {Kind: journal.CreateLink, Outcome: journal.Unresolved, Draft: asked, Amount: asked.Amount},
		"created": {Kind: journal.CreateLink, Draft: asked, Amount: asked.Amount, CreatedLink: &api.Link{Amount: money.Amount{Minor: 100, Currency: gbp}, HasAmount: true}},
		"old":     {Kind: journal.CreateLink, Amount: asked.Amount, CreatedLink: &api.Link{AmountType: api.Dynamic}},
	} {
		if got := present.Amount(a); got != "chosen by the customer, in GBP" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := present.Amount(journal.Attempt{Kind: journal.CreateLink, Amount: money.Amount{Minor: 100, Currency: gbp}, Draft: api.LinkDraft{Name: "Gift"}}); got != "1.00 GBP" {
		t.Errorf("a fixed amount is %q", got)
	}
}
