package journal_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
)

// olderFile copies the file of an older version into a new folder.
func olderFile(t testing.TB, name string, change func([]byte)) (dir string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	noError(t, err)
	if change != nil {
		change(b)
	}
	dir = newDir(t)
	noError(t, os.Mkdir(dir, 0o700))
	noError(t, os.WriteFile(filepath.Join(dir, "journal.db"), b, 0o600))
	return dir
}

func TestAJournalOfVersion1IsReadAndWritten(t *testing.T) {
	needsFile(t)
	dir, c := olderFile(t, "version1.db", nil), newClock()
	c.advance(24 * time.Hour)
	for range 2 { // upgraded, and upgraded already
		j := mustOpen(t, dir, c)
		all, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 100)
		noError(t, err)
		var got []string
		for i := len(all) - 1; i >= 0; i-- {
			a := all[i]
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %d %s %s%s %s %s", a.ID, a.Kind, a.Amount.Minor, a.Outcome, a.Reference, a.Link, a.Decision, a.Status.Text.Line(0))))
		}
		want := []string{
			"7k3f9q2mz0 initiate 1250 accepted REF-1  SUCCESSFUL",
			"7k3f9q2mz1 initiate 990 unresolved",
			"7k3f9q2mz2 initiate 50000 accepted REF-2  PENDING",
			"7k3f9q2mz3 link 700 accepted 0-abc",
			"7k3f9q2mz4 finalize 0 unresolved REF-2",
			"7k3f9q2mz5 initiate 400 unresolved  not found",
			"7k3f9q2mz6 initiate 401 refused",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		open, err := j.Unfinished(t.Context(), shop)
		noError(t, err)
		if len(open) != 3 || open[2].Account.AccountNumber.Line(0) != "0123456789" || open[2].FinalizeUnresolvedAt.IsZero() {
			t.Errorf("%+v", open)
		}
		if events := timeline(t, j, "7k3f9q2mz0", c.at); len(events) != 5 {
			t.Errorf("%q", events)
		}
		if j.DamagedBackup() != "" {
			t.Error("it was taken for damaged")
		}
		j.Close()
	}
	j := mustOpen(t, dir, c)
	defer j.Close()
	_, err := j.Begin(t.Context(), initiation(t, 990), journal.Payer{Email: "carl@example.org"}, nil)
	if d, is := err.(*journal.Duplicate); !is || len(d.Attempts) != 1 || d.Attempts[0].ID != "7k3f9q2mz1" {
		t.Errorf("the unresolved payment was forgotten: %v", err)
	}
	mustBegin(t, j, initiation(t, 1300))
}

// version2 is a journal of version 2 with its key, in a new folder.
func version2(t testing.TB) (dir string) { return olderWithKey(t, "version2") }

func olderWithKey(t testing.TB, version string) (dir string) {
	t.Helper()
	dir = olderFile(t, version+".db", nil)
	key, err := os.ReadFile(filepath.Join("testdata", version+".key"))
	noError(t, err)
	noError(t, os.WriteFile(filepath.Join(dir, "journal.key"), key, 0o600))
	return dir
}

// isVersion2 checks that a journal has all that version2 has, and takes what is new.
func isVersion2(t *testing.T, j *journal.Journal, c *clock) {
	t.Helper()
	_, n, err := j.Attempts(t.Context(), journal.Filter{}, 0, 1)
	noError(t, err)
	a, err := j.Payment(t.Context(), shop, "REF-7")
	if err != nil || n != 8 || a.Mismatch.What != api.AmountDiffers || j.DamagedBackup() != "" {
		t.Errorf("%d attempts, %+v, %v", n, a, err)
	}
	if events := timeline(t, j, a.ID, c.at); len(events) != 5 {
		t.Errorf("%q", events)
	}
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "ELSEWHERE", "PENDING", 500)))
	if found, err := j.Lookups(t.Context(), shop, 10); err != nil || len(found) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestAJournalOfVersion2IsReadAndWritten(t *testing.T) {
	needsFile(t)
	dir, c := version2(t), newClock()
	c.advance(24 * time.Hour)
	for range 2 { // upgraded, and upgraded already
		j := mustOpen(t, dir, c)
		isVersion2(t, j, c)
		j.Close()
	}
}

func TestABackupOfVersion2IsRestored(t *testing.T) {
	needsFile(t)
	dir, c := version2(t), newClock()
	c.advance(24 * time.Hour)
	backup := filepath.Join(t.TempDir(), "backup.db")
	b, err := os.ReadFile(filepath.Join("testdata", "version2.db"))
	noError(t, err)
	noError(t, os.WriteFile(backup, b, 0o600))
	j := mustOpen(t, dir, c)
	j.Close()
	j = journal.New(journal.Options{Dir: dir, Now: c.now})
	if _, err := j.Restore(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	j.Close()
	isVersion2(t, openAfterLoss(t, dir, c), c)
}

func TestAJournalOfVersion3IsSearchedAndCounted(t *testing.T) {
	needsFile(t)
	dir := olderWithKey(t, "version3")
	now := func() time.Time { return largeNow }
	for range 2 { // upgraded, and upgraded already
		j, err := journal.Open(t.Context(), journal.Options{Dir: dir, Now: now, Retention: 1000 * 24 * time.Hour})
		noError(t, err)
		noError(t, j.VerifyDerived(t.Context()))
		_, all, err := j.Attempts(t.Context(), journal.Filter{}, 0, 1)
		noError(t, err)
		for text, want := range map[string]int{"": 30, "ref2": 10, "CARD": 29, "links 0": 1, "a": 30, "alias-0\fz": 0} {
			if _, got, err := j.Attempts(t.Context(), journal.Filter{Query: containing(text)}, 0, 1); got != want || err != nil {
				t.Errorf("%q finds %d of %d, not %d: %v", text, got, all, want, err)
			}
		}
		d := journal.Destination{Environment: "TEST", Host: "pay.example.com"}
		links, err := j.Links(t.Context(), d)
		noError(t, err)
		if len(links) != 1 || links[0].Link != "alias-0" || links[0].Accepted != 27 || links[0].Paid != 26 {
			t.Errorf("%+v", links)
		}
		found, err := j.FindLinks(t.Context(), d, journal.LinkFilter{Query: containing("unknown")}, journal.Search{}, 0, 9)
		if err != nil || found.Count != 1 {
			t.Errorf("%+v, %v", found, err)
		}
		if j.DamagedBackup() != "" {
			t.Error("it was taken for damaged")
		}
		j.Close()
	}
}

// A console of version 3 that has the file open while it is upgraded goes on writing it.
func TestALinkThatAnOlderConsoleStoresIsFoundAfterTheNextCheck(t *testing.T) {
	needsFile(t)
	j := mustOpen(t, newDir(t), newClock())
	made := mustBegin(t, j, journal.Attempt{Kind: journal.CreateLink, Destination: shop, Amount: pounds(t, 700)})
	mustEnd(t, j, made.ID, journal.Result{Outcome: journal.Accepted, Link: &api.Link{
		Alias: "0-abc", Name: api.Clean("Oak"), Amount: pounds(t, 700), HasAmount: true,
	}})
	noError(t, j.StoreAsVersion3(made.ID))
	noError(t, j.VerifyDerived(t.Context()))
	noError(t, j.Check(t.Context()))
	noError(t, j.VerifyDerived(t.Context()))
	for _, text := range []string{"7.00 GBP", "oak", "0-AB", string(made.ID)} {
		if p, err := j.FindLinks(t.Context(), shop, journal.LinkFilter{Query: containing(text)}, journal.Search{}, 0, 9); err != nil || len(p.Rows) != 1 {
			t.Errorf("%q: %+v, %v", text, p, err)
		}
	}
}

func TestADamagedJournalOfVersion1IsSetAside(t *testing.T) {
	needsFile(t)
	dir := olderFile(t, "version1.db", func(b []byte) { b[bytes.LastIndex(b, []byte("declined"))] ^= 1 })
	j := openAfterLoss(t, dir, newClock())
	defer j.Close()
	if j.DamagedBackup() == "" {
		t.Error("damage is silent")
	}
}
