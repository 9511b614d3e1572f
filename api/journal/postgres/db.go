package postgres

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"paydesk/api/journal"
)

// A DB is a team's journal on a server. It implements [journal.Database].
type DB struct {
	config Config
	name   string
	pool   *sql.DB

	ahead atomic.Int64           // nanoseconds that the server's clock is ahead
	login atomic.Pointer[string] // nil before the first use
}

var _ journal.Database = (*DB)(nil)

// connections limits how many a console has, beside the one that listens.
const connections = 2

// Open returns a journal that connects at its first use. Its error is a [Mistake].
func Open(c Config) (*DB, error) {
	p, err := c.parse()
	if err != nil {
		return nil, err
	}
	d := &DB{config: c, name: p.Database + "." + c.schema() + " on " + p.Host, pool: sql.OpenDB(connector{c})}
	d.pool.SetMaxOpenConns(connections)
	d.pool.SetConnMaxIdleTime(5 * time.Minute)
	d.pool.SetConnMaxLifetime(time.Hour)
	return d, nil
}

// Name implements [journal.Database].
func (d *DB) Name() string { return d.name }

// Close implements [journal.Database].
func (d *DB) Close() { d.pool.Close() }

// useLimit limits how long a use may take. A person cannot end one that writes: what is recorded has happened.
const useLimit = 10 * time.Second

// conflictLimit limits how long a transaction is repeated after a conflict with another one, such as one that deletes.
const conflictLimit = 5 * time.Second

// Write implements [journal.Database], by locks that last as long as the transaction. In serializable transactions the
// few pages of an index that all of them read would make each stand in the way of all others, again and again.
func (d *DB) Write(ctx context.Context, on string, f func(context.Context, journal.Tx, journal.At) error) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), useLimit)
	defer stop()
	all := d.config.lock("")
	keys, locks := []string{all, journal.ChainLock}, fmt.Sprintf(lockExclusive, all)
	if on != "" {
		key := d.config.lock(on)
		keys, locks = append(keys, key), fmt.Sprintf("SELECT pg_advisory_xact_lock_shared(%s);"+lockExclusive, all, key)
	}
	err := d.repeat(ctx, locks, f)
	if e, is := errors.AsType[*pgconn.PgError](err); is && e.Code == lockNotAvailable {
		return &heldError{d.holders(ctx, keys), err}
	}
	return err
}

// lockExclusive waits for every other holder of the lock, and holds it until the transaction ends.
const lockExclusive = "SELECT pg_advisory_xact_lock(%s);"

// lock is the number of the lock of a name in the schema, or of everything in it.
func (c Config) lock(name string) string {
	sum := sha256.Sum256([]byte("paydesk." + c.schema() + " " + name))
	return strconv.FormatInt(int64(binary.BigEndian.Uint64(sum[:])), 10)
}

// lockNotAvailable is the code of the server for a lock that was waited for in vain.
const lockNotAvailable = "55P03"

// A heldError is the error of a lock that others held for too long.
type heldError struct {
	by  string // logins; "" where they are not known
	err error
}

func (h *heldError) Error() string { return h.err.Error() }
func (h *heldError) Unwrap() error { return h.err }

// holders returns the logins that hold one of some locks. Advisory locks need no right, so any login that may connect can hold one.
func (d *DB) holders(ctx context.Context, keys []string) (logins string) {
	_ = d.pool.QueryRowContext(ctx, `SELECT coalesce(string_agg(DISTINCT CAST(usename AS TEXT), ', '), '') FROM pg_locks JOIN pg_stat_activity USING (pid)
		WHERE locktype = 'advisory' AND granted AND mode = 'ExclusiveLock' AND pid <> pg_backend_pid() AND
		((CAST(classid AS BIGINT) << 32) | CAST(objid AS BIGINT)) IN (`+strings.Join(keys, ", ")+`)`).Scan(&logins)
	return logins
}

// repeat runs f in a transaction, and again after a conflict with another one.
func (d *DB) repeat(ctx context.Context, locks string, f func(context.Context, journal.Tx, journal.At) error) error {
	for began, wait := time.Now(), time.Millisecond; ; wait = min(2*wait, 200*time.Millisecond) {
		err := d.transact(ctx, locks, f)
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

// transact runs f in a transaction, at a server that may be written to.
func (d *DB) transact(ctx context.Context, locks string, f func(context.Context, journal.Tx, journal.At) error) error {
	on, err := d.pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer on.Close()
	return transact(ctx, on, locks, func() error {
		at, err := d.guard(ctx, on)
		if err != nil {
			return err
		}
		return f(ctx, on, at)
	})
}

const commit = "COMMIT"

// transact runs f in a transaction that begins with some SQL, and commits it when f has no error. A commit whose answer is lost is an
// error. A connection that is still in a transaction afterwards could not be rolled back: it is not used again.
func transact(ctx context.Context, on *sql.Conn, begin string, f func() error) error {
	_, err := on.ExecContext(ctx, "BEGIN ISOLATION LEVEL READ COMMITTED;"+begin)
	if err == nil {
		err = f()
	}
	if err == nil {
		_, err = on.ExecContext(ctx, commit)
	}
	if err != nil {
		_, _ = on.ExecContext(ctx, "ROLLBACK") // there is an error to return already
	}
	return err
}

// isConflict reports whether a transaction was undone because of another one, so that it may be repeated: also where a
// row was deleted after it was read.
func isConflict(err error) bool {
	e, is := errors.AsType[*pgconn.PgError](err)
	return is && slices.Contains([]string{"40001", "40P01", "23503"}, e.Code) // serialization_failure, deadlock_detected, foreign_key_violation
}

// serverState selects whether a server keeps a commit, whether it takes one, and its time in microseconds.
const serverState = `current_setting('synchronous_commit'), current_setting('fsync'),
	pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on', CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)`

// guard rejects a server on which a commit would not be durable or could not be made, and a schema of another version.
// It returns the server's time and the login there.
func (d *DB) guard(ctx context.Context, on *sql.Conn) (at journal.At, err error) {
	var version []byte
	var synchronous, fsync string
	var readOnly bool
	var micro int64
	err = on.QueryRowContext(ctx, "SELECT (SELECT value FROM about WHERE name = 'version'), CAST(session_user AS TEXT), "+serverState).
		Scan(&version, &at.Login, &synchronous, &fsync, &readOnly, &micro)
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
		return at, errNone
	case readOnly:
		return at, errReadOnly
	case !durable(synchronous, fsync):
		return at, errNotDurable
	}
	return at, nil
}

// Read implements [journal.Database].
func (d *DB) Read(ctx context.Context, f func(context.Context, journal.Querier, journal.At) error) error {
	ctx, stop := context.WithTimeout(ctx, useLimit)
	defer stop()
	login := d.login.Load()
	if login == nil {
		login = new(string)
		if err := d.pool.QueryRowContext(ctx, "SELECT CAST(session_user AS TEXT)").Scan(login); err != nil {
			return err
		}
		d.login.Store(login)
	}
	return f(ctx, d.pool, journal.At{Time: time.Now().Add(time.Duration(d.ahead.Load())), Login: *login})
}

const (
	// quiet limits how long nothing may be heard before the connection is checked: a server that has vanished closes nothing.
	quiet = 10 * time.Second
	// answersWithin limits how long the server may take to answer that.
	answersWithin = 5 * time.Second
)

// Listen implements [journal.Database], on a connection of its own.
func (d *DB) Listen(ctx context.Context, changed func()) error {
	for {
		_ = d.listen(ctx, changed)
		select {
		case <-time.After(time.Second + rand.N(time.Second)): // fifty consoles come back one after the other
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (d *DB) listen(ctx context.Context, changed func()) error {
	c, err := d.config.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	for err = c.pg.Exec(ctx, "LISTEN "+channel(d.config.schema())).Close(); err == nil; err = c.hear(ctx) {
		changed() // also after a connection was lost: changes of that time were not announced
	}
	return err
}

// hear waits for a notification. Its error is that the connection is lost.
func (c *conn) hear(ctx context.Context) error {
	for !c.notified {
		waiting, stop := context.WithTimeout(ctx, quiet)
		err := c.pg.WaitForNotification(waiting)
		silent := waiting.Err() != nil && ctx.Err() == nil
		stop()
		if err == nil {
			break
		}
		if !silent || c.pg.IsClosed() {
			return err
		}
		asking, stop := context.WithTimeout(ctx, answersWithin)
		err = c.pg.Ping(asking)
		stop()
		if err != nil {
			return err
		}
	}
	c.notified = false
	return nil
}

// channel returns the channel that announces changes; see schema.sql.
func channel(schema string) string { return "paydesk_" + schema }
