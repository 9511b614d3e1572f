package statefile

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
)

// keptBy returns how many statements the only connection of a database keeps.
func keptBy(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Raw(func(c any) error { n = len(c.(*connection).idle); return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

// table is a database with a table of three numbers.
func table(t *testing.T) *sql.DB {
	t.Helper()
	db := Open(Source(filepath.Join(t.TempDir(), "numbers.db"), "rwc"))
	t.Cleanup(func() { db.Close() })
	if _, err := db.Exec("CREATE TABLE numbers (n INTEGER); INSERT INTO numbers VALUES (1), (2), (3)"); err != nil {
		t.Fatal(err)
	}
	return db
}

const numbers = "SELECT n FROM numbers WHERE n >= ? ORDER BY n"

// read returns what a query finds, and calls inside while its first row is read.
func read(ctx context.Context, q Querier, inside func(), query string, args ...any) (found string, err error) {
	err = ForEach(ctx, q, func(r *sql.Rows) error {
		if found == "" {
			inside()
		}
		values := make([]any, len(must(r.Columns())))
		to := make([]any, len(values))
		for i := range values {
			to[i] = &values[i]
		}
		if err := r.Scan(to...); err != nil {
			return err
		}
		found += fmt.Sprint(values)
		return nil
	}, query, args...)
	return found, err
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func nothing() {}

func TestAStatementIsPreparedOnceAndRunsWithTheArgumentsOfEachUse(t *testing.T) {
	db := table(t)
	for _, c := range []struct {
		from int
		want string
	}{{1, "[1][2][3]"}, {3, "[3]"}, {4, ""}, {2, "[2][3]"}} {
		if got, err := read(t.Context(), db, nothing, numbers, c.from); got != c.want || err != nil {
			t.Errorf("from %d: %q, %v; want %q", c.from, got, err, c.want)
		}
	}
	if n := keptBy(t, db); n != 1 {
		t.Errorf("%d statements are kept, of one", n)
	}
}

// A query of whose rows some are still to be read is asked again, in the same transaction.
func TestAStatementThatRunsIsNotRunByAnother(t *testing.T) {
	db := table(t)
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	var inner string
	outer, err := read(t.Context(), tx, func() { inner = must(read(t.Context(), tx, nothing, numbers, 2)) }, numbers, 1)
	if outer != "[1][2][3]" || inner != "[2][3]" || err != nil {
		t.Errorf("read %q and, inside, %q, %v", outer, inner, err)
	}
}

// Another connection has changed the table since a statement was prepared.
func TestAKeptStatementSeesANewSchema(t *testing.T) {
	db := table(t)
	const all = "SELECT * FROM numbers LIMIT 1"
	if got := must(read(t.Context(), db, nothing, all)); got != "[1]" {
		t.Fatal(got)
	}
	var file string
	if err := db.QueryRow("PRAGMA database_list").Scan(new(int), new(string), &file); err != nil {
		t.Fatal(err)
	}
	other := Open(Source(file, "rw"))
	defer other.Close()
	if _, err := other.Exec("ALTER TABLE numbers ADD COLUMN name TEXT DEFAULT 'x'"); err != nil {
		t.Fatal(err)
	}
	if got, err := read(t.Context(), db, nothing, all); got != "[1 x]" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAStatementThatFailedIsNotKeptAndAConnectionKeepsFew(t *testing.T) {
	db := table(t)
	if _, err := db.Exec("INSERT INTO numbers VALUES (abs(-9223372036854775808))"); err == nil {
		t.Error("an overflow is no error")
	}
	if n := keptBy(t, db); n != 0 {
		t.Errorf("%d statements are kept after one that failed", n)
	}
	for i := range 3 * mostIdle {
		if _, err := db.Exec(fmt.Sprintf("UPDATE numbers SET n = %d WHERE n = 1", i)); err != nil {
			t.Fatal(err)
		}
	}
	if n := keptBy(t, db); n == 0 || n > mostIdle {
		t.Errorf("%d statements are kept; want at most %d", n, mostIdle)
	}
}
