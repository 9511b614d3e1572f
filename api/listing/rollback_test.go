package listing_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"paydesk/api/listing"
)

// A console was killed while SQLite wrote without a write-ahead log: half of a transaction is in the file, and what
// it was before is in the rollback journal beside it. Whoever reads next gets what was before; SQLite does not undo
// the half for a reader alone.
func TestATransactionThatAKillCutInTwoIsNotRead(t *testing.T) {
	first := filepath.Join(t.TempDir(), "state")
	m := open(t, first, 0)
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	keep(t, m, shop, numbered(t, began, 90, "PENDING"))
	keep(t, m, shop, numbered(t, began.Add(time.Hour), 90, "SUCCESSFUL"))
	m.Close()
	db := must(sql.Open("sqlite", "file:"+filepath.Join(first, listing.MirrorFile)+"?mode=rw"))
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		"PRAGMA journal_mode=DELETE", "PRAGMA cache_size=1", "BEGIN IMMEDIATE",
		"DELETE FROM scans", "CREATE TABLE half_written (x)", "INSERT INTO half_written VALUES (randomblob(200000))", // more than the cache: spilled
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	killed := filepath.Join(t.TempDir(), "state")
	must(0, os.CopyFS(killed, os.DirFS(first)))
	for _, name := range must(filepath.Glob(killed + "/*")) {
		must(0, os.Chmod(name, 0o600))
	}
	must(0, os.Chmod(killed, 0o700))
	if about := must(os.Stat(filepath.Join(killed, listing.MirrorFile+"-journal"))); about.Size() == 0 {
		t.Fatal("nothing was left half-written")
	}

	again := open(t, killed, 0)
	scans, err := again.Scans(t.Context(), shop)
	if err != nil || len(scans) != 2 {
		t.Fatalf("%d scans are read, %v", len(scans), err)
	}
	if told(t, again, time.Time{}) == "" {
		t.Error("nothing changed between them")
	}
	if sum := keep(t, again, shop, numbered(t, began.Add(2*time.Hour), 90, "SUCCESSFUL")); sum.SetAside != "" {
		t.Error("a sound mirror was set aside as", sum.SetAside)
	}
}
