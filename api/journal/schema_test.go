package journal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
)

// paidOverLink stores a link and three successful payments through it.
func paidOverLink(t *testing.T, j *journal.Journal, c *clock) {
	t.Helper()
	mustEnd(t, j, mustBegin(t, j, chairs(t)).ID, madeLink("0-a1b2c3d"))
	for i, ref := range []string{"ZREF-0", "ZREF-1", "ZREF-2"} {
		c.advance(time.Hour)
		p := initiation(t, 12000+int64(i))
		p.Link = "0-a1b2c3d"
		mustEnd(t, j, mustBegin(t, j, p).ID, accepted(ref, "PENDING"))
		noError(t, j.RecordStatus(t.Context(), shop, api.Reference(ref), api.ParseStatus("SUCCESSFUL")))
	}
}

// The text of the schema is data of the file as well: SQLite uses what it finds.
func TestADamagedSchemaIsDamage(t *testing.T) {
	t.Parallel()
	needsFile(t)
	oneAtATime(t)
	for name, x := range map[string]struct{ after, old, new string }{
		"an index leaves out payments": {"CREATE INDEX entries_under_way", "'initiate'", "'initiatf'"},
		"a column has another type":    {"CREATE TABLE entries", "reference TEXT", "reference TEXU"},
	} {
		t.Run(name, func(t *testing.T) {
			c, dir := newClock(), newDir(t)
			mustOpen(t, dir, c).Close()
			path := filepath.Join(dir, "journal.db")
			b, err := os.ReadFile(path)
			noError(t, err)
			from := bytes.Index(b, []byte(x.after))
			at := from + bytes.Index(b[max(from, 0):], []byte(x.old))
			if from < 0 || at < from {
				t.Fatal("not in the file")
			}
			copy(b[at:], x.new)
			noError(t, os.WriteFile(path, b, 0o600))
			if journal.FullCheck(t.Context(), dir) == nil {
				t.Error("the damage passes the full check")
			}
			j := openAfterLoss(t, dir, c)
			if j.DamagedBackup() == "" {
				t.Error("the damaged journal is in use")
			}
			paidOverLink(t, j, c)
			links, err := j.Links(t.Context(), shop)
			noError(t, err)
			if len(links) != 1 || links[0].Paid != 3 {
				t.Errorf("%+v", links)
			}
		})
	}
}

// What another program computes for the query planner changes no answer.
func TestAnAnalyzedJournalIsSound(t *testing.T) {
	t.Parallel()
	needsFile(t)
	c, dir := newClock(), newDir(t)
	mustOpen(t, dir, c).Close()
	execSQL(t, filepath.Join(dir, "journal.db"), "ANALYZE")
	noError(t, journal.FullCheck(t.Context(), dir))
}
