package journal_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
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

// The same account of a service is named in many ways. What identifies it is the environment,
// and in it the key or the address: whatever else differs, what was sent there is found.
func TestWhatWasSentIsFoundUnderEveryNameOfTheService(t *testing.T) {
	t.Parallel()
	at := func(profile, environment, host, fingerprint string) ledger.Destination {
		return ledger.Destination{Profile: profile, Environment: environment, Host: host, Fingerprint: fingerprint}
	}
	sent := at("shop", "TEST", "127.0.0.1:8080", "aa")
	for name, c := range map[string]struct {
		sent, now ledger.Destination
		same      bool
	}{
		"itself":                       {sent, sent, true},
		"a renamed profile":            {sent, at("till", "TEST", "127.0.0.1:8080", "aa"), true},
		"another name of the host":     {sent, at("shop", "TEST", "localhost:8080", "aa"), true},
		"another key":                  {sent, at("shop", "TEST", "127.0.0.1:8080", "bb"), true},
		"another address and key":      {sent, at("shop", "TEST", "pay.example:8080", "bb"), false},
		"this machine, another key":    {sent, at("shop", "TEST", "localhost:8080", "bb"), true},
		"this machine in IPv6":         {at("shop", "TEST", "[::1]:8080", ""), sent, true},
		"no name of this machine":      {at("shop", "TEST", "localhost.example:8080", ""), sent, false},
		"another port":                 {sent, at("shop", "TEST", "127.0.0.1:8081", "bb"), false},
		"another port, the same key":   {sent, at("shop", "TEST", "127.0.0.1:8081", "aa"), true},
		"another environment":          {sent, at("shop", "LIVE", "127.0.0.1:8080", "aa"), false},
		"before keys were known":       {at("shop", "TEST", "127.0.0.1:8080", ""), sent, true},
		"elsewhere, before that":       {at("shop", "TEST", "pay.example:8080", ""), sent, false},
		"no key on either side":        {at("shop", "TEST", "a", ""), at("shop", "TEST", "b", ""), false},
		"the usual port":               {at("shop", "TEST", "Pay.example:443", ""), at("shop", "TEST", "pay.example", ""), true},
		"a name with its closing stop": {at("shop", "TEST", "pay.example", ""), at("shop", "TEST", "pay.example.", ""), true},
	} {
		if c.now.IsSameService(c.sent) != c.same || c.sent.IsSameService(c.now) != c.same {
			t.Errorf("%s: the same service: %v", name, !c.same)
		}
		clock := newClock()
		j := mustOpen(t, "", clock)
		p := initiation(t, 1250)
		p.Destination = c.sent
		lost := mustBegin(t, j, p)
		mustEnd(t, j, lost.ID, ledger.Result{Outcome: ledger.Unresolved})
		p.Amount.Minor++
		paid := mustBegin(t, j, p)
		mustEnd(t, j, paid.ID, accepted("REF-1", "PENDING"))
		link := mustBegin(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: c.sent, Amount: pounds(t, 500)})
		mustEnd(t, j, link.ID, ledger.Result{Outcome: ledger.Accepted, Link: &api.Link{Alias: "spring"}})

		left, err := j.Unfinished(t.Context(), c.now)
		if noError(t, err); (len(left) == 2) != c.same {
			t.Errorf("%s: home lists %d", name, len(left))
		}
		if _, err := j.Payment(t.Context(), c.now, "REF-1"); (err == nil) != c.same {
			t.Errorf("%s: the payment: %v", name, err)
		}
		links, err := j.Links(t.Context(), c.now)
		if noError(t, err); (len(links) == 1) != c.same {
			t.Errorf("%s: %d links", name, len(links))
		}
		noError(t, j.RecordStatus(t.Context(), c.now, "REF-1", api.ParseStatus("SUCCESSFUL")))
		if got := mustAttempt(t, j, paid.ID); (got.Status.State == api.Successful) != c.same {
			t.Errorf("%s: its status is %v", name, got.Status)
		}
		p.Amount.Minor--
		p.Destination = c.now
		_, err = j.Begin(t.Context(), p, ledger.Payer{}, nil)
		d, is := err.(*ledger.Duplicate)
		if is != c.same || is && (len(d.Attempts) != 1 || d.Attempts[0].ID != lost.ID || !d.Place.IsSameService(c.now)) {
			t.Errorf("%s: sent again: %v", name, err)
		}
	}
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

// A reusable link is for many customers; a one-time link, or one that is not known here, is paid once.
func TestTheNextCustomerOfAReusableLinkIsNoDuplicate(t *testing.T) {
	t.Parallel()
	ada := ledger.Payer{Email: "ada@example.com", Phone: "+44 20 7946 0958"}
	ben := ledger.Payer{Email: "ben@example.com", Phone: "+44 20 7946 0111"}
	for _, c := range []struct {
		kind  api.LinkType
		made  bool
		next  ledger.Payer
		alike bool
	}{
		{api.Reusable, true, ben, false}, {api.Reusable, true, ledger.Payer{Email: ben.Email}, false}, {api.Reusable, true, ledger.Payer{Email: ben.Email, Phone: ada.Phone}, true}, {api.Reusable, true, ada, true}, {api.Reusable, true, ledger.Payer{Email: ada.Email, Phone: ben.Phone}, true},
		{api.Reusable, true, ledger.Payer{}, true}, {api.OneTime, true, ben, true}, {api.Reusable, false, ben, true},
	} {
		j := mustOpen(t, "", newClock())
		if c.made {
			link := initiation(t, 1250)
			link.Kind, link.Draft = ledger.CreateLink, api.LinkDraft{Name: "Chairs", Type: c.kind, Amount: link.Amount}
			made := mustBegin(t, j, link)
			mustEnd(t, j, made.ID, ledger.Result{Outcome: ledger.Accepted, Link: &api.Link{
				Alias: "chairs", Amount: link.Amount, HasAmount: true, Type: api.Clean(map[api.LinkType]string{api.OneTime: "OneTime", api.Reusable: "Reuseable"}[c.kind]),
			}})
		}
		paid := initiation(t, 1250)
		paid.Link = "chairs"
		first, err := j.Begin(t.Context(), paid, ada, nil)
		noError(t, err)
		mustEnd(t, j, first.ID, accepted("REF-1", "PENDING"))
		if _, err := j.Begin(t.Context(), paid, c.next, nil); isDuplicate(err) != c.alike {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// What is asked at each key press must not read all rows of the environment.
func TestEveryQueryAtAServiceUsesAnIndex(t *testing.T) {
	t.Parallel()
	needsFile(t)
	dir := filepath.Join(t.TempDir(), "paydesk")
	noError(t, journal.Fill(dir, 200, largeNow))
	plans, err := openIn(t, dir).Plans(t.Context(), ledger.Destination{Environment: "TEST", Host: "pay.example.com", Fingerprint: "aa"})
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
