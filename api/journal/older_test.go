package journal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/journal"
)

// olderJournals are the files of testdata/older: one story, each time as the paydesk of another schema
// wrote it. A name is the version and what its schema was the first to have.
var olderJournals = []string{
	"1-first", "1-links",
	"2-first", "2-key-file", "2-differences", "2-fingerprints", "2-mismatches", "2-decided", "2-spelled",
	"3", "4", "5",
}

// older copies an older journal, and its key, into a new folder.
func older(t testing.TB, name string) (dir string) {
	t.Helper()
	dir = newDir(t)
	noError(t, os.Mkdir(dir, 0o700))
	for from, to := range map[string]string{".db": "journal.db", ".key": "journal.key"} {
		b, err := os.ReadFile(filepath.Join("testdata", "older", name+from))
		if from == ".key" && errors.Is(err, fs.ErrNotExist) {
			continue // the key was in the journal
		}
		noError(t, err)
		noError(t, os.WriteFile(filepath.Join(dir, to), b, 0o600))
	}
	return dir
}

// theStory is what an older journal says, oldest first: kind, amount, reference, link, outcome, decision,
// status, reason and the last event. Only some versions could know of the mismatch.
func theStory(name string) []string {
	all := []string{
		`initiate|12.50 GBP|REF-1||accepted||SUCCESSFUL||status SUCCESSFUL`,
		`initiate|9.90 GBP|||unresolved|||the connection broke|unresolved the connection broke`,
		`initiate|500.00 GBP|REF-2||accepted||PENDING||finalize unresolved no answer within 30 s`,
		`link|7.00 GBP||0-abc|accepted||||accepted`,
		`initiate|7.01 GBP|REF-3|0-abc|accepted||FAILED||status FAILED`,
		`finalize|0 minor units|REF-2||unresolved|||no answer within 30 s|unresolved no answer within 30 s`,
		`initiate|4.00 GBP|||unresolved|not found||the connection broke|decided not found`,
		`initiate|4.01 GBP|||refused|||declined|refused declined`,
		`initiate|19.00 GBP|REF-7||accepted||PENDING||status PENDING`,
		`initiate|4.02 GBP|||unresolved|||the console ended before the answer came|unresolved the console ended before the answer came`,
	}
	if !knowsMismatches(name) {
		all = slices.Delete(all, 8, 9)
	}
	return all
}

func knowsMismatches(name string) bool {
	return slices.Index(olderJournals, name) >= slices.Index(olderJournals, "2-mismatches")
}

// storyOf is what a journal says.
func storyOf(t testing.TB, j *journal.Journal) (all []string) {
	t.Helper()
	found, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 100)
	noError(t, err)
	for _, a := range slices.Backward(found) {
		events, err := j.Timeline(t.Context(), a.ID)
		noError(t, err)
		last := events[len(events)-1]
		all = append(all, fmt.Sprintf("%s|%s|%s|%s|%s|%s|%s|%s|%s", a.Kind, a.Amount, a.Reference, a.Link,
			a.Outcome, a.Decision, a.Status.Text.Line(0), a.Why, strings.TrimSpace(last.What+" "+last.Detail)))
	}
	return all
}

func eachOlder(t *testing.T, test func(t *testing.T, name, dir string)) {
	for _, name := range olderJournals {
		t.Run(name, func(t *testing.T) { test(t, name, older(t, name)) })
	}
}

func TestAJournalOfEachOlderSchemaIsRead(t *testing.T) {
	needsFile(t)
	eachOlder(t, func(t *testing.T, name, dir string) {
		c := newClock()
		c.advance(24 * time.Hour)
		j := mustOpen(t, dir, c)
		if diff := cmp.Diff(theStory(name), storyOf(t, j)); diff != "" {
			t.Error(diff)
		}
		if j.DamagedBackup() != "" {
			t.Error("it was taken for damaged")
		}
		noError(t, j.VerifyDerived(t.Context()))
		checkDetails(t, name, j)
		j.Close()
		noError(t, journal.FullCheck(t.Context(), dir))

		j = mustOpen(t, dir, c) // upgraded already
		if diff := cmp.Diff(theStory(name), storyOf(t, j)); diff != "" {
			t.Error(diff)
		}
		checkDetails(t, name, j)
	})
}

// checkDetails checks what the story does not say.
func checkDetails(t *testing.T, name string, j *journal.Journal) {
	t.Helper()
	paid, err := j.Payment(t.Context(), shop, "REF-1")
	noError(t, err)
	if !paid.Challenged || !paid.CustomerDone || paid.By.String() != "ada on till from 192.0.2.7" || paid.Card != "1111" {
		t.Errorf("%+v", paid)
	}
	transfer, err := j.Payment(t.Context(), shop, "REF-2")
	noError(t, err)
	if a := transfer.Account; a == nil || a.AccountNumber.Line(0) != "0123456789" || a.Bank.Line(0) != "Oak Bank" || transfer.FinalizeUnresolvedAt.IsZero() {
		t.Errorf("%+v", transfer)
	}
	links, err := j.FindLinks(t.Context(), shop, journal.LinkFilter{Query: containing("oak chairs")}, journal.Search{}, 0, 9)
	if err != nil || len(links.Rows) != 1 || links.Rows[0].Accepted != 1 || links.Rows[0].Paid != 0 {
		t.Errorf("%+v, %v", links, err)
	}
	if a, err := j.Payment(t.Context(), shop, "REF-7"); knowsMismatches(name) && (err != nil || a.Mismatch.What != api.AmountDiffers || a.Mismatch.Answered.Minor != 2000) {
		t.Errorf("%+v, %v", a.Mismatch, err)
	}
	wantLookups, wantPins := 0, 0
	if name >= "3" {
		wantLookups = 1
	}
	if name >= "5" {
		wantPins = 2
	}
	lookups, err := j.Lookups(t.Context(), shop, 9)
	noError(t, err)
	pins, err := j.Pins(t.Context(), shop)
	noError(t, err)
	if len(lookups) != wantLookups || len(pins) != wantPins {
		t.Errorf("%+v, %+v", lookups, pins)
	}
}

// What is unresolved in an older journal holds the same payment back, also by the hash of its customer.
func TestAJournalOfEachOlderSchemaHoldsBackWhatItKnows(t *testing.T) {
	needsFile(t)
	eachOlder(t, func(t *testing.T, name, dir string) {
		c := newClock()
		c.advance(24 * time.Hour)
		j := mustOpen(t, dir, c)
		_, err := j.Begin(t.Context(), initiation(t, 990), journal.Payer{Email: "carl@example.org"}, nil)
		if d, is := errors.AsType[*journal.Duplicate](err); !is || len(d.Attempts) != 1 || d.Attempts[0].Amount.Minor != 990 {
			t.Errorf("the unresolved payment was forgotten: %v", err)
		}
		mustEnd(t, j, mustBegin(t, j, initiation(t, 1300)).ID, accepted("REF-9", "PENDING"))
		noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "THEIRS", "PENDING", 500)))
		noError(t, j.Pin(t.Context(), shop, "REF-9"))
		j.Close()
		noError(t, journal.FullCheck(t.Context(), dir))
	})
}

func TestABackupOfEachOlderSchemaSinceThereAreBackupsIsRestored(t *testing.T) {
	needsFile(t)
	eachOlder(t, func(t *testing.T, name, dir string) {
		if slices.Index(olderJournals, name) < slices.Index(olderJournals, "2-fingerprints") {
			t.Skip("it made no backups")
		}
		backup := filepath.Join(t.TempDir(), "backup.db")
		noError(t, os.Rename(filepath.Join(dir, "journal.db"), backup))
		c := newClock()
		c.advance(24 * time.Hour)
		j := journal.New(journal.Options{Dir: dir, Now: c.now})
		if r, err := j.Restore(t.Context(), backup); err != nil || r.Backup.Attempts != len(theStory(name)) || r.Key != "" {
			t.Fatalf("%+v, %v", r, err)
		}
		j.Close()
		if diff := cmp.Diff(theStory(name), storyOf(t, openAfterLoss(t, dir, c))); diff != "" {
			t.Error(diff)
		}
	})
}

// upgradeEnv makes the test binary a console that opens a journal and ends.
const upgradeEnv = "PAYDESK_TEST_UPGRADE"

func runUpgrade(dir string) {
	noPurge := 100 * 365 * 24 * time.Hour // the older journals are of a fixed day
	must(journal.Open(context.Background(), journal.Options{Dir: dir, Retention: noPurge})).Close()
}

// A console is killed at a random moment of its start on an older journal: the next start has all of it.
// There are 50 kills of each schema.
func TestAnUpgradeThatIsKilledLosesNothing(t *testing.T) {
	needsFile(t)
	onlyLong(t)
	whole := time.Now()
	noError(t, upgrading(t, older(t, "3")).Wait())
	takes := time.Since(whole)
	eachOlder(t, func(t *testing.T, name, dir string) {
		for range 50 {
			cmd := upgrading(t, dir)
			<-time.After(time.Duration(rand.Int64N(int64(takes))))
			cmd.Process.Kill()
			cmd.Wait()
			c := newClock()
			c.advance(24 * time.Hour)
			j := mustOpen(t, dir, c)
			if diff := cmp.Diff(theStory(name), storyOf(t, j)); diff != "" || j.DamagedBackup() != "" {
				t.Error(j.DamagedBackup(), diff)
			}
			j.Close()
			noError(t, journal.FullCheck(t.Context(), dir))
			dir = older(t, name)
		}
	})
}

func upgrading(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), upgradeEnv+"="+dir)
	noError(t, cmd.Start())
	return cmd
}

// The older journals are public.
func TestTheOlderJournalsHoldNothingOfAMachine(t *testing.T) {
	needsFile(t)
	for _, name := range olderJournals {
		b, err := os.ReadFile(filepath.Join("testdata", "older", name+".db"))
		noError(t, err)
		for _, text := range []string{"/tmp", "/home", "/root", "sk_", "pk_"} {
			if bytes.Contains(b, []byte(text)) {
				t.Errorf("%s contains %s", name, text)
			}
		}
		for field := range strings.FieldsFuncSeq(string(b), func(r rune) bool { return r < ' ' || r > '~' }) {
			if redacted := card.Redact(field); redacted != field {
				t.Errorf("%s contains %q", name, redacted)
			}
		}
	}
}
