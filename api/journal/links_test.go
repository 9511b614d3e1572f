package journal_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
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

func TestALinkIsAlikeByNameAndAmount(t *testing.T) {
	t.Parallel()
	oneAtATime(t)
	lost, made := ledger.Result{Outcome: ledger.Unresolved}, madeLink("0-a")
	const ago = time.Minute
	change := func(f func(*ledger.Attempt)) ledger.Attempt {
		a := chairs(t)
		f(&a)
		a.Draft.Amount = a.Amount
		return a
	}
	same := func(*ledger.Attempt) {}
	eur := must(money.ParseCurrency("EUR"))
	for name, c := range map[string]struct {
		first  ledger.Attempt
		answer ledger.Result
		after  time.Duration
		alike  bool
	}{
		"the same, under way":                {change(same), ledger.Result{}, ago, true},
		"the same, made":                     {change(same), made, ago, true},
		"the same, ten minutes ago":          {change(same), made, ledger.DuplicateWithin, true},
		"the same, more than that ago":       {change(same), made, ledger.DuplicateWithin + 1, false},
		"the same, refused":                  {change(same), ledger.Result{Outcome: ledger.Refused}, ago, false},
		"the same, not sent":                 {change(same), ledger.Result{Outcome: ledger.NotSent}, ago, false},
		"the same, lost long ago":            {change(same), lost, 1000 * time.Hour, true},
		"in capitals, with blanks":           {change(func(a *ledger.Attempt) { a.Draft.Name = " OAK chairs " }), lost, time.Hour, true},
		"paid once instead":                  {change(func(a *ledger.Attempt) { a.Draft.Type = api.OneTime }), lost, time.Hour, true},
		"another name, lost":                 {change(func(a *ledger.Attempt) { a.Draft.Name = "Oak chair" }), lost, ago, false},
		"a name that was not recorded, lost": {change(func(a *ledger.Attempt) { a.Draft.Name = "" }), lost, time.Hour, true},
		"a name that was not recorded, made": {change(func(a *ledger.Attempt) { a.Draft.Name = "" }), made, ago, false},
		"another amount, lost":               {change(func(a *ledger.Attempt) { a.Amount.Minor++ }), lost, ago, false},
		"another currency, lost":             {change(func(a *ledger.Attempt) { a.Amount.Currency = eur }), lost, ago, false},
		"another environment, lost":          {change(func(a *ledger.Attempt) { a.Environment = "LIVE" }), lost, ago, false},
		"a payment":                          {change(func(a *ledger.Attempt) { a.Kind = ledger.Initiate }), ledger.Result{}, ago, false},
	} {
		clock := newClock()
		j := mustOpen(t, "", clock)
		a := mustBegin(t, j, c.first)
		if c.answer.Outcome != "" {
			mustEnd(t, j, a.ID, c.answer)
		}
		clock.advance(c.after)
		_, err := j.Begin(t.Context(), chairs(t), ledger.Payer{}, nil)
		look, is := errors.AsType[*ledger.Duplicate](err)
		if is != c.alike || err != nil && !is {
			t.Errorf("%s: %v", name, err)
		}
		if !is {
			continue
		}
		if len(look.Attempts) != 1 || look.Attempts[0].ID != a.ID || !strings.Contains(err.Error(), "a link like this one") {
			t.Errorf("%s: %v %+v", name, err, look.Attempts)
		}
		if _, err := j.Begin(t.Context(), chairs(t), ledger.Payer{}, []ledger.ID{a.ID}); err != nil {
			t.Errorf("%s: not sent after it was allowed: %v", name, err)
		}
	}
}

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
