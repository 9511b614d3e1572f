package journal_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
)

const typedKey = "sk_test_do_not_store_7f3a"

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
	noError(t, journal.Fill(dir, 200, newClock().at))
	j, err := openJournal(t.Context(), journal.Options{Dir: dir})
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

// environment returns a getenv for pairs.
func environment(pairs ...string) func(string) string {
	return func(name string) string {
		if i := slices.Index(pairs, name); i >= 0 {
			return pairs[i+1]
		}
		return ""
	}
}

func TestWhereTheJournalIs(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("paths begin with a volume there: see TestWhereTheJournalIsOnWindows")
	}
	for _, c := range []struct {
		flag string
		env  []string
		want string
	}{
		{"/a/b", []string{"XDG_STATE_HOME", "/state", "HOME", "/home/ada"}, "/a/b"},
		{"", []string{"XDG_STATE_HOME", "/state", "HOME", "/home/ada"}, "/state/paydesk"},
		{"", []string{"XDG_STATE_HOME", "relative", "HOME", "/home/ada"}, "/home/ada/.local/state/paydesk"},
		{"", []string{"HOME", "/home/ada"}, "/home/ada/.local/state/paydesk"},
		{"", nil, ""},
		{"", []string{"HOME", "ada"}, ""},
	} {
		got, err := journal.Dir(c.flag, environment(c.env...))
		if got != filepath.FromSlash(c.want) || (err == nil) != (c.want != "") {
			t.Errorf("%q %q: %q, %v", c.flag, c.env, got, err)
		}
		if err != nil && !strings.Contains(unavailableText(t, err), "--state-dir") {
			t.Errorf("it does not say what to do: %v", err)
		}
	}
}

func TestWhereTheJournalIsOnWindows(t *testing.T) {
	t.Parallel()
	local := `C:\Users\ada\AppData\Local`
	got, err := journal.Dir("", environment("LOCALAPPDATA", local, "HOME", `C:\Users\ada`)) // which some shells set
	if is := got == local+`\paydesk\state`; is != (runtime.GOOS == "windows") {             // elsewhere the variable means nothing
		t.Errorf("%q, %v", got, err)
	}
}

func TestTheOperatorIsTheUserTheHostAndTheSSHClient(t *testing.T) {
	t.Parallel()
	if o := journal.CurrentOperator(environment("SSH_CONNECTION", "192.0.2.7 50000 192.0.2.1 22", "SSH_CLIENT", "192.0.2.8 1 2")); o.SSH != "192.0.2.7" || o.User == "" || o.Host == "" {
		t.Errorf("%+v", o)
	}
	if o := journal.CurrentOperator(environment("SSH_CLIENT", "192.0.2.8 50000 22")); o.SSH != "192.0.2.8" {
		t.Errorf("%+v", o)
	}
	if o := journal.CurrentOperator(environment()); o.SSH != "" {
		t.Errorf("%+v", o)
	}
	if o := journal.CurrentOperator(environment("SSH_CLIENT", "\x1b]0;owned\a 1 2")); strings.ContainsAny(o.SSH, "\x1b\a") {
		t.Errorf("%q", o.SSH)
	}
}

// Several people share an account on a host, each with a key of their own.
func TestTheHolderOfTheKeyIsTheOperator(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(home, name)
		noError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		noError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	write(".ssh/authorized_keys", "# AAAAada is commented out\n"+
		"ssh-ed25519 AAAAada0 ada@laptop\n"+
		"from=\"192.0.2.0/24\",command=\"pay desk\" ssh-rsa AAAAben0 Ben at the till\n"+
		"ssh-ed25519 AAAAeve0 shared\nssh-ed25519 AAAAmal0 shared\nssh-ed25519 AAAAbad0 \x1b]0;owned\a 4000056655665556 "+strings.Repeat("x", 99)+"\n")
	of := func(auth string) string {
		t.Helper()
		return journal.CurrentOperator(environment("HOME", home, "SSH_USER_AUTH", write("auth", auth))).User
	}
	user := journal.CurrentOperator(environment()).User
	people := map[string]bool{}
	for auth, want := range map[string]string{
		"publickey ssh-ed25519 AAAAada0\n":                       "ada@laptop (" + user + ")",
		"keyboard-interactive/pam\npublickey ssh-rsa AAAAben0\n": "Ben at the till (" + user + ")",
		"publickey ssh-ed25519 AAAAeve0\n":                       "SHA256:",
		"publickey ssh-ed25519 AAAAmal0\n":                       "SHA256:",
		"publickey ssh-ed25519 AAAAnew0\n":                       "SHA256:", // AuthorizedKeysFile is another
	} {
		got := of(auth)
		if !strings.HasPrefix(got, want) || people[got] {
			t.Errorf("%q is %q, not %q; before that %v", auth, got, want, people)
		}
		people[got] = true
	}
	if got := of("publickey ssh-ed25519 AAAAbad0\n"); strings.ContainsAny(got, "\x1b\a") || strings.Contains(got, "40000566") || len(got) > 99 {
		t.Errorf("%q", got)
	}
	for _, nameless := range []string{"", "password\n", "publickey ssh-ed25519 %%%\n", "publickey\n"} {
		if got := of(nameless); got != user {
			t.Errorf("%q is %q", nameless, got)
		}
	}
}

// unavailableText returns the text of a [ledger.Unavailable].
func unavailableText(t testing.TB, err error) string {
	t.Helper()
	b, is := errors.AsType[*ledger.Unavailable](err)
	if !is {
		t.Fatalf("not an Unavailable: %v", err)
	}
	if !strings.Contains(b.Why, ".") || b.Why != b.Error() {
		t.Errorf("not a sentence: %q", b.Why)
	}
	return b.Why
}

// A write-ahead log needs shared memory, which machines do not share: on a network disk SQLite
// uses a rollback journal.
func TestOnANetworkDiskThereIsNoLog(t *testing.T) {
	t.Parallel()
	needsFile(t)
	if runtime.GOOS == "windows" {
		t.Skip("SQLite's locks end differently there")
	}
	dir, c := newDir(t), newClock()
	o := journal.Options{Dir: dir, Now: c.now}
	j := journal.NewOnNetwork(o)
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("REF-1", "PENDING"))
	if left, _ := filepath.Glob(j.Path() + "-*"); len(left) > 0 {
		t.Error(left)
	}
	two := journal.NewOnNetwork(o)
	if got := mustAttempt(t, two, a.ID); got.Reference != "REF-1" {
		t.Errorf("%+v", got)
	}
	j.Close()
	two.Close()
	here := mustOpen(t, dir, c) // and back on a local disk
	defer here.Close()
	mustAttempt(t, here, a.ID)
	mustBegin(t, here, initiation(t, 1400))
	far := journal.NewOnNetwork(o)
	defer far.Close()
	_, err := far.Begin(t.Context(), initiation(t, 1500), ledger.Payer{}, nil)
	unavailableText(t, err)
}

func TestALockedJournalIsReported(t *testing.T) {
	t.Parallel()
	needsFile(t)
	j := mustOpen(t, newDir(t), newClock())
	noError(t, j.Impatient())
	another := must(sql.Open("sqlite", j.Path())) // another program
	defer another.Close()
	another.SetMaxOpenConns(1)
	must(another.Exec("BEGIN IMMEDIATE"))
	_, err := j.Begin(t.Context(), initiation(t, 1250), ledger.Payer{}, nil)
	if why := unavailableText(t, err); !strings.Contains(why, "5 seconds") {
		t.Error(why)
	}
	must(another.Exec("ROLLBACK"))
	mustBegin(t, j, initiation(t, 1250))
}
