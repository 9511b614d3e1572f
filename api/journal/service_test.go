package journal_test

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
)

const typedKey = "sk_test_do_not_store_7f3a"

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
		f, err := j.Fingerprint(t.Context(), key(typedKey))
		noError(t, err)
		got = append(got, f)
	}
	none, err := one.Fingerprint(t.Context(), key(""))
	if got[0] == "" || got[0] != got[1] || got[0] == got[2] || none != "" || err != nil {
		t.Errorf("%q, %q without a key, %v", got, none, err)
	}
}

// What is asked at each key press must not read all rows of the environment.
func TestEveryQueryAtAServiceUsesAnIndex(t *testing.T) {
	t.Parallel()
	needsFile(t)
	dir := filepath.Join(t.TempDir(), "paydesk")
	noError(t, journal.Fill(dir, 200, largeNow))
	j, err := journal.Open(t.Context(), journal.Options{Dir: dir})
	noError(t, err)
	t.Cleanup(func() { j.Close() })
	plans, err := j.Plans(t.Context(), ledger.Destination{Environment: "TEST", Host: "pay.example.com", Fingerprint: "aa"})
	noError(t, err)
	reads := regexp.MustCompile(`^SCAN (a|f|entries|facts|bodies|attempts|payments)( AS \w+)?$`) // without an index
	for query, plan := range plans {
		if slices.ContainsFunc(plan, reads.MatchString) {
			t.Errorf("it reads all rows: %s\n%s", query, strings.Join(plan, "\n"))
		}
	}
	if len(plans) < 9 {
		t.Errorf("only %d queries were explained", len(plans))
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

// What was sent to a service is found wherever it is asked about: under another name of the host, or with another key.
func TestWhatWasSentIsFoundUnderEveryNameOfTheService(t *testing.T) {
	t.Parallel()
	at := func(environment, host, fingerprint string) ledger.Destination {
		return ledger.Destination{Profile: "till", Environment: environment, Host: host, Fingerprint: fingerprint}
	}
	j := mustOpen(t, "", newClock())
	p := initiation(t, 1250)
	p.Destination = at("TEST", "127.0.0.1:8080", "aa")
	lost := unresolved(t, j, p)
	p.Amount.Minor++
	mustEnd(t, j, mustBegin(t, j, p).ID, accepted("REF-1", "PENDING"))
	link := chairs(t)
	link.Destination = p.Destination
	mustEnd(t, j, mustBegin(t, j, link).ID, madeLink("spring"))
	p.Amount.Minor--
	for _, c := range []struct {
		now  ledger.Destination
		same bool
	}{
		{at("LIVE", "127.0.0.1:8080", "aa"), false}, {at("TEST", "pay.example:8080", "bb"), false}, {at("TEST", "127.0.0.1:8081", ""), false},
		{at("TEST", "localhost:8080", "bb"), true}, {at("TEST", "pay.example", "aa"), true}, {at("TEST", "127.0.0.1:8080", ""), true},
	} {
		left, err1 := j.Unfinished(t.Context(), c.now)
		links, err2 := j.Links(t.Context(), c.now)
		if noError(t, errors.Join(err1, err2)); (len(left) == 2) != c.same || (len(links) == 1) != c.same {
			t.Errorf("%+v: home lists %d, and there are %d links", c.now, len(left), len(links))
		}
		if _, err := j.Payment(t.Context(), c.now, "REF-1"); (err == nil) != c.same {
			t.Errorf("%+v: the payment: %v", c.now, err)
		}
		p.Destination = c.now
		_, err := j.Begin(t.Context(), p, ledger.Payer{}, nil)
		d, is := errors.AsType[*ledger.Duplicate](err)
		if is != c.same || is && !slices.ContainsFunc(d.Attempts, func(a ledger.Attempt) bool { return a.ID == lost.ID }) {
			t.Errorf("%+v: sent again: %v", c.now, err)
		}
	}
}
