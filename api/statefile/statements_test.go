package statefile

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// opened opens a new database in a folder, with a table of so many rows.
func opened(t *testing.T, rows int) (db *sql.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state", "rows.db")
	s := Schema{SQL: "CREATE TABLE numbers (n INTEGER PRIMARY KEY, text TEXT)", Version: 1}
	if err := s.ensure(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	db = Open(Writable(path, true))
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	for n := range rows {
		if _, err := db.ExecContext(t.Context(), "INSERT INTO numbers (n, text) VALUES (?, ?)", n, fmt.Sprint("text ", n)); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func TestAStatementRunsWhileTheSameOneRuns(t *testing.T) {
	db := opened(t, 3)
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	const query = "SELECT n FROM numbers WHERE n >= ? ORDER BY n"
	var all []int
	for range 2 { // the second time with what was kept
		err = ForEach(t.Context(), tx, func(rows *sql.Rows) error {
			var n int
			if err := rows.Scan(&n); err != nil {
				return err
			}
			above, err := All(t.Context(), tx, One[int], query, n+1)
			all = append(append(all, n), above...)
			return err
		}, query, 0)
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := "[0 1 2 1 2 2 0 1 2 1 2 2]"; fmt.Sprint(all) != want {
		t.Errorf("read %v, want %s", all, want)
	}
}

// Two programs find the same file damaged. The first sets it aside and begins another, before the second has the lock.
func TestANewFileIsNotSetAsideForTheDamagedOneThatItReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "numbers.db")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("damaged")
	seen := must(os.Stat(path))
	if aside := must(setAside(path, seen)); aside != path+".damaged" {
		t.Errorf("it is at %q", aside)
	}
	write("new")
	if aside := must(setAside(path, seen)); aside != "" || string(must(os.ReadFile(path))) != "new" || string(must(os.ReadFile(path+".damaged"))) != "damaged" {
		t.Errorf("the new file is at %q", aside)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
