package journal_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// obstruct has outcomes wait in no file beside the journal: a file is where their folder would be.
func obstruct(t testing.TB, dir string) (clear func()) {
	t.Helper()
	path := filepath.Join(dir, "outcomes")
	noError(t, os.RemoveAll(path))
	noError(t, os.WriteFile(path, nil, 0o600))
	return func() { noError(t, os.Remove(path)) }
}

// waitingFiles are the files below a folder in which outcomes wait.
func waitingFiles(t testing.TB, dir string) (all []string) {
	t.Helper()
	filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error {
		if filepath.Ext(path) == ".json" {
			all = append(all, path)
		}
		return nil
	})
	return all
}

func TestAnAnswerThatCannotBeRecordedWaitsInAFileForTheNextConsole(t *testing.T) {
	t.Parallel()
	needsFile(t)
	page := must(api.ParseAddress("https://bank.example.com/go"))
	paid := accepted("REF-1", "SUCCESSFUL")
	paid.Payment.BankAuth, paid.Payment.Fees, paid.Payment.Total = page, pounds(t, 3), pounds(t, 1253)
	paid.Payment.Message = api.Clean("card 4111 1111 1111 1111")
	for _, obstructed := range []bool{false, true} {
		dir, elsewhere, c := newDir(t), t.TempDir(), newClock()
		o := journal.Options{Dir: dir, Now: c.now, Elsewhere: []string{elsewhere}}
		j := must(openJournal(t.Context(), o))
		a := mustBegin(t, j, initiation(t, 1250))
		where := dir
		if obstructed {
			where = elsewhere
			obstruct(t, dir)
		}
		j.Break(syscall.ENOSPC)
		unavailableText(t, j.End(t.Context(), a.ID, paid))
		waiting := waitingFiles(t, where)
		if len(waiting) != 1 {
			t.Fatalf("%d outcomes wait in %s", len(waiting), where)
		}
		about, text := must(os.Stat(waiting[0])), string(must(os.ReadFile(waiting[0])))
		if about.Mode().Perm() != 0o600 && runtime.GOOS != "windows" || strings.Contains(strings.ReplaceAll(text, " ", ""), "4111111111111111") {
			t.Errorf("%v: %s", about.Mode(), text)
		}
		if unkept := j.UnkeptOutcomes(t.Context()); len(unkept) != 0 {
			t.Errorf("what is in a file is taken for lost: %v", unkept)
		}
		if a := mustAttempt(t, j, a.ID); a.Outcome != ledger.Accepted || a.Reference != "REF-1" {
			t.Errorf("while it waits, it is shown as %+v", a)
		}
		j.Close() // it ends without having written it

		if runtime.GOOS != "windows" {
			loose := filepath.Join(filepath.Dir(waiting[0]), "0.json") // it must not hold up what is beside it
			noError(t, os.WriteFile(loose, nil, 0o600))
			noError(t, os.Chmod(loose, 0o644))
			if why := unavailableText(t, second(openJournal(t.Context(), o))); !strings.HasSuffix(why, "chmod 600 "+loose) || len(waitingFiles(t, where)) != 1 {
				t.Error(why)
			}
			noError(t, os.Remove(loose))
		}
		o.Elsewhere = append(o.Elsewhere, t.TempDir())
		next := must(openJournal(t.Context(), o))
		if a := mustAttempt(t, next, a.ID); a.Outcome != ledger.Accepted || a.Reference != "REF-1" || a.BankAuth != page || a.Fees != 3 || a.Total != 1253 {
			t.Errorf("the answer is lost: %+v", a)
		}
		if all := append(waitingFiles(t, dir), waitingFiles(t, elsewhere)...); len(all) != 0 {
			t.Errorf("what is recorded still waits: %v", all)
		}
		next.Close()
	}
}

func TestAnOutcomeWaitsForTheJournalOfItsOwnFolder(t *testing.T) {
	t.Parallel()
	needsFile(t)
	elsewhere, c := t.TempDir(), newClock()
	one, other := newDir(t), newDir(t)
	j := must(openJournal(t.Context(), journal.Options{Dir: one, Now: c.now, Elsewhere: []string{elsewhere}}))
	defer j.Close()
	a := mustBegin(t, j, initiation(t, 1250))
	obstruct(t, one)
	j.Break(syscall.ENOSPC)
	unavailableText(t, j.End(t.Context(), a.ID, accepted("REF-1", "SUCCESSFUL")))
	k := must(openJournal(t.Context(), journal.Options{Dir: other, Now: c.now, Elsewhere: []string{elsewhere}}))
	defer k.Close()
	if n := len(waitingFiles(t, elsewhere)); n != 1 || k.StrangeOutcomes() != 0 {
		t.Errorf("%d outcomes wait, %d are strange", n, k.StrangeOutcomes())
	}
}

func TestNothingIsSentWhereItsOutcomeCouldNotWait(t *testing.T) {
	t.Parallel()
	needsFile(t)
	dir, c := newDir(t), newClock()
	j := mustOpen(t, dir, c)
	clear := obstruct(t, dir)
	_, err := j.Begin(t.Context(), initiation(t, 1250), ledger.Payer{}, nil)
	if why := unavailableText(t, err); !strings.Contains(why, "Nothing was sent") || !strings.Contains(why, dir) || api.OutcomeOf(err) != api.OutcomeNotSent {
		t.Error(why)
	}
	if _, n, err := j.Attempts(t.Context(), journal.Filter{}, 0, 1); n != 0 || err != nil {
		t.Errorf("%d attempts were recorded: %v", n, err)
	}
	other := must(openJournal(t.Context(), journal.Options{Dir: dir, Now: c.now, Elsewhere: []string{t.TempDir()}}))
	defer other.Close()
	mustBegin(t, other, initiation(t, 1250))
	clear()
	mustBegin(t, j, initiation(t, 1300))
}

func TestAnOutcomeThatIsInNoFileIsNamedUntilItIsWritten(t *testing.T) {
	t.Parallel()
	needsFile(t)
	dir := newDir(t)
	j := mustOpen(t, dir, newClock())
	a := mustBegin(t, j, initiation(t, 1250))
	obstruct(t, dir)
	j.Break(syscall.ENOSPC)
	unavailableText(t, j.End(t.Context(), a.ID, accepted("REF-1", "SUCCESSFUL")))
	if unkept := j.UnkeptOutcomes(t.Context()); !slices.Equal(unkept, []ledger.ID{a.ID}) {
		t.Errorf("in no file: %v", unkept)
	}
	j.Break(nil)
	if unkept := j.UnkeptOutcomes(t.Context()); len(unkept) != 0 {
		t.Errorf("in no file: %v", unkept)
	}
	if a := mustAttempt(t, j, a.ID); a.Reference != "REF-1" {
		t.Errorf("the answer is lost: %+v", a)
	}
}
