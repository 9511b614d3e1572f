package journal_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
)

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
