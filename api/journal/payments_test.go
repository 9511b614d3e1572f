package journal_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// eachPayment formats what EachPayment returns, each attempt on a line.
func eachPayment(t testing.TB, j *journal.Journal, d ledger.Destination) (all []string) {
	t.Helper()
	noError(t, j.EachPayment(t.Context(), d, func(some []journal.PaymentRecord) error {
		for _, a := range some {
			all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s %s %s", a.Kind, a.Outcome, a.Reference, a.Decision, a.Amount)))
		}
		return nil
	}))
	return all
}

func TestEachPaymentThatMayHaveBeenMadeFromHereIsReadOnce(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	end := func(a ledger.Attempt, r ledger.Result) ledger.Attempt {
		t.Helper()
		a = mustBegin(t, j, a)
		mustEnd(t, j, a.ID, r)
		c.advance(time.Second)
		return a
	}
	lost := ledger.Result{Outcome: ledger.Unresolved, Why: "cut off"}
	end(initiation(t, 100), accepted("REF-1", "PENDING"))
	end(initiation(t, 101), ledger.Result{Outcome: ledger.Refused, Why: "no"})
	end(initiation(t, 102), ledger.Result{Outcome: ledger.NotSent, Why: "no"})
	end(initiation(t, 103), lost)
	never := end(initiation(t, 104), lost)
	end(ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Draft: api.LinkDraft{Name: "mug"}}, lost)
	elsewhere := initiation(t, 105)
	elsewhere.Destination = ledger.Destination{Profile: "shop", Environment: "TEST", Host: "other.example"}
	end(elsewhere, accepted("REF-2", "PENDING"))
	finalize := func(ref string, r ledger.Result) {
		end(ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: api.Reference(ref)}, r)
		c.advance(time.Hour)
	}
	finalize("REF-1", ledger.Result{Outcome: ledger.Accepted}) // of a payment made from here
	finalize("LINK-1", lost)
	finalize("LINK-1", ledger.Result{Outcome: ledger.Accepted})
	finalize("LINK-2", ledger.Result{Outcome: ledger.Accepted})
	finalize("LINK-3", ledger.Result{Outcome: ledger.Refused, Why: "no"})
	finalize("REF-2", ledger.Result{Outcome: ledger.Accepted}) // at another service that was a payment from here
	noError(t, j.Decide(t.Context(), mustAttempt(t, j, never.ID), ledger.NotFound, ""))
	mustBegin(t, j, initiation(t, 106)) // not answered yet
	want := []string{
		"initiate accepted REF-1  1.00 GBP", "initiate unresolved   1.03 GBP", "initiate unresolved  not found 1.04 GBP",
		"finalize accepted LINK-1  0 minor units", "finalize accepted LINK-2  0 minor units", "finalize accepted REF-2  0 minor units", "initiate sent   1.06 GBP",
	}
	if diff := cmp.Diff(want, eachPayment(t, j, shop)); diff != "" {
		t.Error(diff)
	}
	moved := shop
	moved.Host = "127.0.0.1:1"
	if got := eachPayment(t, j, moved); len(got) != 0 {
		t.Errorf("another service has %q", got)
	}
	if got := eachPayment(t, mustOpen(t, "", c), shop); len(got) != 0 {
		t.Errorf("an empty journal has %q", got)
	}
}
