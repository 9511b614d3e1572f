package journal

import (
	"errors"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

func TestEachKindIsSentOnceHoweverOftenItIsTried(t *testing.T) {
	t.Parallel()
	gbp, err := money.ParseCurrency("GBP")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []ledger.Kind{ledger.Initiate, ledger.CreateLink, ledger.Finalize} {
		for _, o := range []ledger.Outcome{ledger.Sent, ledger.Unresolved, ledger.Accepted} {
			j := New(Options{})
			defer j.Close()
			a := ledger.Attempt{
				Kind: kind, Amount: money.Amount{Minor: 1250, Currency: gbp}, Reference: "A1", Draft: api.LinkDraft{Name: "Rent"},
				Destination: ledger.Destination{Environment: "TEST", Host: "pay.example.com"},
			}
			first, err := j.Begin(t.Context(), a, ledger.Payer{}, nil)
			if err == nil && o != ledger.Sent {
				err = j.End(t.Context(), first.ID, ledger.Result{Outcome: o})
			}
			if err != nil {
				t.Fatal(kind, err)
			}
			if _, err := j.Begin(t.Context(), a, ledger.Payer{}, nil); !errors.Is(err, api.ErrNotSent) || !ledger.IsRejection(err) {
				t.Errorf("%s was sent again when the first was %s: %v", kind, o, err)
			}
		}
	}
}

func TestAKindWithoutRulesIsNotSent(t *testing.T) {
	t.Parallel()
	j := New(Options{})
	defer j.Close()
	_, err := j.Begin(t.Context(), ledger.Attempt{Kind: "refund"}, ledger.Payer{}, nil)
	if !errors.Is(err, api.ErrNotSent) || !strings.Contains(err.Error(), "no rules") {
		t.Error(err)
	}
	if all, err := j.Unfinished(t.Context(), ledger.Destination{}); err != nil || len(all) != 0 {
		t.Errorf("it was recorded: %+v, %v", all, err)
	}
}
