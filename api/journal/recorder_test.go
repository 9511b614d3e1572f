package journal_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/servicetest"
)

// No operation that changes something bypasses the recorder.
func TestNoOperationThatChangesSomethingPassesAJournalThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for _, op := range servicetest.Operations() {
		c := &servicetest.Counter{}
		broken := journal.NewUnavailable(&ledger.Unavailable{Why: "The disk is full."})
		err := servicetest.Call(t.Context(), journal.NewRecorder(c, broken, shop, nil), op)
		if sends := op.Rule().Sends(); sends != (c.Calls(op) == 0) || sends != errors.Is(err, api.ErrNotSent) {
			t.Errorf("%s: %d calls, %v", op, c.Calls(op), err)
		}
		j := mustOpen(t, "", newClock())
		if err := servicetest.Call(t.Context(), journal.NewRecorder(c, j, shop, nil), op); err != nil || c.Calls(op) == 0 {
			t.Errorf("%s does not pass: %v", op, err)
		}
		all, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 9)
		if noError(t, err); op.Rule().Sends() && (len(all) != 1 || string(all[0].Kind) != op.Rule().Records || all[0].Outcome == ledger.Sent) {
			t.Errorf("%s is recorded as %+v, want %s", op, all, op.Rule().Records)
		}
	}
}

// A served is a service that looks at the journal while it is asked.
type served struct {
	servicetest.Counter
	j    *journal.Journal
	sent api.Initiation
	had  []ledger.Attempt
}

func (s *served) Initiate(ctx context.Context, in api.Initiation) (api.Payment, error) {
	s.sent = in
	s.had, _, _ = s.j.Attempts(ctx, journal.Filter{}, 0, 9)
	return api.Payment{Reference: "ref-1", Status: api.ParseClaim("PENDING")}, nil
}

func TestNothingIsSentBeforeItIsWrittenDown(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	s := &served{j: j}
	in := ngn(1250)
	in.Link, in.OwnReference, in.MetaData = "0-abc", "OWN1", []api.Pair{{Key: "order", Value: "7"}}
	in.Card.PAN, in.Card.Expiry = must(card.ParsePAN("4242424242424242")), card.Expiry{Month: 12, Year: 2034}
	if p, err := journal.NewRecorder(s, j, shop, nil).Initiate(t.Context(), in); err != nil || p.Reference != "ref-1" {
		t.Fatal(p, err)
	}
	if len(s.had) != 1 || s.had[0].Outcome != ledger.Sent {
		t.Fatalf("while it was sent, the journal had %+v", s.had)
	}
	a := mustAttempt(t, j, s.had[0].ID)
	if a.Outcome != ledger.Accepted || a.Reference != "ref-1" || a.Amount != in.Amount || a.Card != "4242" || a.Link != "0-abc" || a.OwnReference != "OWN1" || a.Host != shop.Host {
		t.Errorf("%+v", a)
	}
	if want := append(in.MetaData, api.Pair{Key: journal.AttemptKey, Value: string(a.ID)}); !slices.Equal(s.sent.MetaData, want) || len(in.MetaData) != 1 {
		t.Errorf("sent %v", s.sent.MetaData)
	}
	again := ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Amount: in.Amount}
	for want, who := range map[ledger.Likeness]ledger.Payer{
		ledger.SameEmail: {Email: in.Customer.Email}, ledger.SamePhone: {Phone: in.Customer.Phone}, ledger.SameCard: {Email: "x@y.z", Card: "4242 Visa 12/2034"},
	} {
		_, err := j.Begin(t.Context(), again, who, nil)
		if d, is := errors.AsType[*ledger.Duplicate](err); !is || d.Alike[a.ID] != want {
			t.Errorf("%+v: %v", who, err)
		}
	}
}
