package journal

import (
	"context"
	"database/sql"
	"time"

	"paydesk/api/statefile"
)

// A Database holds the rows of a journal: the file of one user, or the server of a team. Arguments of its SQL are strings,
// integers and bytes, in the place of each ?.
type Database interface {
	// Write runs f in one transaction, which is durable as a whole when the error is nil. on names what f concerns: while
	// it runs, no other Write with this name runs anywhere, and where it is "" no other Write does. f gets
	// the place where it runs, sees all that was written before, and runs again after a conflict. An error of f is returned
	// as it is, and undoes everything.
	Write(ctx context.Context, on string, f func(context.Context, Tx, At) error) error
	// Read runs f on what is committed; on nil where nothing ever was.
	Read(ctx context.Context, f func(context.Context, Querier, At) error) error
	// Listen calls changed once it listens, after each change that any console has made, and after a connection that was
	// lost is back, until ctx ends. One call may announce several changes, and the caller's own.
	Listen(ctx context.Context, changed func()) error
	// Problem says what is wrong and what to do about it, for the operator. It quotes nothing that is stored.
	Problem(error) string
	// Name returns the database and its host, without a password.
	Name() string
	Close()
}

// At tells when, and under which login, a transaction runs; zero in a file.
type At struct {
	Time  time.Time // the server's
	Login string    // of this console at the server
}

// A Querier reads rows.
type Querier = statefile.Querier

// A Tx is a transaction.
type Tx interface {
	Querier
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// A scanner reads the values of a row.
type scanner = *sql.Rows

// each calls f for each row of a query. A journal in memory has none before it is first written: its tables are made then,
// since many a console only looks.
func (t *readTx) each(f func(scanner) error, query string, args ...any) error {
	if t.q == nil {
		return nil
	}
	return statefile.ForEach(t.ctx, t.q, f, query, args...)
}

// one reads the only row of a query. It is [sql.ErrNoRows] when there is none. A count of nothing is 0.
func (t *readTx) one(query string, args []any, to ...any) error {
	if t.q == nil {
		return nil
	}
	return t.q.QueryRowContext(t.ctx, query, args...).Scan(to...)
}

// collect returns what next makes of each row of a query; nothing when there is an error.
func collect[T any](t *readTx, next func(scanner) (T, error), query string, args ...any) ([]T, error) {
	return collectBut(t, func(error) bool { return false }, next, query, args...)
}

// list is collect without the rows that a list does without.
func list[T any](t *readTx, next func(scanner) (T, error), query string, args ...any) ([]T, error) {
	return collectBut(t, t.hide, next, query, args...)
}

func collectBut[T any](t *readTx, hide func(error) bool, next func(scanner) (T, error), query string, args ...any) (all []T, err error) {
	err = t.each(func(r scanner) error {
		v, err := next(r)
		switch {
		case err == nil:
			all = append(all, v)
		case hide(err):
			return nil
		}
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// only reads the only column of a row.
func only[T any](r scanner) (v T, err error) {
	err = r.Scan(&v)
	return v, err
}

func (t *writeTx) exec(query string, args ...any) error {
	_, err := t.tx.ExecContext(t.ctx, query, args...)
	return err
}
