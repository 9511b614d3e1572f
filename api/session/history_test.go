package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
)

// told is the history of a payment as a screen has it.
func told(d *session.Tracker, r api.Reference, since time.Time) (all []string) {
	e, _ := d.Find(r)
	for _, l := range ledger.Lines(e.History) {
		words := fmt.Sprintf("%.0f %s [%s] %s", l.At.Sub(since).Seconds(), l.What, l.Detail, l.From)
		if l.AfterFinal {
			words += ", after final"
		}
		all = append(all, words)
	}
	return all
}

// live walks a payment through all that can be observed of it.
func live(t *testing.T, d *session.Tracker, s *service) {
	t.Helper()
	check := func(word string) {
		time.Sleep(time.Second)
		s.status = word
		if _, err := d.Transaction(t.Context(), "ref-1"); err != nil {
			t.Error(err)
		}
	}
	if _, err := d.Initiate(t.Context(), initiation(t, "0-abc")); err != nil {
		t.Error(err)
	}
	check("INITIATED")
	_, _ = d.Authenticate(t.Context(), "ref-1")
	_, _ = d.Authenticate(t.Context(), "ref-1")
	time.Sleep(time.Second)
	d.CustomerDone("ref-1")
	s.status = "PENDING"
	_, _ = d.Transaction(t.Context(), "ref-1")
	check("pending")
	time.Sleep(time.Second)
	s.err = &api.Unresolved{Kind: api.KindTimeout}
	_, _ = d.Finalize(t.Context(), "ref-1")
	s.err = nil
	time.Sleep(2 * time.Minute)
	_, _ = d.Finalize(t.Context(), "ref-1")
	check("SUCCESSFUL")
	check("FAILED")
	check("SUCCESSFUL")
}

var lived = []string{
	"0 sent [] this console",
	"0 bank URL refused [it is not https] initiation",
	"0 status [INITIATED] initiation",
	"1 customer asked to authorise [] bank's check",
	"2 customer done [] person",
	"2 status [PENDING] check",
	"4 finalize sent [] this console",
	"4 finalize unresolved [No complete response arrived in time.] this console",
	"124 finalize sent [] this console",
	"124 finalize accepted [] answer",
	"125 status [SUCCESSFUL] check",
	"126 mismatch [the final status SUCCESSFUL was followed by FAILED] check",
	"126 status [FAILED] check, after final",
	"127 status [SUCCESSFUL] check",
}

func TestAHistoryIsTheSameAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journal.New(journal.Options{})
		defer j.Close()
		s := &service{payment: challenge}
		start := time.Now()
		d := withJournal(j, s)
		live(t, d, s)
		recorded := told(d, "ref-1", start)
		// The journal alone knows what the final status says of the finalize that was lost.
		at := slices.Index(lived, "125 status [SUCCESSFUL] check") + 1
		want := slices.Insert(slices.Clone(lived), at, "125 finalize accepted [the payment is SUCCESSFUL] check")
		if diff := cmp.Diff(want, recorded); diff != "" {
			t.Error("with a journal: " + diff)
		}

		time.Sleep(26 * time.Hour)
		again := withJournal(j, s)
		if err := again.Recall(t.Context(), "ref-1"); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(recorded, told(again, "ref-1", start)); diff != "" {
			t.Error("after a restart: " + diff)
		}
	})
}

func TestAPaymentMadeElsewhereHasAHistoryToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journal.New(journal.Options{})
		defer j.Close()
		start := time.Now()
		s := &service{}
		tracker := withJournal(j, s)
		for _, s.status = range []string{"PENDING", "PENDING", "SUCCESSFUL", "FAILED"} {
			_, _ = tracker.Transaction(t.Context(), "ref-9")
		}
		want := []string{
			"0 status [PENDING] look-up", "0 status [SUCCESSFUL] look-up",
			"0 mismatch [the final status SUCCESSFUL was followed by FAILED] look-up", "0 status [FAILED] look-up, after final",
		}
		if diff := cmp.Diff(want, told(tracker, "ref-9", start)); diff != "" {
			t.Error(diff)
		}
	})
}

// In a list of many payments too, an amount that changed is a mismatch.
func TestAnAmountThatChangesIsAMismatchOfAPaymentMadeElsewhere(t *testing.T) {
	s := &service{status: "PENDING", amount: gbp(t, "12.50")}
	tracker := tracked(t, s)
	differs := func() ledger.Mismatch {
		_, _ = tracker.Transaction(t.Context(), "ref-8")
		all, err := tracker.Mismatches(t.Context(), []api.Reference{"ref-8"})
		if err != nil {
			t.Fatal(err)
		}
		return all["ref-8"]
	}
	if m := differs(); !m.IsZero() {
		t.Errorf("the first answer differs: %+v", m)
	}
	s.other, s.amount.Minor = "ref-7", 990 // about another payment: it says nothing of this one's amount
	_ = differs()
	s.other, s.amount.Minor, s.status = "", 1350, "SUCCESSFUL"
	m := differs()
	if words := m.Words(api.Asked{Reference: "ref-8"}); !strings.Contains(words, "an earlier answer was for 12.50 GBP, a later one is for 13.50 GBP") {
		t.Errorf("%q", words)
	}
	if m := differs(); m.IsZero() {
		t.Error("it differs no more")
	}
}

// A finalize of a payment made elsewhere is still lost after a restart.
func TestALostFinalizeOfAPaymentMadeElsewhereIsKnownAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journal.New(journal.Options{})
		defer j.Close()
		s := &service{status: "PENDING"}
		d := withJournal(j, s)
		_, _ = d.Transaction(t.Context(), "ref-9")
		s.err = &api.Unresolved{Kind: api.KindTimeout}
		_, _ = d.Finalize(t.Context(), "ref-9")
		lost := time.Now()
		time.Sleep(time.Minute)
		again := withJournal(j, s)
		if err := again.Recall(t.Context(), "ref-9"); err != nil {
			t.Error(err)
		}
		if e, _ := again.Find("ref-9"); !e.FinalizeLostAt().Equal(lost) {
			t.Errorf("lost at %v, want %v", e.FinalizeLostAt(), lost)
		}
	})
}

func TestAnAcceptedPaymentHasTheIDOfItsAttemptAtOnce(t *testing.T) {
	j := journal.New(journal.Options{})
	defer j.Close()
	d := withJournal(j, &service{payment: initiated})
	if _, err := d.Initiate(t.Context(), initiation(t, "")); err != nil {
		t.Fatal(err)
	}
	a, err := d.Find("ref-1")
	if !err || a.ID == "" {
		t.Errorf("%+v", a)
	}
}

// A payment that an authentication check asked the customer to authorise may have no URL, which is
// nothing unsafe; of a URL that was refused the reason stays known.
func TestAURLThatWasRefusedIsToldFromOneThatNeverCame(t *testing.T) {
	for _, c := range []struct {
		payment api.Payment
		refused string
	}{{initiated, ""}, {challenge, "it is not https"}} {
		j := journal.New(journal.Options{})
		defer j.Close()
		d := withJournal(j, &service{payment: c.payment})
		_, _ = d.Initiate(t.Context(), initiation(t, "0-abc"))
		_, _ = d.Authenticate(t.Context(), "ref-1")
		again := withJournal(j, &service{})
		if err := again.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		e := onlyEntry(t, again)
		if got := e.Payment().BankAuthRefused.Line(0); got != c.refused || !e.CustomerMustAct() {
			t.Errorf("refused because %q, want %q; the customer must act: %v", got, c.refused, e.CustomerMustAct())
		}
	}
}

// An answer about another payment changes nothing of this one but that it differs.
func TestAnAnswerAboutAnotherPaymentChangesNoStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{payment: initiated, other: "ref-2"}
		d := tracked(t, s)
		_, _ = d.Initiate(t.Context(), initiation(t, ""))
		was := onlyEntry(t, d)
		time.Sleep(time.Minute)
		s.status = "SUCCESSFUL"
		_, _ = d.Transaction(t.Context(), "ref-1")
		is := onlyEntry(t, d)
		if is.Status != was.Status || !is.StatusAt.Equal(was.StatusAt) || is.NextStep() != was.NextStep() || is.Mismatch.What != api.ReferenceDiffers {
			t.Errorf("%+v became %+v", was, is)
		}
		s.other = ""
		_, _ = d.Transaction(t.Context(), "ref-1")
		if is = onlyEntry(t, d); is.Status.State != api.Successful || !is.StatusAt.Equal(time.Now()) || is.Status.State != api.Successful {
			t.Errorf("%+v", is)
		}
	})
}
