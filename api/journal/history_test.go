package journal_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
)

// told is a history as its lines say it: seconds, what, detail, source.
func told(t testing.TB, j *journal.Journal, ref api.Reference, since time.Time) (all []string) {
	t.Helper()
	events, err := j.PaymentTimeline(t.Context(), shop, ref)
	noError(t, err)
	for _, l := range journal.Lines(events) {
		words := fmt.Sprintf("%d %s [%s] %s", int(l.At.Sub(since).Seconds()), l.What, l.Detail, l.From)
		if l.AfterFinal {
			words += ", after final"
		}
		all = append(all, strings.TrimSpace(words))
	}
	return all
}

func TestTheHistoryOfAPaymentIsTheSameAfterARestart(t *testing.T) {
	dir, c := newDir(t), newClock()
	start := c.at
	j := mustOpen(t, dir, c)
	check := func(status string) {
		t.Helper()
		c.advance(time.Second)
		noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "REF-1", status, 1250)))
	}
	check("INITIATED") // looked up before it was known to be ours
	a := unresolved(t, j, initiation(t, 1250))
	decide(t, j, a.ID, journal.Found, "REF-1")
	check("INITIATED")
	noError(t, j.RecordChallenge(t.Context(), shop, "REF-1"))
	check("PENDING")
	check("pending") // the same in another spelling
	f := mustBegin(t, j, journal.Attempt{Kind: journal.Finalize, Destination: shop, Reference: "REF-1"})
	c.advance(time.Second)
	mustEnd(t, j, f.ID, journal.Result{Outcome: journal.Unresolved, Why: "the answer was cut short"})
	check("SUCCESSFUL")
	check("Successfull")
	check("FAILED")
	ada := "ada on till from 192.0.2.7"
	want := []string{
		"1 status [INITIATED] look-up",
		"1 sent [] " + ada,
		"1 unresolved [the answer was cut short] this console",
		"1 decided [found as REF-1] " + ada,
		"2 customer asked to authorise [] bank's check",
		"3 status [PENDING] check",
		"4 finalize sent [] " + ada,
		"5 finalize unresolved [the answer was cut short] this console",
		"6 status [SUCCESSFUL] check",
		"6 finalize accepted [the payment is SUCCESSFUL] check",
		"8 mismatch [the final status SUCCESSFUL was followed by FAILED] check",
		"8 status [FAILED] check, after final",
	}
	for range 2 {
		if diff := cmp.Diff(want, told(t, j, "REF-1", start)); diff != "" {
			t.Error(diff)
		}
		j.Close()
		c.advance(time.Hour)
		j = mustOpen(t, dir, c)
	}
}

func TestAFinalizeIsLostUntilSomethingShowsWhatBecameOfIt(t *testing.T) {
	for _, end := range []string{"", "accepted", "given up", "SUCCESSFUL", "PENDING"} {
		c := newClock()
		j := mustOpen(t, "", c)
		a := mustBegin(t, j, initiation(t, 1250))
		mustEnd(t, j, a.ID, accepted("REF-1", "PENDING"))
		c.advance(time.Second)
		f := unresolved(t, j, journal.Attempt{Kind: journal.Finalize, Destination: shop, Reference: "REF-1"})
		sent := c.at
		c.advance(2 * time.Minute)
		switch end {
		case "accepted":
			again := mustBegin(t, j, journal.Attempt{Kind: journal.Finalize, Destination: shop, Reference: "REF-1"})
			mustEnd(t, j, again.ID, journal.Result{Outcome: journal.Accepted})
		case "given up":
			decide(t, j, f.ID, journal.GaveUp, "")
		case "":
		default:
			noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "REF-1", end, 1250)))
		}
		events, err := j.PaymentTimeline(t.Context(), shop, "REF-1")
		noError(t, err)
		lost, is := journal.LostFinalize(events)
		if want := end == "" || end == "PENDING"; is != want || want && (!lost.At.Equal(sent) || lost.By.User != "ada") {
			t.Errorf("%q: lost %v, %+v", end, is, lost)
		}
	}
}

// A console without a journal words its history in the same way.
func TestEventsThatRepeatTheLastAreNotAdded(t *testing.T) {
	at := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	status := func(word, from string) journal.Event { return journal.StatusEvent(api.ParseStatus(word), from, at) }
	all := journal.WithEvents(nil, status("PENDING", journal.FromInitiation), status("PENDING", journal.FromCheck),
		status("odd", journal.FromCheck), status("other", journal.FromCheck), status("SUCCESSFUL", journal.FromCheck))
	var got []string
	for _, l := range journal.Lines(all) {
		got = append(got, l.Detail+" "+l.From)
	}
	if diff := cmp.Diff([]string{"PENDING initiation", "odd check", "other check", "SUCCESSFUL check"}, got); diff != "" {
		t.Error(diff)
	}
	claimed := journal.WithEvents(nil, status("SUCCESSFUL", journal.FromInitiation), status("SUCCESSFUL", journal.FromCheck))
	if len(claimed) != 2 {
		t.Errorf("a claim is taken for a final status: %+v", claimed)
	}
}

func TestAFinalizeIsLostAgainWhenTheDecisionAboutItIsTakenBack(t *testing.T) {
	c := newClock()
	j := mustOpen(t, "", c)
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("REF-1", "PENDING"))
	f := mustBegin(t, j, journal.Attempt{Kind: journal.Finalize, Destination: shop, Reference: "REF-1"})
	mustEnd(t, j, f.ID, journal.Result{Outcome: journal.Unresolved, Why: "lost"})
	lost := func() bool {
		events, err := j.Timeline(t.Context(), a.ID)
		if err != nil {
			t.Fatal(err)
		}
		_, ok := journal.LostFinalize(events)
		return ok
	}
	if !lost() {
		t.Error("it is not lost")
	}
	for _, step := range []struct {
		decision journal.Decision
		lost     bool
	}{{journal.GaveUp, false}, {journal.Undecided, true}} {
		c.advance(time.Hour)
		if err := j.Decide(t.Context(), mustAttempt(t, j, f.ID), step.decision, ""); err != nil {
			t.Fatal(err)
		}
		if lost() != step.lost {
			t.Errorf("after %q it is lost: %v", step.decision, lost())
		}
	}
}
