package journal_test

import (
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/servicetest"
)

func unresolved(t testing.TB, j *journal.Journal, a ledger.Attempt) ledger.Attempt {
	t.Helper()
	a = mustBegin(t, j, a)
	mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "the answer was cut short"})
	return a
}

func decide(t testing.TB, j *journal.Journal, id ledger.ID, v ledger.Decision, r api.Reference) {
	t.Helper()
	noError(t, j.Decide(t.Context(), mustAttempt(t, j, id), ledger.Deciding{Decision: v, As: string(r)}))
}

func unfinished(t testing.TB, j *journal.Journal) (ids []ledger.ID) {
	t.Helper()
	all, err := j.Unfinished(t.Context(), shop)
	noError(t, err)
	for _, a := range all {
		ids = append(ids, a.ID)
	}
	return ids
}

// The synctest bubble also proves that a journal leaves no goroutine behind and uses the clock
// of its options.
func TestAnUnansweredAttemptIsUnresolvedAfterAHundredSeconds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, where := range []string{"", dir + "/paydesk"} {
		synctest.Test(t, func(t *testing.T) {
			j, err := openJournal(t.Context(), journal.Options{Dir: where, Now: time.Now})
			noError(t, err)
			defer j.Close()
			a := mustBegin(t, j, initiation(t, 1250))
			time.Sleep(100 * time.Second)
			sent := mustAttempt(t, j, a.ID)
			if sent.Outcome != ledger.Sent {
				t.Errorf("it is unresolved too early: %+v", sent)
			}
			time.Sleep(time.Second)
			if got := unfinished(t, j); len(got) != 1 || got[0] != a.ID {
				t.Error(got)
			}
			got := mustAttempt(t, j, a.ID)
			if !got.IsUnresolved() || got.AnsweredAt.IsZero() {
				t.Errorf("%+v", got)
			}
			if all, n, err := j.Attempts(t.Context(), journal.Filter{Query: asks(`outcome:unresolved`)}, 0, 5); n != 1 || len(all) != 1 || err != nil {
				t.Error(all, n, err)
			}
			if err := j.Decide(t.Context(), sent, ledger.Deciding{Decision: ledger.GaveUp}); !errors.Is(err, ledger.ErrChanged) {
				t.Errorf("what was decided while it was sent: %v", err)
			}
			mustEnd(t, j, a.ID, accepted("REF-1", "PENDING")) // the answer came late
			if got := mustAttempt(t, j, a.ID); got.Outcome != ledger.Accepted || got.Reference != "REF-1" {
				t.Errorf("%+v", got)
			}
			decide(t, j, a.ID, ledger.NotFollowed, "")
			if _, n, err := j.Attempts(t.Context(), journal.Filter{Query: asks(`outcome:"not followed"`)}, 0, 5); n != 1 || err != nil {
				t.Errorf("of those that are not followed it finds %d: %v", n, err)
			}
		})
	}
}

// The rows that may be like a payment are all found, and no others.
func TestADuplicateMatchesInEveryPart(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	long := unresolved(t, j, initiation(t, 1250))
	c.advance(1000 * time.Hour)
	for _, minor := range []int64{1249, 1251} {
		unresolved(t, j, initiation(t, minor))
	}
	live := initiation(t, 1250)
	live.Environment = "LIVE"
	unresolved(t, j, live)
	recent, err := j.Begin(t.Context(), initiation(t, 1250), ledger.Payer{}, []ledger.ID{long.ID})
	noError(t, err)
	mustEnd(t, j, recent.ID, accepted("REF-1", "PENDING"))
	c.advance(ledger.DuplicateWithin)
	_, err = j.Begin(t.Context(), initiation(t, 1250), ledger.Payer{}, nil)
	look, is := errors.AsType[*ledger.Duplicate](err)
	if !is || len(look.Attempts) != 2 || look.Attempts[0].ID != recent.ID || look.Attempts[1].ID != long.ID {
		t.Errorf("%v", err)
	}
}

// A reference that passes for a card number is sent after a restart only where the journal has it as
// that of a payment.
func TestTheJournalVouchesForItsOwnReferencesAlone(t *testing.T) {
	t.Parallel()
	needsFile(t)
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted(typedPAN, "PENDING"))
	requests := 0
	service := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"isSuccess":true,"value":{"paymentReference":"x","paymentStatus":"PENDING","status":"completed"}}`)
	})
	const origin = "https://pay.example.com"
	client, err := api.New(api.Config{BaseURL: origin, ListURL: origin, Key: key("sk_test_vouch"), Transport: servicetest.Network{Handler: service}})
	noError(t, err)
	rec := journal.NewRecorder(client, j, shop, nil)
	for _, c := range []struct {
		name string
		call func(api.Reference) error
	}{
		{"finalize", func(r api.Reference) error { _, err := rec.Finalize(t.Context(), r); return err }},
		{"authenticate", func(r api.Reference) error { _, err := rec.Authenticate(t.Context(), r); return err }},
		{"status", func(r api.Reference) error { _, err := rec.Transaction(t.Context(), r); return err }},
	} {
		name, call := c.name, c.call
		requests = 0
		if err := call(typedPAN); requests != 1 {
			t.Errorf("%s: the journal's own reference was sent %d times, %v", name, requests, err)
		}
		requests = 0
		if err := call("4242424242424242"); requests != 0 || err == nil {
			t.Errorf("%s: a card number was sent %d times, %v", name, requests, err)
		}
	}
}
