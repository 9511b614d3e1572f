package journal_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/timely"
)

// The test binary also runs as the other consoles that the tests start and kill.
func TestMain(m *testing.M) {
	if task := os.Getenv(consoleEnv); task != "" {
		runConsole(strings.Fields(task))
		return
	}
	checks := repeats(10, 100)
	if os.Getenv(storeEnv) != "" {
		checks = repeats(2, 100) // each makes its tables
	}
	if err := flag.Set("rapid.checks", strconv.Itoa(checks)); err != nil {
		panic(err)
	}
	flag.Set("test.parallel", "8") // unless -parallel is given: they mostly wait
	timely.SpareDisk()
	os.Exit(m.Run())
}

var shop = ledger.Destination{Profile: "shop", Environment: "TEST", Host: "pay.example.com"}

func pounds(t testing.TB, minor int64) money.Amount {
	t.Helper()
	c, err := money.ParseCurrency("GBP")
	noError(t, err)
	return money.Amount{Minor: minor, Currency: c}
}

// A clock is set by the test.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func (c *clock) advance(d time.Duration) { c.at = c.at.Add(d) }

func newClock() *clock { return &clock{time.Date(2026, 3, 1, 9, 0, 0, 123456789, time.UTC)} }

// mustOpen opens a journal in a folder, "" in memory.
func mustOpen(t testing.TB, dir string, c *clock) *journal.Journal {
	t.Helper()
	j, err := openJournal(t.Context(), journal.Options{Dir: dir, Now: c.now, Operator: ledger.Operator{User: "ada", Host: "till", SSH: "192.0.2.7"}})
	noError(t, err)
	t.Cleanup(func() { j.Close() })
	return j
}

// newDir returns a folder, not created yet, for a journal.
func newDir(t testing.TB) string { return filepath.Join(t.TempDir(), "paydesk") }

func initiation(t testing.TB, minor int64) ledger.Attempt {
	return ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Amount: pounds(t, minor), Channel: api.ChannelCard, Card: "1111"}
}

func mustBegin(t testing.TB, j *journal.Journal, a ledger.Attempt) ledger.Attempt {
	t.Helper()
	a, err := j.Begin(t.Context(), a, ledger.Payer{}, nil)
	noError(t, err)
	return a
}

func mustEnd(t testing.TB, j *journal.Journal, id ledger.ID, a ledger.Result) {
	t.Helper()
	noError(t, j.End(t.Context(), id, a))
}

func accepted(ref, status string) ledger.Result {
	return ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: api.Reference(ref), Status: api.ParseStatus(status)}}
}

func mustAttempt(t testing.TB, j *journal.Journal, id ledger.ID) ledger.Attempt {
	t.Helper()
	a, err := j.Attempt(t.Context(), id)
	noError(t, err)
	return a
}

// same compares attempts by value.
var same = cmp.Options{
	cmp.Comparer(func(a, b api.Text) bool { return a.Line(0) == b.Line(0) }),
	cmp.Comparer(func(a, b api.Address) bool { return a == b }),
	cmp.Comparer(func(a, b money.Currency) bool { return a == b }),
}

// execSQL changes the file in a way that paydesk never does.
func execSQL(t testing.TB, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	noError(t, err)
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// lockFile takes the write lock of the file, as another program may.
func lockFile(t testing.TB, path string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	noError(t, err)
	c, err := db.Conn(context.Background())
	noError(t, err)
	if _, err := c.ExecContext(context.Background(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() { c.Close(); db.Close() }
}

// storeEnv has the URL of a PostgreSQL server on which the tests of the rules run, in place of SQLite.
const storeEnv = "PAYDESK_TEST_STORE"

var schemas atomic.Int64

// newJournal returns a journal in the store that is tested: a folder of SQLite's is a schema of PostgreSQL's.
func newJournal(o journal.Options) *journal.Journal {
	url := os.Getenv(storeEnv)
	if url == "" {
		return journal.New(o)
	}
	name := fmt.Sprintf("memory_%d_%d", os.Getpid(), schemas.Add(1))
	dir := filepath.Join(os.TempDir(), "paydesk-"+name)
	if o.Dir != "" {
		h := fnv.New64()
		h.Write([]byte(o.Dir))
		name, dir = fmt.Sprintf("dir_%x", h.Sum64()), o.Dir
	}
	c := postgres.Config{URL: url, Schema: name}
	if err := postgres.Init(context.Background(), c); err != nil {
		panic(err)
	}
	os.MkdirAll(dir, 0o700)
	o.KeyFile = filepath.Join(dir, "journal.key")
	if _, err := os.Stat(o.KeyFile); err != nil { // another console may be at it: both write the same
		h := sha256.Sum256([]byte(name))
		part := fmt.Sprintf("%s.%d", o.KeyFile, os.Getpid())
		os.WriteFile(part, []byte(hex.EncodeToString(h[:])+"\n"), 0o600)
		os.Rename(part, o.KeyFile)
	}
	db, err := postgres.Open(c)
	if err != nil {
		panic(err)
	}
	return journal.NewShared(db, o)
}

// openJournal returns a journal that can be written.
func openJournal(ctx context.Context, o journal.Options) (*journal.Journal, error) {
	j := newJournal(o)
	return j, j.Check(ctx)
}

// needsFile skips a test of what only a file can do, or have done to it.
func needsFile(t testing.TB) {
	t.Helper()
	if os.Getenv(storeEnv) != "" {
		t.Skip("only a file")
	}
}

// rules are the tests that run again on a server where no more was asked for: of what it does otherwise than a file, such
// as locks, constraints and the comparison of text.
var rules = []string{
	"TestADuplicateMatchesInEveryPart", "TestOfTwoConsolesThatSendTheSameOneIsWarned",
	"TestOfTwoConsolesThatFinalizeAtOnceOneSends", "TestOnlyOneOfTwoTakesAnAttempt", "TestAReferenceInOtherLetterCaseIsTaken",
	"TestAQueryFindsWhatReadingEachRowFinds", "TestATimelineTellsTheWholePayment", "TestAHugeTotalIsExact",
	"TestPurgingDeletesOldAttemptsAndKeepsUnresolvedOnes",
}

// Tests of this package run again on a server, but for those of what only a file can do, or have done to it: some rules,
// and all of them, also with kills and races, where PAYDESK_POSTGRES is "whole", as in .ci/long. It takes four seconds: a
// server is made and started, and each rule creates its tables there.
func TestTheRulesAreTheSameOnPostgreSQL(t *testing.T) {
	t.Parallel() // it mostly waits for the disk
	needsFile(t)
	if testing.Short() {
		t.Skip("some of them again")
	}
	which := "^(" + strings.Join(rules, "|") + ")$"
	if os.Getenv("PAYDESK_POSTGRES") == "whole" {
		which = "."
	}
	server := pgtest.Shared(t)
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.timeout=55m", "-test.count=1", "-test.v", "-test.run="+which)
	again.Env = append(os.Environ(), storeEnv+"="+server.URL("postgres", server.Database), "TMPDIR="+t.TempDir())
	said, err := again.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	for _, name := range rules {
		if !strings.Contains(string(said), "--- PASS: "+name+" ") {
			t.Errorf("%s is not among those that passed", name)
		}
	}
}

var carl = ledger.Payer{Email: "carl@example.org"}

// keyFile is the file of the key of the hashes.
func keyFile(dir string) string { return filepath.Join(dir, "journal.key") }

// aPayment is a journal with one payment by carl, closed.
func aPayment(t *testing.T, c *clock) (dir string) {
	t.Helper()
	dir = newDir(t)
	j := mustOpen(t, dir, c)
	_, err := j.Begin(t.Context(), initiation(t, 1250), carl, nil)
	noError(t, err)
	noError(t, j.Close())
	return dir
}

func TestWithoutItsKeyNothingIsSentUntilItIsBack(t *testing.T) {
	t.Parallel()
	needsFile(t)
	other := strings.Repeat("0", 64)
	for name, c := range map[string]struct {
		change func(path string) error
		why    []string
	}{
		"missing": {os.Remove, []string{"journal.key, is missing", "Put the right file back", "move journal.db"}},
		"another": {func(path string) error { return os.WriteFile(path, []byte(other), 0o600) }, []string{"is not the one"}},
		"cut":     {func(path string) error { return os.Truncate(path, 20) }, []string{"holds no key", "journal.db and journal.key"}},
		"open":    {func(path string) error { return os.Chmod(path, 0o644) }, []string{"other users can read it", "chmod 600"}},
	} {
		if name == "open" && runtime.GOOS == "windows" {
			continue
		}
		now := newClock()
		dir := aPayment(t, now)
		kept := must(os.ReadFile(keyFile(dir)))
		noError(t, c.change(keyFile(dir)))
		j, err := openJournal(t.Context(), journal.Options{Dir: dir, Now: now.now})
		defer func() { j.Close() }()
		for _, want := range c.why {
			if why := unavailableText(t, err); !strings.Contains(why, want) {
				t.Errorf("%s: %q is not in %s", name, want, why)
			}
		}
		_, err = j.Begin(t.Context(), initiation(t, 9900), carl, nil)
		unavailableText(t, err)
		if all, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 9); err != nil || len(all) != 1 {
			t.Errorf("%s: it cannot be read: %d %v", name, len(all), err)
		}
		if err := os.Remove(j.Path() + ".lock"); runtime.GOOS != "windows" { // where nothing locks
			noError(t, err)
		}
		_ = os.Remove(keyFile(dir))
		noError(t, os.WriteFile(keyFile(dir), kept, 0o600))
		if _, err := j.Begin(t.Context(), initiation(t, 1250), carl, nil); !isDuplicate(err) {
			t.Errorf("%s: with the key back, carl is not recognised: %v", name, err)
		}
	}
}

func isDuplicate(err error) bool {
	_, is := err.(*ledger.Duplicate)
	return is
}

// second is the error of a result.
func second[T any](_ T, err error) error { return err }

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

// environment returns a getenv for pairs.
func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
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
	release := lockFile(t, j.Path())
	_, err := j.Begin(t.Context(), initiation(t, 1250), ledger.Payer{}, nil)
	if why := unavailableText(t, err); !strings.Contains(why, "5 seconds") {
		t.Error(why)
	}
	release()
	mustBegin(t, j, initiation(t, 1250))
}
