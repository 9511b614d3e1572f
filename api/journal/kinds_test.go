package journal

import (
	"errors"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/money"
)

func TestEachKindIsSentOnceHoweverOftenItIsTried(t *testing.T) {
	gbp, err := money.ParseCurrency("GBP")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []Kind{Initiate, CreateLink, Finalize} {
		for _, o := range []Outcome{Sent, Unresolved, Accepted} {
			j := New(Options{})
			defer j.Close()
			a := Attempt{
				Kind: kind, Amount: money.Amount{Minor: 1250, Currency: gbp}, Reference: "A1", Draft: api.LinkDraft{Name: "Rent"},
				Destination: Destination{Environment: "TEST", Host: "pay.example.com"},
			}
			first, err := j.Begin(t.Context(), a, Payer{}, nil)
			if err == nil && o != Sent {
				err = j.End(t.Context(), first.ID, Result{Outcome: o})
			}
			if err != nil {
				t.Fatal(kind, err)
			}
			if _, err := j.Begin(t.Context(), a, Payer{}, nil); !errors.Is(err, api.ErrNotSent) || !isRejection(err) {
				t.Errorf("%s was sent again when the first was %s: %v", kind, o, err)
			}
		}
	}
}

func TestAKindWithoutRulesIsNotSent(t *testing.T) {
	j := New(Options{})
	defer j.Close()
	_, err := j.Begin(t.Context(), Attempt{Kind: "refund"}, Payer{}, nil)
	if !errors.Is(err, api.ErrNotSent) || !strings.Contains(err.Error(), "no rules") {
		t.Error(err)
	}
	if all, err := j.Unfinished(t.Context(), Destination{}); err != nil || len(all) != 0 {
		t.Errorf("it was recorded: %+v, %v", all, err)
	}
}
