package postgres

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"paydesk/api/journal/postgres/pgtest"
)

func noError(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// config returns that of a database without a journal.
func config(t testing.TB) Config {
	server := pgtest.Shared(t)
	return Config{URL: server.URL("postgres", server.Database)}
}

func connected(t testing.TB, c Config) *sql.Conn {
	t.Helper()
	db := sql.OpenDB(connector{c})
	t.Cleanup(func() { db.Close() })
	to, err := db.Conn(t.Context())
	noError(t, err)
	t.Cleanup(func() { to.Close() })
	return to
}

func TestAValueComesBackAsItWasSent(t *testing.T) {
	t.Parallel()
	c := connected(t, config(t))
	type word string
	rapid.Check(t, func(t *rapid.T) {
		text := word(rapid.StringMatching(`[^\x00]*`).Draw(t, "text"))
		n := rapid.Int64().Draw(t, "n")
		small := int(rapid.Int32().Draw(t, "small"))
		is := rapid.Bool().Draw(t, "is")
		bytes := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		var gotText word
		var gotN int64
		var gotSmall int
		var gotIs bool
		var gotBytes, none []byte
		noError(t, c.QueryRowContext(t.Context(), "SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS INTEGER), CAST($4 AS BOOLEAN), CAST($5 AS BYTEA), CAST(NULL AS BYTEA)",
			text, n, small, is, bytes).Scan(&gotText, &gotN, &gotSmall, &gotIs, &gotBytes, &none))
		if d := cmp.Diff([]any{text, n, small, is, string(bytes)}, []any{gotText, gotN, gotSmall, gotIs, string(gotBytes)}); d != "" || none != nil {
			t.Fatal(d, none)
		}
		all := make([]any, 5)
		noError(t, c.QueryRowContext(t.Context(), "SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS BOOLEAN), CAST($4 AS BYTEA), NULL",
			string(text), n, is, bytes).Scan(&all[0], &all[1], &all[2], &all[3], &all[4]))
		if d := cmp.Diff([]any{string(text), n, is, bytes, nil}, all); d != "" {
			t.Fatal(d)
		}
	})
}

func TestAnAbortedTransactionIsNotTakenForCommitted(t *testing.T) {
	t.Parallel()
	c := connected(t, config(t))
	noError(t, exec(t.Context(), c, "CREATE TABLE kept (n BIGINT)"))
	failed := errors.New("it failed")
	for name, f := range map[string]func() error{
		"an error that was overlooked": func() error { _ = exec(t.Context(), c, "SELECT 1 / 0"); return nil },
		"an error":                     func() error { return failed },
	} {
		err := transact(t.Context(), c, "", func() error {
			noError(t, exec(t.Context(), c, "INSERT INTO kept VALUES ($1)", 1))
			return f()
		})
		var n int
		noError(t, c.QueryRowContext(t.Context(), "SELECT count(*) FROM kept").Scan(&n))
		if err == nil || n != 0 {
			t.Errorf("%s: %v, %d are kept", name, err, n)
		}
	}
}

// A connection that is broken, or still in a transaction, is closed when it is given back.
func TestAConnectionThatIsNotIdleIsNotUsedAgain(t *testing.T) {
	t.Parallel()
	db := sql.OpenDB(connector{config(t)})
	defer db.Close()
	id := func(after func(*sql.Conn)) (pid uint32) {
		c, err := db.Conn(t.Context())
		noError(t, err)
		defer c.Close()
		noError(t, c.QueryRowContext(t.Context(), "SELECT pg_backend_pid()").Scan(&pid))
		after(c)
		return pid
	}
	nothing := func(*sql.Conn) {}
	for name, leave := range map[string]func(*sql.Conn){
		"in a transaction": func(c *sql.Conn) { noError(t, exec(t.Context(), c, "BEGIN")) },
		"cancelled": func(c *sql.Conn) {
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer stop()
			if err := exec(ctx, c, "SELECT pg_sleep(60)"); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		},
	} {
		if left := id(leave); left == id(nothing) {
			t.Errorf("%s: it is used again", name)
		}
	}
	if first := id(nothing); id(nothing) != first {
		t.Error("an idle connection is not used again")
	}
}
