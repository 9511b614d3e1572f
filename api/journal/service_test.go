package journal_test

import (
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
)

const typedKey = "sk_test_do_not_store_7f3a"

// A secret is a secret key.
type secret string

func (s secret) Expose() string { return string(s) }

// keyed is a payment sent with a key.
func keyed(t testing.TB, minor int64, fingerprint string) ledger.Attempt {
	a := initiation(t, minor)
	a.Fingerprint = fingerprint
	return a
}

func TestAFingerprintIsTheJournalsOwn(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	one, again := mustOpen(t, dir, c), mustOpen(t, dir, c)
	other := mustOpen(t, newDir(t), c)
	var got []string
	for _, j := range []*journal.Journal{one, again, other} {
		f, err := j.Fingerprint(t.Context(), secret(typedKey))
		noError(t, err)
		got = append(got, f)
	}
	none, err := one.Fingerprint(t.Context(), secret(""))
	if got[0] == "" || got[0] != got[1] || got[0] == got[2] || none != "" || err != nil {
		t.Errorf("%q, %q without a key, %v", got, none, err)
	}
}

// A clock that was ahead for a while hides nothing that was sent before.
func TestAClockThatWasAheadHidesNoLookAlike(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	ada, ben := ledger.Payer{Email: "ada@example.org"}, ledger.Payer{Email: "ben@example.org"}
	first, err := j.Begin(t.Context(), initiation(t, 1250), ada, nil)
	noError(t, err)
	mustEnd(t, j, first.ID, accepted("REF-1", "PENDING"))
	c.advance(2 * time.Hour)
	second, err := j.Begin(t.Context(), initiation(t, 1250), ben, nil)
	noError(t, err)
	mustEnd(t, j, second.ID, accepted("REF-2", "PENDING"))
	c.advance(time.Minute - 2*time.Hour)
	if _, err := j.Begin(t.Context(), initiation(t, 1250), ada, nil); !isDuplicate(err) {
		t.Errorf("it is sent again: %v", err)
	}
}
