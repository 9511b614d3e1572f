package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"paydesk/api/journal"
)

// A DB is a team's journal on a server. It implements [journal.Database].
type DB struct {
	config Config
	name   string

	mu   sync.Mutex
	pool *pool // nil before the first use

	ahead atomic.Int64           // nanoseconds that the server's clock is ahead
	login atomic.Pointer[string] // nil before the first use
}

var _ journal.Database = (*DB)(nil)

// Open returns a journal that connects at its first use. Its error is a [Mistake].
func Open(c Config) (*DB, error) {
	p, err := c.parse()
	if err != nil {
		return nil, err
	}
	return &DB{config: c, name: p.Database + "." + c.schema() + " on " + p.Host}, nil
}

// Name implements [journal.Database].
func (d *DB) Name() string { return d.name }

// Close implements [journal.Database].
func (d *DB) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pool != nil {
		d.pool.Close()
		d.pool = nil
	}
}

// with runs f on a connection of the pool.
func (d *DB) with(ctx context.Context, f func(*conn) error) error {
	p, err := d.connections()
	if err != nil {
		return err
	}
	return p.with(ctx, f)
}

func (d *DB) connections() (p *pool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pool == nil {
		d.pool, err = newPool(d.config)
	}
	return d.pool, err
}

// conflictLimit is how long a transaction is repeated that another one stood in the way of, such as one that deletes.
const conflictLimit = 5 * time.Second

// Write implements [journal.Database], by locks that last as long as the transaction. In serializable transactions the
// few pages of an index that all of them read would make each stand in the way of all others, again and again.
func (d *DB) Write(ctx context.Context, on []string, f func(journal.Tx, journal.At) error) error {
	slices.Sort(on) // all take them in one order
	err := d.repeat(ctx, func(c *conn) error {
		var first pgconn.Batch
		schema, lock := d.config.schema(), lockAll
		if len(on) > 0 {
			lock = "SELECT pg_advisory_xact_lock_shared(" + lockOf + ")"
		}
		err := c.queue(ctx, &first, lock, schema)
		for _, name := range on {
			if err == nil {
				err = c.queue(ctx, &first, "SELECT pg_advisory_xact_lock(hashtextextended($1, 1))", schema+" "+name)
			}
		}
		if err != nil {
			return err
		}
		return d.run(ctx, c, &first, f)
	})
	if e, is := errors.AsType[*pgconn.PgError](err); is && e.Code == lockNotAvailable {
		return &heldError{d.holders(ctx, on), err}
	}
	return err
}

// lockNotAvailable is the code of the server for a lock that was waited for in vain.
const lockNotAvailable = "55P03"

// A heldError is that somebody held a lock for too long.
type heldError struct {
	by  string // logins; "" where they are not known
	err error
}

func (h *heldError) Error() string { return h.err.Error() }
func (h *heldError) Unwrap() error { return h.err }

// holders returns who holds what a transaction on some names waits for. Advisory locks need no right, so it may be anybody
// who may connect.
func (d *DB) holders(ctx context.Context, on []string) (logins string) {
	schema := d.config.schema()
	keys := "SELECT " + strings.ReplaceAll(lockOf, "$1", "$1::text") + " UNION SELECT " + chainLock
	args := []any{schema}
	for _, name := range on {
		args = append(args, schema+" "+name)
		keys += " UNION SELECT hashtextextended($" + strconv.Itoa(len(args)) + ", 1)"
	}
	_ = d.with(ctx, func(c *conn) error {
		return c.one(ctx, `SELECT coalesce(string_agg(DISTINCT CAST(usename AS TEXT), ', '), '') FROM pg_locks JOIN pg_stat_activity USING (pid)
			WHERE locktype = 'advisory' AND granted AND mode = 'ExclusiveLock' AND pid <> pg_backend_pid() AND
			((CAST(classid AS BIGINT) << 32) | CAST(objid AS BIGINT)) IN (`+keys+`)`, args, &logins)
	})
	return logins
}

// chainLock is what keeps others from adding facts.
const chainLock = "hashtextextended('paydesk facts ' || current_schema(), 0)"

// lockAll waits until nobody else writes to a schema, until the transaction ends.
const (
	lockAll = "SELECT pg_advisory_xact_lock(" + lockOf + ")"
	lockOf  = "hashtextextended('paydesk.' || $1, 0)"
)

// Delete implements [journal.Database].
func (d *DB) Delete(ctx context.Context, f func(journal.Tx, journal.At) error) error {
	return d.repeat(ctx, func(c *conn) error { return d.run(ctx, c, new(pgconn.Batch), f) })
}

// repeat runs f in a transaction, and again after a conflict with another one.
func (d *DB) repeat(ctx context.Context, f func(*conn) error) error {
	for began, wait := time.Now(), time.Millisecond; ; wait = min(2*wait, 200*time.Millisecond) {
		err := d.with(ctx, func(c *conn) error {
			return c.transact(ctx, func() error { return f(c) })
		})
		if !isConflict(err) || time.Since(began) > conflictLimit {
			return err
		}
		select {
		case <-time.After(wait/2 + rand.N(wait)):
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		}
	}
}

// isConflict reports whether a transaction was undone because of another one, so that it may be repeated: also where a
// row was deleted after it was read.
func isConflict(err error) bool {
	e, is := errors.AsType[*pgconn.PgError](err)
	return is && slices.Contains([]string{"40001", "40P01", "23503"}, e.Code) // serialization_failure, deadlock_detected, foreign_key_violation
}

// run runs f after what is to be done first, which is sent together with the guard's question.
func (d *DB) run(ctx context.Context, c *conn, first *pgconn.Batch, f func(journal.Tx, journal.At) error) error {
	at, err := d.guard(ctx, c, first)
	if err != nil {
		return err
	}
	return f(c, at)
}

// guard rejects a server on which a commit would not be durable or could not be made, and a schema of another version.
// It returns the server's time and the login there, once it has done what is to be done first.
func (d *DB) guard(ctx context.Context, c *conn, first *pgconn.Batch) (at journal.At, err error) {
	var version []byte
	var synchronous, fsync, readOnly string
	var recovering bool
	var micro int64
	err = c.queue(ctx, first, `SELECT (SELECT value FROM about WHERE name = 'version'), current_setting('synchronous_commit'), current_setting('fsync'),
		current_setting('transaction_read_only'), pg_is_in_recovery(), CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT), CAST(session_user AS TEXT)`)
	if err != nil {
		return at, err
	}
	answers, err := c.ExecBatch(ctx, first).ReadAll()
	if err == nil {
		last := answers[len(answers)-1]
		err = scan(last.FieldDescriptions, last.Rows[0], []any{&version, &synchronous, &fsync, &readOnly, &recovering, &micro, &at.Login})
	}
	if err != nil {
		return at, err
	}
	at.Time = time.UnixMicro(micro)
	d.ahead.Store(int64(time.Until(at.Time)))
	v, _ := strconv.Atoi(string(version))
	switch {
	case v > Version:
		return at, errNewer
	case v < Version:
		return at, errOlder
	case recovering || readOnly == "on":
		return at, errReadOnly
	case !durable(synchronous, fsync):
		return at, errNotDurable
	}
	return at, nil
}

// Read implements [journal.Database].
func (d *DB) Read(ctx context.Context, f func(journal.Querier, journal.At) error) error {
	return d.with(ctx, func(c *conn) error {
		login := d.login.Load()
		if login == nil {
			login = new(string)
			if err := c.one(ctx, "SELECT CAST(session_user AS TEXT)", nil, login); err != nil {
				return err
			}
			d.login.Store(login)
		}
		return f(c, journal.At{Time: time.Now().Add(time.Duration(d.ahead.Load())), Login: *login})
	})
}
