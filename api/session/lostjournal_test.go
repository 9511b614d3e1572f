package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// A payment that was sent from here stays what was asked for when its journal goes away, or an older one is put in its place:
// the next answer is compared with that.
func TestAnAnswerIsComparedWithWhatWasSentWhateverBecameOfTheJournal(t *testing.T) {
	for _, c := range []struct {
		name   string
		before bool // it goes away, a status was seen
		reload bool // what is left open is read again before the next answer
		change func(t *testing.T, file, older string)
	}{
		{name: "deleted", change: func(t *testing.T, file, _ string) { deleteJournal(t, file) }},
		{name: "deleted after a status", before: true, change: func(t *testing.T, file, _ string) { deleteJournal(t, file) }},
		{name: "deleted and read again", reload: true, change: func(t *testing.T, file, _ string) { deleteJournal(t, file) }},
		{name: "an older copy", reload: true, change: func(t *testing.T, file, older string) {
			deleteJournal(t, file)
			noError(t, os.Rename(older, file))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
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
			if c.before {
				_, err := d.Transaction(t.Context(), "ref-1")
				noError(t, err)
			}
			c.change(t, file, older)
			if c.reload {
				_ = d.Reload(t.Context())
			}
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
		})
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
