package journal_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// timeline formats a timeline: seconds, what, detail, source, and how often.
func timeline(t testing.TB, j *journal.Journal, id ledger.ID, since time.Time) (all []string) {
	t.Helper()
	events, err := j.Timeline(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		line := fmt.Sprintf("%d %s [%s] %s", int(e.At.Sub(since).Seconds()), e.What, e.Detail, e.Source)
		if e.Times != 1 || !e.Until.IsZero() {
			line += fmt.Sprintf(" %d times until %d", e.Times, int(e.Until.Sub(since).Seconds()))
		}
		if e.By.User != "ada" {
			line += " by " + e.By.User
		}
		all = append(all, line)
	}
	return all
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestATimelineTellsTheWholePayment(t *testing.T) {
	t.Parallel()
	c := newClock()
	start := c.at
	j := mustOpen(t, "", c)
	ctx := t.Context()
	a := mustBegin(t, j, initiation(t, 1250))
	c.advance(time.Second)
	mustEnd(t, j, a.ID, accepted("REF-1", "INITIATED"))
	c.advance(time.Second)
	noError(t, j.RecordChallenge(ctx, shop, "REF-1"))
	noError(t, j.RecordChallenge(ctx, shop, "REF-1"))
	for range 3 {
		c.advance(time.Second)
		noError(t, j.RecordStatus(ctx, shop, "REF-1", api.ParseStatus("PENDING")))
	}
	c.advance(time.Second)
	noError(t, j.CustomerDone(ctx, shop, "REF-1"))
	c.advance(time.Second)
	f := mustBegin(t, j, ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: "REF-1"})
	c.advance(time.Second)
	mustEnd(t, j, f.ID, ledger.Result{Outcome: ledger.Accepted})
	c.advance(time.Second)
	noError(t, j.RecordStatus(ctx, shop, "REF-1", api.ParseStatus("SUCCESSFUL")))
	c.advance(time.Second)
	noError(t, j.RecordStatus(ctx, shop, "REF-1", api.ParseStatus("PENDING")))
	noError(t, j.RecordStatus(ctx, shop, "REF-2", api.ParseStatus("PENDING"))) // not in the journal
	want := []string{
		"0 sent [] this console",
		"1 accepted [REF-1] this console",
		"1 status [INITIATED] initiate 1 times until 1",
		"2 customer asked to authorise [] authenticate 2 times until 2",
		"3 status [PENDING] status 3 times until 5",
		"6 customer done [] person 1 times until 6",
		"7 finalize sent [] this console",
		"8 finalize accepted [] this console",
		"9 status [SUCCESSFUL] status 1 times until 9",
		"10 mismatch [the final status SUCCESSFUL was followed by PENDING] status 1 times until 10",
		"10 status [PENDING] status 1 times until 10",
	}
	if diff := cmp.Diff(want, timeline(t, j, a.ID, start)); diff != "" {
		t.Error(diff)
	}
	got := mustAttempt(t, j, a.ID)
	if got.Status.State != api.Successful || !got.StatusAt.Equal(start.Add(9*time.Second)) {
		t.Errorf("a final status did not stand: %+v", got)
	}
	if !got.Finalized || !got.Challenged || !got.CustomerDone || !got.FinalizeUnresolvedAt.IsZero() || got.UnderWay() {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff([]string{"7 sent [] this console", "8 accepted [REF-1] this console"}, timeline(t, j, f.ID, start)); diff != "" {
		t.Error(diff)
	}
	if _, err := j.Timeline(ctx, "nothere123"); !errors.Is(err, ledger.ErrNotFound) {
		t.Error(err)
	}
}

func TestALostFinalizeIsTiedToItsPaymentUntilTheStatusShowsWhatBecameOfIt(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]ledger.Outcome{"SUCCESSFUL": ledger.Accepted, "FAILED": ledger.Refused} {
		c := newClock()
		j := mustOpen(t, "", c)
		a := mustBegin(t, j, initiation(t, 1250))
		mustEnd(t, j, a.ID, accepted("REF-1", "PENDING"))
		f := mustBegin(t, j, ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: "REF-1"})
		c.advance(5 * time.Second)
		mustEnd(t, j, f.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "the answer was cut short"})
		if got := mustAttempt(t, j, a.ID); !got.FinalizeUnresolvedAt.Equal(c.at) || got.Finalized {
			t.Errorf("%+v", got)
		}
		if got := unfinished(t, j); len(got) != 2 || got[0] != f.ID || got[1] != a.ID {
			t.Error(got)
		}
		c.advance(time.Second)
		noError(t, j.RecordStatus(t.Context(), shop, "REF-1", api.ParseStatus(word)))
		if got := mustAttempt(t, j, f.ID); got.Outcome != want || got.IsUnresolved() {
			t.Errorf("%s: %+v", word, got)
		}
		if got := mustAttempt(t, j, a.ID); !got.FinalizeUnresolvedAt.IsZero() || got.Finalized != (want == ledger.Accepted) {
			t.Errorf("%s: %+v", word, got)
		}
		if got := unfinished(t, j); got != nil {
			t.Errorf("%s: %v", word, got)
		}
	}
}

func TestAFinalStatusDoesNotReplaceADecision(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("REF-1", "PENDING"))
	f := unresolved(t, j, ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: "REF-1"})
	decide(t, j, f.ID, ledger.GaveUp, "")
	noError(t, j.RecordStatus(t.Context(), shop, "REF-1", api.ParseStatus("SUCCESSFUL")))
	if got := mustAttempt(t, j, f.ID); got.Outcome != ledger.Unresolved || got.Decision != ledger.GaveUp {
		t.Errorf("%s, %s", got.Outcome, got.Decision)
	}
}

func TestAPaymentIsFinalizedByAnyOfItsFinalizes(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("REF-1", "PENDING"))
	finalize := func(want ledger.Outcome) ledger.Attempt {
		f := mustBegin(t, j, ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: "REF-1"})
		if want != ledger.Sent {
			mustEnd(t, j, f.ID, ledger.Result{Outcome: want})
		}
		c.advance(time.Second)
		return f
	}
	finalize(ledger.Refused)
	finalize(ledger.NotSent)
	lost := finalize(ledger.Sent)
	c.advance(time.Hour) // it was lost no later than 100 seconds after it was sent
	mustAttempt(t, j, lost.ID)
	finalize(ledger.Accepted)
	got := mustAttempt(t, j, a.ID)
	if !got.Finalized || !got.FinalizeUnresolvedAt.Equal(lost.At.Add(100*time.Second)) {
		t.Errorf("finalized: %v, the lost finalize: %v", got.Finalized, got.FinalizeUnresolvedAt)
	}
}

// One in ten references of sixteen digits passes for a card number. The service assigns them,
// and without its reference a payment cannot be looked up.
func TestAReferenceThatLooksLikeACardNumberIsKeptAsTheServiceMadeIt(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted(typedPAN, "PENDING"))
	f := mustBegin(t, j, ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: typedPAN})
	mustEnd(t, j, f.ID, ledger.Result{Outcome: ledger.Accepted})
	got, err := j.Payment(t.Context(), shop, typedPAN)
	if err != nil || got.ID != a.ID || !got.Finalized {
		t.Errorf("%+v %v", got, err)
	}
}

func TestAStatusThatReturnsIsALineOfItsOwn(t *testing.T) {
	t.Parallel()
	c := newClock()
	start := c.at
	j := mustOpen(t, "", c)
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("REF-1", "PENDING"))
	for _, word := range []string{"PENDING", "odd", "PENDING"} {
		c.advance(time.Second)
		noError(t, j.RecordStatus(t.Context(), shop, "REF-1", api.ParseStatus(word)))
	}
	want := []string{
		"0 sent [] this console", "0 accepted [REF-1] this console",
		"0 status [PENDING] initiate 2 times until 1", "2 status [odd] status 1 times until 2", "3 status [PENDING] status 1 times until 3",
	}
	if diff := cmp.Diff(want, timeline(t, j, a.ID, start)); diff != "" {
		t.Error(diff)
	}
}

func TestLinksSumUpWhatWasPaid(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	ctx := t.Context()
	create := func(alias, name string) ledger.Attempt {
		c.advance(time.Minute)
		a := mustBegin(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: pounds(t, 500), Draft: api.LinkDraft{Name: name}})
		mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Accepted, Link: &api.Link{Alias: api.Alias(alias), Name: api.Clean(name)}})
		return a
	}
	spring, autumn := create("spring-1", "Spring Sale"), create("autumn-1", "Autumn")
	mustBegin(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: pounds(t, 1)}) // its alias is not known yet
	naira := must(money.ParseCurrency("NGN"))
	var last time.Time
	for n, p := range []struct {
		alias, status string
		currency      money.Currency
	}{
		{"spring-1", "SUCCESSFUL", naira}, {"spring-1", "SUCCESSFUL", pounds(t, 0).Currency}, {"spring-1", "Successfull", naira},
		{"spring-1", "PENDING", naira}, {"spring-1", "FAILED", naira}, {"spring-1", "", naira}, {"", "SUCCESSFUL", naira},
	} {
		c.advance(time.Minute)
		a := mustBegin(t, j, ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Link: api.Alias(p.alias), Amount: money.Amount{Minor: int64(100 + n), Currency: p.currency}})
		if p.status != "" {
			mustEnd(t, j, a.ID, accepted(fmt.Sprint("REF-", n), p.status))
			if p.alias != "" {
				last = a.At
			}
		} else {
			mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Refused})
		}
	}
	all, err := j.Links(ctx, shop)
	if err != nil || len(all) != 2 || all[0].ID != autumn.ID || all[1].ID != spring.ID {
		t.Fatal(all, err)
	}
	if l := all[0]; l.Paid != 0 || l.Accepted != 0 || l.Total != nil || !l.LastUsed.IsZero() {
		t.Errorf("%+v", l)
	}
	l := all[1]
	total := []money.Amount{pounds(t, 101), {Minor: 202, Currency: naira}}
	if diff := cmp.Diff(total, l.Total, same); diff != "" || l.Paid != 3 || l.Accepted != 5 || !l.LastUsed.Equal(last) || l.CreatedLink.Name.Line(0) != "Spring Sale" {
		t.Errorf("%s %+v", diff, l)
	}
	for _, l := range all {
		if paid, err := j.LinkPaid(ctx, shop, l.Link); err != nil || paid != (l.Paid > 0) {
			t.Errorf("%s is paid: %v (%v)", l.Link, paid, err)
		}
	}
	for text, want := range map[string]int{"SPRING s": 1, "autumn-1": 1, "winter": 0, string(spring.ID): 1, " sale ": 1} {
		if _, got, err := j.Attempts(ctx, journal.Filter{Query: containing(text), Kind: ledger.CreateLink}, 0, 9); got != want || err != nil {
			t.Errorf("%q finds %d: %v", text, got, err)
		}
	}
}

func TestPurgingDeletesOldAttemptsAndKeepsUnresolvedOnes(t *testing.T) {
	t.Parallel()
	c := newClock()
	dir := newDir(t)
	j := mustOpen(t, dir, c)
	first := c.at
	old := mustBegin(t, j, initiation(t, 1))
	mustEnd(t, j, old.ID, accepted("REF-1", "SUCCESSFUL"))
	unknown := unresolved(t, j, initiation(t, 2))
	given := unresolved(t, j, initiation(t, 3))
	decide(t, j, given.ID, ledger.GaveUp, "")
	c.advance(time.Hour)
	under := mustBegin(t, j, initiation(t, 4))
	mustEnd(t, j, under.ID, accepted("REF-4", "PENDING"))
	c.advance(time.Hour)
	young := mustBegin(t, j, initiation(t, 5))
	mustEnd(t, j, young.ID, ledger.Result{Outcome: ledger.Refused})
	want := journal.PurgeResult{Attempts: 3, Oldest: first, Newest: first.Add(time.Hour), Kept: 1}
	preview, err := j.PurgePreview(t.Context(), c.at)
	if diff := cmp.Diff(want, preview); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, n, _ := j.Attempts(t.Context(), journal.Filter{}, 0, 1); n != 5 {
		t.Errorf("the preview left %d", n)
	}
	took, err := j.Purge(t.Context(), c.at)
	if diff := cmp.Diff(want, took); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, a := range []ledger.Attempt{unknown, young} {
		mustAttempt(t, j, a.ID)
	}
	if _, err := j.Timeline(t.Context(), old.ID); !errors.Is(err, ledger.ErrNotFound) {
		t.Error(err)
	}
	j.Close()
	c.advance(90*24*time.Hour + time.Second)
	j = mustOpen(t, dir, c)
	all, n, err := j.Attempts(t.Context(), journal.Filter{}, 0, 10)
	if n != 1 || err != nil || all[0].ID != unknown.ID {
		t.Errorf("after 90 days: %v %v", all, err)
	}
}

func TestFiltersChoose(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	ctx := t.Context()
	start := c.at
	one := mustBegin(t, j, ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Amount: pounds(t, 1), Channel: "Card", Card: "4242", Link: "spring-1"})
	mustEnd(t, j, one.ID, accepted("Ref-AB", "Successfull"))
	c.advance(24 * time.Hour)
	other := ledger.Destination{Profile: "other", Environment: "LIVE", Host: "pay.example.com"}
	two := mustBegin(t, j, ledger.Attempt{Kind: ledger.Initiate, Destination: other, Amount: money.Amount{Minor: 2, Currency: must(money.ParseCurrency("NGN"))}, Channel: "PayByTransfer"})
	mustEnd(t, j, two.ID, ledger.Result{Outcome: ledger.Unresolved})
	decide(t, j, two.ID, ledger.GaveUp, "")
	three := mustBegin(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: pounds(t, 3)})
	mustEnd(t, j, three.ID, ledger.Result{Outcome: ledger.Accepted, Link: &api.Link{Alias: "autumn-1", Name: api.Clean("Écoles")}})
	for name, f := range map[string]struct {
		journal.Filter
		want []ledger.ID
	}{
		"nothing":    {journal.Filter{}, []ledger.ID{three.ID, two.ID, one.ID}},
		"reference":  {journal.Filter{Query: containing("rEF-ab")}, []ledger.ID{one.ID}},
		"last four":  {journal.Filter{Query: containing("4242")}, []ledger.ID{one.ID}},
		"link name":  {journal.Filter{Query: containing("éCOL")}, []ledger.ID{three.ID}},
		"alias":      {journal.Filter{Query: containing("-1")}, []ledger.ID{three.ID, one.ID}},
		"channel":    {journal.Filter{Query: containing("bytrans")}, []ledger.ID{two.ID}},
		"id":         {journal.Filter{Query: containing(string(two.ID))}, []ledger.ID{two.ID}},
		"wild cards": {journal.Filter{Query: containing("%")}, nil},
		"outcome":    {journal.Filter{Query: asks(`outcome:accepted`)}, []ledger.ID{three.ID, one.ID}},
		"decided":    {journal.Filter{Query: asks(`outcome:unresolved`)}, nil}, // somebody has given it up
		"verdict":    {journal.Filter{Query: asks(`outcome:gave-up`)}, []ledger.ID{two.ID}},
		"status":     {journal.Filter{Query: asks("status:SUCCESSFUL")}, []ledger.ID{one.ID}},
		"currency":   {journal.Filter{Query: asks("currency:NGN")}, []ledger.ID{two.ID}},
		"from":       {journal.Filter{From: c.at}, []ledger.ID{three.ID, two.ID}},
		"to":         {journal.Filter{To: c.at}, []ledger.ID{one.ID}},
		"day":        {journal.Filter{From: start, To: start.Add(1)}, []ledger.ID{one.ID}},
		"user":       {journal.Filter{Query: asks("operator:ada")}, []ledger.ID{three.ID, two.ID, one.ID}},
		"no user":    {journal.Filter{Query: asks("operator:ben")}, nil},
		"kind":       {journal.Filter{Kind: ledger.CreateLink}, []ledger.ID{three.ID}},
		"two parts":  {journal.Filter{Query: asks("gbp spring")}, []ledger.ID{one.ID}},
	} {
		all, n, err := j.Attempts(ctx, f.Filter, 0, 10)
		var got []ledger.ID
		for _, a := range all {
			got = append(got, a.ID)
		}
		if diff := cmp.Diff(f.want, got); diff != "" || n != len(f.want) || err != nil {
			t.Errorf("%s: %d, %v\n%s", name, n, err, diff)
		}
	}
	if all, n, _ := j.Attempts(ctx, journal.Filter{}, 1, 1); n != 3 || len(all) != 1 || all[0].ID != two.ID {
		t.Errorf("the second page: %d %+v", n, all)
	}
	choices, err := j.Choices(ctx)
	want := journal.Choices{
		Statuses: []string{"SUCCESSFUL"}, Outcomes: []string{"accepted", "gave up"}, Currencies: []string{"GBP", "NGN"},
		Users: []string{"ada"},
	}
	if diff := cmp.Diff(want, choices); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
