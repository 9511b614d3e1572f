package journal_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
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

func TestWhatWasAskedOfALostLinkIsKeptAndFound(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	j := mustOpen(t, dir, c)
	a := mustBegin(t, j, chairs(t))
	mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "cut off"})
	j.Close()
	j = mustOpen(t, dir, c)
	got := mustAttempt(t, j, a.ID)
	if got.Draft != chairs(t).Draft || !got.IsUnresolved() {
		t.Errorf("kept %+v", got.Draft)
	}
	if rows, _, err := j.Attempts(t.Context(), journal.Filter{Query: containing("OAK chair")}, 0, 9); err != nil || len(rows) != 1 {
		t.Errorf("searched by the name: %v, %v", rows, err)
	}
	if why := unavailableText(t, j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.Found, "")); !strings.Contains(why, "alias") {
		t.Error(why)
	}
	page := must(api.ParseAddress("https://pay.example.com/p/0-a1b2c3d"))
	if err := j.FoundLink(t.Context(), mustAttempt(t, j, a.ID), "0-a1b2c3d", page); err != nil {
		t.Fatal(err)
	}
	links, err := j.Links(t.Context(), shop)
	if err != nil || len(links) != 1 {
		t.Fatal(links, err)
	}
	l := links[0].CreatedLink
	if l == nil || l.Alias != "0-a1b2c3d" || l.Name.Line(0) != "Oak chairs" || l.Amount != pounds(t, 12000) || l.Page != page || len(l.Differs) > 0 {
		t.Errorf("in the link book: %+v", l)
	}
	if by := links[0]; by.Decision != ledger.Found || by.DecidedBy.User != "ada" || by.Outcome != ledger.Unresolved {
		t.Errorf("not marked as found by a person: %+v", by)
	}
	if got := unfinished(t, j); got != nil {
		t.Errorf("still unfinished: %v", got)
	}
	events, err := j.Timeline(t.Context(), a.ID)
	if last := events[len(events)-1]; err != nil || last.Detail != "found as 0-a1b2c3d" {
		t.Errorf("%+v, %v", events, err)
	}
}

func TestOneAliasIsOneLink(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	made := mustBegin(t, j, chairs(t))
	mustEnd(t, j, made.ID, madeLink("0-a1b2c3d"))
	other := chairs(t)
	other.Draft.Name = "Tables"
	lost := mustBegin(t, j, other)
	mustEnd(t, j, lost.ID, ledger.Result{Outcome: ledger.Unresolved})
	for alias, want := range map[api.Alias]string{
		"0-a1b2c3d": "Attempt " + string(made.ID) + " has this alias already.", "": "Enter the alias", "a/b": "Enter the alias", typedPAN: "card number",
	} {
		if why := unavailableText(t, j.FoundLink(t.Context(), mustAttempt(t, j, lost.ID), alias, api.Address{})); !strings.Contains(why, want) {
			t.Errorf("%q: %s", alias, why)
		}
	}
	if why := unavailableText(t, j.FoundLink(t.Context(), mustAttempt(t, j, made.ID), "0-b", api.Address{})); !strings.Contains(why, "nothing to decide") {
		t.Error(why)
	}
	pay := mustBegin(t, j, initiation(t, 100))
	mustEnd(t, j, pay.ID, ledger.Result{Outcome: ledger.Unresolved})
	if why := unavailableText(t, j.FoundLink(t.Context(), mustAttempt(t, j, pay.ID), "0-b", api.Address{})); !strings.Contains(why, "did not create a link") {
		t.Error(why)
	}
	if got := mustAttempt(t, j, lost.ID); !got.IsUnresolved() || got.CreatedLink != nil {
		t.Errorf("%+v", got)
	}
}

func TestALateAnswerReplacesWhatAPersonFound(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, chairs(t))
	mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Unresolved})
	if err := j.FoundLink(t.Context(), mustAttempt(t, j, a.ID), "0-found", api.Address{}); err != nil {
		t.Fatal(err)
	}
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

func TestALinkThatWasNotFoundIsAlikeNoMore(t *testing.T) {
	t.Parallel()
	clock := newClock()
	j := mustOpen(t, "", clock)
	a := mustBegin(t, j, chairs(t))
	mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Unresolved})
	clock.advance(ledger.NotFoundAfter)
	if err := j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.NotFound, ""); err != nil {
		t.Fatal(err)
	}
	mustBegin(t, j, chairs(t))
}

func TestNothingIsCollectedThroughALinkThatNobodyRead(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	j := mustOpen(t, dir, c)
	a := mustBegin(t, j, chairs(t))
	mustEnd(t, j, a.ID, madeLink("0-a1b2c3d", hundredfold))
	j.Close()
	j = mustOpen(t, dir, c)
	got := mustAttempt(t, j, a.ID)
	if len(got.CreatedLink.Differs) != 1 || got.CreatedLink.Differs[0].String() != hundredfold.String() || !got.MustBeRead() {
		t.Fatalf("kept %+v", got.CreatedLink)
	}
	if got := unfinished(t, j); len(got) != 1 || got[0] != a.ID {
		t.Errorf("unfinished are %v", got)
	}
	pay := initiation(t, 12000)
	pay.Link = "0-a1b2c3d"
	for _, alias := range []api.Alias{"0-A1B2C3D", "0-a1b2c3d"} {
		pay.Link = alias
		_, err := j.Begin(t.Context(), pay, ledger.Payer{}, nil)
		if why := unavailableText(t, err); !errors.Is(err, api.ErrNotSent) || !strings.Contains(why, "differs from what was asked") {
			t.Error(why)
		}
	}
	if err := j.DifferenceRead(t.Context(), shop, "0-a1b2c3d"); err != nil {
		t.Fatal(err)
	}
	mustBegin(t, j, pay)
	read := mustAttempt(t, j, a.ID)
	if read.MustBeRead() || read.DecidedBy.User != "ada" || read.DecidedAt.IsZero() || len(read.CreatedLink.Differs) != 1 {
		t.Errorf("%+v", read)
	}
	if got := unfinished(t, j); len(got) != 0 {
		t.Errorf("unfinished are %v", got)
	}
	if err := j.DifferenceRead(t.Context(), shop, "0-a1b2c3d"); err != nil {
		t.Fatal(err)
	}
	events, err := j.Timeline(t.Context(), a.ID)
	if err != nil || len(events) != 4 || events[2].Detail != hundredfold.String() || events[3].Detail != "difference read" {
		t.Errorf("%+v, %v", events, err)
	}
}

func TestWhatAnAnswerLacksComesBack(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, chairs(t))
	r := madeLink("0-a1b2c3d")
	r.Link.Lacks = []api.Text{api.Clean("name"), api.Clean("amount")}
	mustEnd(t, j, a.ID, r)
	if got := mustAttempt(t, j, a.ID).CreatedLink; len(got.Lacks) != 2 || got.Lacks[1].Line(0) != "amount" || got.Differs != nil {
		t.Errorf("%+v", got)
	}
}

func TestALinkOfTheOtherEnvironmentIsReadBeforeItIsUsed(t *testing.T) {
	t.Parallel()
	for word, differs := range map[string]bool{"Live": true, "production": true, "Test": false, "Sandbox": false, "": false} {
		j := mustOpen(t, "", newClock())
		a := mustBegin(t, j, chairs(t))
		r := madeLink("0-a1b2c3d")
		r.Link.Environment = api.Clean(word)
		mustEnd(t, j, a.ID, r)
		if got := mustAttempt(t, j, a.ID); got.MustBeRead() != differs {
			t.Errorf("%q: must it be read: %v", word, got.MustBeRead())
		}
	}
}
