package journal_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/servicetest"
	"paydesk/api/timely"
)

// timeline formats a timeline: seconds, what, detail, source, and how often.
func timeline(t testing.TB, j *journal.Journal, id ledger.ID, since time.Time) (all []string) {
	t.Helper()
	_, events, err := j.History(t.Context(), id)
	noError(t, err)
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

var noError = timely.Must

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
	noError(t, j.Happened(ctx, shop, "REF-1", ledger.Challenged{}))
	noError(t, j.Happened(ctx, shop, "REF-1", ledger.Challenged{}))
	for range 3 {
		c.advance(time.Second)
		noError(t, j.RecordStatus(ctx, shop, "REF-1", api.ParseStatus("PENDING")))
	}
	c.advance(time.Second)
	noError(t, j.Happened(ctx, shop, "REF-1", ledger.CustomerDone{}))
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
	j.ForgetKey()
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
	if _, _, err := j.History(ctx, "nothere123"); !errors.Is(err, ledger.ErrNotFound) {
		t.Error(err)
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
		} else {
			mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Refused})
		}
	}
	differs := mustBegin(t, j, ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Link: "spring-1", Amount: pounds(t, 900)})
	mustEnd(t, j, differs.ID, accepted("REF-9", "PENDING"))
	noError(t, j.RecordTransaction(ctx, shop, lookedUp(t, "REF-9", "SUCCESSFUL", 901)))
	last = differs.At
	all, err := j.Links(ctx, shop)
	if err != nil || len(all) != 2 || all[0].ID != autumn.ID || all[1].ID != spring.ID {
		t.Fatal(all, err)
	}
	if l := all[0]; l.Paid != 0 || l.Accepted != 0 || l.Total != nil || !l.LastUsed.IsZero() {
		t.Errorf("%+v", l)
	}
	l := all[1]
	total := []money.Amount{pounds(t, 101), {Minor: 202, Currency: naira}}
	if diff := cmp.Diff(total, l.Total, same); diff != "" || l.Paid != 3 || l.Accepted != 6 || l.Differ != 1 || !l.LastUsed.Equal(last) || l.CreatedLink.Name.Line(0) != "Spring Sale" {
		t.Errorf("%s %+v", diff, l)
	}
	for _, l := range all {
		if one, err := j.Link(ctx, shop, l.Link); err != nil || cmp.Diff(l, one, same) != "" {
			t.Errorf("%s: %s (%v)", l.Link, cmp.Diff(l, one, same), err)
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
	if _, _, err := j.History(t.Context(), old.ID); !errors.Is(err, ledger.ErrNotFound) {
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

// Two consoles finalize the same payment at the same moment, again and again: one request goes out.
func TestOfTwoConsolesThatFinalizeAtOnceOneSends(t *testing.T) {
	t.Parallel()
	for range repeats(5, 200) {
		finalizeTwiceAtOnce(t)
	}
}

func finalizeTwiceAtOnce(t *testing.T) {
	t.Helper()
	dir := newDir(t)
	service := &servicetest.Counter{}
	var failed [2]error
	var group sync.WaitGroup
	start := make(chan struct{})
	for i := range failed {
		j, err := openJournal(t.Context(), journal.Options{Dir: dir})
		noError(t, err)
		defer j.Close()
		console := journal.NewRecorder(service, j, shop, nil)
		group.Go(func() {
			<-start
			_, failed[i] = console.Finalize(context.Background(), "REF-1")
			if errors.Is(failed[i], api.ErrNotSent) && console.Trouble() != nil {
				t.Errorf("sending is disabled: %v", console.Trouble())
			}
		})
	}
	close(start)
	group.Wait()
	if n := service.Calls(api.OpFinalize); n != 1 || errors.Is(failed[0], api.ErrNotSent) == errors.Is(failed[1], api.ErrNotSent) {
		t.Fatalf("sent %d times: %v, %v", n, failed[0], failed[1])
	}
}

// A reference that was typed, or named by the list alone, may look like a card number, and is recorded as a line without.
func TestAFinalizeOfAnUnknownReferenceIsSentOnce(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	f := ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: "4242424242424242"}
	mustBegin(t, j, f)
	if _, err := j.Begin(t.Context(), f, ledger.Payer{}, nil); err == nil {
		t.Error("it is sent again")
	}
}

// answer is what the status endpoint answers about REF-1.
func answer(status string, amount money.Amount) api.PaymentStatus {
	return api.PaymentStatus{Reference: "REF-1", Status: api.ParseStatus(status), Amount: amount, HasAmount: true}
}

// A status may be answered in other letter case, so a reference in it is not another payment; also where the answer to an
// unresolved attempt named it. At another service it is.
func TestAReferenceInOtherLetterCaseIsTaken(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a, b := mustBegin(t, j, initiation(t, 1250)), mustBegin(t, j, initiation(t, 990))
	mustEnd(t, j, a.ID, accepted("Ref-1", "PENDING"))
	if err := j.End(t.Context(), b.ID, accepted("rEF-1", "PENDING")); api.OutcomeOf(err) != api.OutcomeUnresolved {
		t.Error(err)
	}
	why := unavailableText(t, j.Decide(t.Context(), mustAttempt(t, j, b.ID), ledger.Deciding{Decision: ledger.Found, As: "REF-1"}))
	if want := "Attempt " + string(a.ID) + " has this reference already."; !strings.Contains(why, want) {
		t.Error(why)
	}
	told, other := mustBegin(t, j, initiation(t, 800)), mustBegin(t, j, initiation(t, 700))
	mustEnd(t, j, told.ID, ledger.Result{Outcome: ledger.Unresolved, Named: "REF-2"})
	err := j.End(t.Context(), other.ID, accepted("ref-2", "PENDING"))
	if api.OutcomeOf(err) != api.OutcomeUnresolved || !strings.Contains(err.Error(), string(told.ID)) {
		t.Error(err)
	}
	elsewhere := initiation(t, 1250)
	elsewhere.Destination = ledger.Destination{Profile: "live", Environment: "LIVE", Host: "live.example.com"}
	mustEnd(t, j, mustBegin(t, j, elsewhere).ID, accepted("Ref-1", "PENDING"))
}

func TestASecondLinkWithTheAliasOfTheFirstIsUnresolved(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	made := ledger.Result{Outcome: ledger.Accepted, Link: &api.Link{Alias: "0-abc", Name: api.Clean("Dues")}}
	a := mustBegin(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: pounds(t, 700)})
	b := mustBegin(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: pounds(t, 800)})
	mustEnd(t, j, a.ID, made)
	if err := j.End(t.Context(), b.ID, made); !errors.Is(err, api.ErrUnresolved) {
		t.Fatal(err)
	}
	if got := mustAttempt(t, j, b.ID); !got.IsUnresolved() || got.Named != "0-abc" || got.CreatedLink != nil {
		t.Errorf("%+v", got)
	}
	links, err := j.Links(t.Context(), shop)
	if err != nil || len(links) != 1 || links[0].ID != a.ID {
		t.Errorf("%+v %v", links, err)
	}
}

// The same answer again needs no other decision; another one does.
func TestOnlyAnotherAnswerChangesAMismatch(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("REF-1", "INITIATED"))
	noError(t, j.RecordTransaction(t.Context(), shop, answer("PENDING", pounds(t, 125000))))
	noError(t, j.RecordTransaction(t.Context(), shop, api.PaymentStatus{Reference: "REF-1", Status: api.ParseStatus("PENDING")}))
	if m := mustAttempt(t, j, a.ID).Mismatch; !m.AgreesAt.IsZero() || strings.Contains(strings.Join(timeline(t, j, a.ID, c.at), "\n"), "answer agrees") {
		t.Errorf("an answer without an amount agrees: %+v", m)
	}
	decide(t, j, a.ID, ledger.AnswerRight, "")
	for _, minor := range []int64{125000, 1251} {
		noError(t, j.RecordTransaction(t.Context(), shop, answer("PENDING", pounds(t, minor))))
		if m := mustAttempt(t, j, a.ID).Mismatch; m.Undecided() != (minor == 1251) {
			t.Errorf("after the answer %d: %+v", minor, m)
		}
	}
}
