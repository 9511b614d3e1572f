package journal_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// backedUp is a journal with a payment, open, and its backup.
func backedUp(t *testing.T) (j *journal.Journal, dir, file string) {
	t.Helper()
	dir, file = filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "backup.db")
	j = must(openJournal(t.Context(), journal.Options{Dir: dir}))
	t.Cleanup(func() { j.Close() })
	begunBy(t, j, 1250)
	held, err := j.Backup(t.Context(), file)
	if err != nil || held.Attempts != 1 || held.Unresolved != 1 || held.Facts == 0 || held.Oldest != held.Newest {
		t.Fatalf("%+v, %v", held, err)
	}
	return j, dir, file
}

// begunBy records a payment whose outcome stays unresolved.
func begunBy(t *testing.T, j *journal.Journal, minor int64) ledger.ID {
	t.Helper()
	a := must(j.Begin(t.Context(), initiation(t, minor), carl, nil))
	mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "no answer"})
	return a.ID
}

func TestABackupIsOnePrivateFileWithoutTheKey(t *testing.T) {
	t.Parallel()
	needsFile(t)
	j, dir, file := backedUp(t)
	if about := must(os.Stat(file)); about.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Error(about.Mode())
	}
	if beside := must(filepath.Glob(filepath.Join(filepath.Dir(file), "*"))); len(beside) != 1 {
		t.Error(beside)
	}
	hidden := must(filepath.Glob(filepath.Join(filepath.Dir(file), ".paydesk*")))
	key := bytes.TrimSpace(must(os.ReadFile(keyFile(dir))))
	raw := must(hex.DecodeString(string(key)))
	if b := must(os.ReadFile(file)); bytes.Contains(b, key) || bytes.Contains(b, raw) || len(hidden) != 0 {
		t.Error("the key or a part is there", hidden)
	}
	if _, err := j.Backup(t.Context(), file); err == nil || !strings.Contains(err.Error(), "A file with this name already exists") {
		t.Error(err)
	}
	if _, err := j.Backup(t.Context(), filepath.Join(dir, "no", "backup")); err == nil {
		t.Error("written into no folder")
	}
}

func TestARestoredJournalKnowsWhatTheBackupKnew(t *testing.T) {
	t.Parallel()
	needsFile(t)
	if runtime.GOOS == "windows" {
		t.Skip("what a console has open is not set aside there")
	}
	j, dir, file := backedUp(t)
	later := begunBy(t, j, 99)
	r, err := j.CompareBackup(t.Context(), file)
	if err != nil || r.Missing != 1 || r.MissingUnresolved != 1 || r.Key != "" || r.SetAside != "" {
		t.Fatalf("%+v, %v", r, err)
	}
	if _, err := j.Attempt(t.Context(), later); err != nil {
		t.Error("comparing changed something:", err)
	}
	noError(t, os.Chmod(keyFile(dir), 0o644))
	if _, err := j.CompareBackup(t.Context(), file); err == nil || !strings.Contains(err.Error(), "chmod 600 "+keyFile(dir)) {
		t.Error("the key is open to others:", err)
	}
	noError(t, os.Chmod(keyFile(dir), 0o600))
	restorer := journal.New(journal.Options{Dir: dir})
	if r, err = restorer.Restore(t.Context(), file); err != nil || r.SetAside == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	// The console that runs says so until a person has read it, and goes on with the backup.
	if _, err := j.Begin(t.Context(), initiation(t, 77), carl, nil); !errors.Is(err, journal.ErrLoss) {
		t.Error(err)
	}
	noError(t, j.AcknowledgeLosses(j.Losses()))
	if _, err := j.Attempt(t.Context(), later); err != ledger.ErrNotFound {
		t.Error(err)
	}
	_, err = j.Begin(t.Context(), initiation(t, 1250), carl, nil)
	if _, alike := errors.AsType[*ledger.Duplicate](err); !alike {
		t.Error("the payer of the backup is not recognised:", err)
	}
	// What was there is kept whole, and can be brought back.
	aside, err := restorer.CompareBackup(t.Context(), r.SetAside)
	if err != nil || aside.Backup.Attempts != 2 {
		t.Errorf("%+v, %v", aside, err)
	}
}

func TestARestoreChangesNothingWhenTheBackupIsNotSound(t *testing.T) {
	t.Parallel()
	needsFile(t)
	j, dir, file := backedUp(t)
	whole := must(os.ReadFile(file))
	bent := bytes.Replace(whole, []byte("GBP"), []byte("GBQ"), 1)
	before := must(os.ReadFile(filepath.Join(dir, "journal.db")))
	for name, content := range map[string][]byte{
		"a flipped amount": bent, "half": whole[:len(whole)/2], "empty": {}, "text": []byte("not a database"),
	} {
		bad := filepath.Join(t.TempDir(), "bad")
		noError(t, os.WriteFile(bad, content, 0o600))
		if r, err := j.Restore(t.Context(), bad); err == nil || !strings.Contains(err.Error(), "Nothing was changed") {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	if _, err := j.Restore(t.Context(), filepath.Join(dir, "none")); err == nil {
		t.Error("restored from no file")
	}
	if !bytes.Equal(before, must(os.ReadFile(filepath.Join(dir, "journal.db")))) {
		t.Error("the journal changed")
	}
	must(j.Begin(t.Context(), initiation(t, 77), carl, nil))
	if _, err := j.Restore(t.Context(), file); err == nil || !strings.Contains(err.Error(), "waits for the answer") {
		t.Error(err)
	}
}

func TestOnAnotherMachineTheKeyFileIsMissed(t *testing.T) {
	t.Parallel()
	needsFile(t)
	_, _, file := backedUp(t)
	elsewhere := filepath.Join(t.TempDir(), "state")
	j := journal.New(journal.Options{Dir: elsewhere})
	defer j.Close()
	r, err := j.Restore(t.Context(), file)
	if err != nil || !strings.Contains(r.Key, "The key file is missing") || r.SetAside != "" {
		t.Errorf("%+v, %v", r, err)
	}
	if err := j.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "journal.key") {
		t.Error(err)
	}
	other, _, _ := backedUp(t)
	if r, err := other.CompareBackup(t.Context(), file); err != nil || !strings.Contains(r.Key, "belongs to another journal") {
		t.Errorf("%+v, %v", r, err)
	}
}

// The text of the schema is data of the file as well: SQLite uses what it finds.
func TestADamagedSchemaIsDamage(t *testing.T) {
	t.Parallel()
	needsFile(t)
	oneAtATime(t)
	for after, of := range map[string][2]string{ // an index leaves out payments; a column has another type
		"CREATE INDEX entries_under_way": {"'initiate'", "'initiatf'"}, "CREATE TABLE entries": {"reference TEXT", "reference TEXU"},
	} {
		c, dir := newClock(), newDir(t)
		mustOpen(t, dir, c).Close()
		path := filepath.Join(dir, "journal.db")
		before, text, is := bytes.Cut(must(os.ReadFile(path)), []byte(after))
		if !is || !bytes.Contains(text, []byte(of[0])) {
			t.Fatal("not in the file")
		}
		text = bytes.Replace(text, []byte(of[0]), []byte(of[1]), 1)
		noError(t, os.WriteFile(path, slices.Concat(before, []byte(after), text), 0o600))
		if journal.FullCheck(t.Context(), dir) == nil {
			t.Errorf("%s: the damage passes the full check", after)
		}
		if j := openAfterLoss(t, dir, c); damagedBackup(j) == "" {
			t.Errorf("%s: the damaged journal is in use", after)
		}
	}
}
