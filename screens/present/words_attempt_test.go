package present_test

import (
	"testing"

	"paydesk/api"
	"paydesk/api/journal"
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
		if word, tone := present.Event(journal.Event{What: c.what, Detail: c.detail}); word != c.want || tone != c.tone {
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
