package journal_test

import (
	"errors"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/ledger"
)

// chairs is a link to create.
func chairs(t testing.TB) ledger.Attempt {
	d := api.LinkDraft{Name: "Oak chairs", Description: "six of them", Type: api.Reusable, AmountType: api.Static, Amount: pounds(t, 12000)}
	return ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: d.Amount, Draft: d}
}

// madeLink is an accepted creation, which differs when asked is not answered.
func madeLink(alias api.Alias, differs ...api.LinkDifference) ledger.Result {
	l := &api.Link{Alias: alias, Name: api.Clean("Oak chairs"), Differs: differs}
	return ledger.Result{Outcome: ledger.Accepted, Link: l}
}

var hundredfold = api.LinkDifference{Part: api.Clean("amount"), Asked: api.Clean("120.00 GBP"), Answered: api.Clean("12,000.00 GBP")}

// An alias is the same in another letter case.
func TestNothingIsCollectedThroughALinkThatNobodyRead(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	mustEnd(t, j, mustBegin(t, j, chairs(t)).ID, madeLink("0-a1b2c3d", hundredfold))
	pay := initiation(t, 12000)
	pay.Link = "0-A1B2C3D"
	_, err := j.Begin(t.Context(), pay, ledger.Payer{}, nil)
	if why := unavailableText(t, err); !errors.Is(err, api.ErrNotSent) || !strings.Contains(why, "differs from what was asked") {
		t.Error(why)
	}
	noError(t, j.DifferenceRead(t.Context(), shop, "0-a1b2c3d"))
	mustBegin(t, j, pay)
}

func TestALateAnswerReplacesWhatAPersonFound(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, chairs(t))
	mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Unresolved})
	noError(t, j.FoundLink(t.Context(), mustAttempt(t, j, a.ID), "0-found", api.Address{}))
	mustEnd(t, j, a.ID, madeLink("0-answered", hundredfold))
	if got := mustAttempt(t, j, a.ID); got.Link != "0-answered" || !got.MustBeRead() {
		t.Errorf("%+v", got)
	}
}
