package journal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"paydesk/api/journal"
)

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
		if j := openAfterLoss(t, dir, c); j.DamagedBackup() == "" {
			t.Errorf("%s: the damaged journal is in use", after)
		}
	}
}
