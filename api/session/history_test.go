package session_test

import (
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// In a list of many payments too, an amount that changed is a mismatch.
func TestAnAmountThatChangesIsAMismatchOfAPaymentMadeElsewhere(t *testing.T) {
	s := &service{status: "PENDING", amount: gbp(t, "12.50")}
	tracker := tracked(t, s)
	differs := func() ledger.Mismatch {
		_, _ = tracker.Transaction(t.Context(), "ref-8")
		all, err := tracker.Mismatches(t.Context(), []api.Reference{"ref-8"})
		noError(t, err)
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
		noError(t, again.Reload(t.Context()))
		e := onlyEntry(t, again)
		if got := e.Payment().BankAuthRefused.Line(0); got != c.refused || !e.CustomerMustAct() {
			t.Errorf("refused because %q, want %q; the customer must act: %v", got, c.refused, e.CustomerMustAct())
		}
	}
}
