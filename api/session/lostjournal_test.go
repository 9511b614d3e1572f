package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// A payment that was sent from here stays what was asked for when an older journal is put in the place of its own: the next
// answer is compared with that.
func TestAnAnswerIsComparedWithWhatWasSentWhateverBecameOfTheJournal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	j := journal.New(journal.Options{Dir: dir})
	defer j.Close()
	file, older := filepath.Join(dir, "journal.db"), filepath.Join(t.TempDir(), "older.db")
	noError(t, j.Check(t.Context()))
	_, err := j.Backup(t.Context(), older)
	noError(t, err)
	s := &service{payment: initiated, status: "PENDING"}
	d := withJournal(j, s)
	_, err = d.Initiate(t.Context(), initiation(t, ""))
	noError(t, err)
	deleteJournal(t, file)
	noError(t, os.Rename(older, file))
	_ = d.Reload(t.Context()) // what is left open is read again
	s.status, s.amount = "SUCCESSFUL", gbp(t, "1.00")
	for range 2 {
		_, err = d.Transaction(t.Context(), "ref-1")
		noError(t, err)
		_ = d.Reload(t.Context())
		e, ours := d.Find("ref-1")
		if !ours || e.Kind != ledger.Initiate || e.Amount != gbp(t, "12.50") || e.Mismatch.What&api.AmountDiffers == 0 {
			t.Fatalf("made here %t, %s, %s, differs %v", ours, e.Kind, e.Amount, e.Mismatch)
		}
	}
}

func deleteJournal(t *testing.T, file string) {
	t.Helper()
	all, err := filepath.Glob(file + "*")
	noError(t, err)
	for _, f := range all {
		if filepath.Ext(f) != ".losses" && filepath.Ext(f) != ".lock" {
			noError(t, os.RemoveAll(f))
		}
	}
}
