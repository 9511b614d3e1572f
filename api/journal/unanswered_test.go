package journal

import (
	"errors"
	"testing"
	"time"

	"paydesk/api/ledger"
	"paydesk/api/money"
)

// A console ended while it sent, and nobody could mark its attempt unresolved since: it is shown and held against the same
// amount nevertheless, however long ago it was.
func TestAnAttemptWithoutAnAnswerIsADuplicateHoweverOld(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	j := New(Options{Now: func() time.Time { return now }})
	defer j.Close()
	gbp, err := money.ParseCurrency("GBP")
	if err != nil {
		t.Fatal(err)
	}
	a := ledger.Attempt{Kind: ledger.Initiate, Amount: money.Amount{Minor: 1250, Currency: gbp}, Destination: ledger.Destination{Environment: "TEST", Host: "pay.example.com"}}
	sent, err := j.Begin(t.Context(), a, ledger.Payer{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Hour)
	tx, err := j.file.db.BeginTx(t.Context(), nil) // a use of the journal would mark it
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	w, e := &writeTx{readTx: j.reader(t.Context(), tx, At{}), tx: tx}, ledger.Entry{Attempt: a}
	concerned, err := w.beginConcerns(e)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.console().Begin(e, concerned, nil)
	d, is := errors.AsType[*ledger.Duplicate](err)
	if !is || len(d.Attempts) != 1 || d.Attempts[0].ID != sent.ID || d.Attempts[0].Outcome != ledger.Unresolved {
		t.Errorf("%+v, %v", d, err)
	}
}
