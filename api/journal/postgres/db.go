package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"paydesk/api/journal"
)

// A DB is a team's journal on a server. It implements [journal.Database].
type DB struct {
	config Config
	name   string

	mu   sync.Mutex
	pool *pgxpool.Pool // nil before the first use

	ahead atomic.Int64 // nanoseconds that the server's clock is ahead
}

var _ journal.Database = (*DB)(nil)

// Open returns a journal that connects at its first use. Its error is a [Mistake].
func Open(c Config) (*DB, error) {
	p, err := c.parse()
	if err != nil {
		return nil, err
	}
	return &DB{config: c, name: p.ConnConfig.Database + "." + c.schema() + " on " + p.ConnConfig.Host}, nil
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

// connections returns the pool, which connects when a connection is asked for.
func (d *DB) connections() (*pgxpool.Pool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pool != nil {
		return d.pool, nil
	}
	p, err := d.config.parse()
	if err == nil {
		d.pool, err = pgxpool.NewWithConfig(context.Background(), p)
	}
	return d.pool, err
}

// conflictLimit is how long a transaction is repeated that another one stood in the way of, such as one that deletes.
const conflictLimit = 5 * time.Second

// Write implements [journal.Database]. All who write take one lock, as they do of a file: in serializable transactions
// the few pages of an index that all of them read would make each stand in the way of all others, again and again.
func (d *DB) Write(ctx context.Context, f func(journal.Tx, time.Time) error) error {
	return d.repeat(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockAll, d.config.schema()); err != nil {
			return err
		}
		return d.run(ctx, tx, f)
	})
}

// lockAll waits until nobody else writes to a schema, until the transaction ends.
const lockAll = "SELECT pg_advisory_xact_lock(hashtextextended('paydesk.' || $1, 0))"

// Delete implements [journal.Database].
func (d *DB) Delete(ctx context.Context, f func(journal.Tx, time.Time) error) error {
	return d.repeat(ctx, func(tx pgx.Tx) error { return d.run(ctx, tx, f) })
}

// repeat runs f in a transaction, and again after a conflict with another one.
func (d *DB) repeat(ctx context.Context, f func(pgx.Tx) error) error {
	pool, err := d.connections()
	if err != nil {
		return err
	}
	for began, wait := time.Now(), time.Millisecond; ; wait = min(2*wait, 200*time.Millisecond) {
		err := pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, f)
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

func (d *DB) run(ctx context.Context, tx pgx.Tx, f func(journal.Tx, time.Time) error) error {
	now, err := d.guard(ctx, tx)
	if err != nil {
		return err
	}
	return f(transaction{reader{tx}, tx}, now)
}

// isConflict reports whether a transaction was undone because of another one, so that it may be repeated.
func isConflict(err error) bool {
	e, is := errors.AsType[*pgconn.PgError](err)
	return is && (e.Code == "40001" || e.Code == "40P01") // serialization_failure, deadlock_detected
}

// guard rejects a server on which a commit would not be durable or could not be made, and a schema of another version.
// It returns the server's time.
func (d *DB) guard(ctx context.Context, tx pgx.Tx) (time.Time, error) {
	var version []byte
	var synchronous, fsync, readOnly string
	var recovering bool
	var micro int64
	err := tx.QueryRow(ctx, `SELECT (SELECT value FROM facts WHERE name = 'version'), current_setting('synchronous_commit'), current_setting('fsync'),
		current_setting('transaction_read_only'), pg_is_in_recovery(), CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)`).
		Scan(&version, &synchronous, &fsync, &readOnly, &recovering, &micro)
	if err != nil {
		return time.Time{}, err
	}
	now := time.UnixMicro(micro)
	d.ahead.Store(int64(time.Until(now)))
	v, _ := strconv.Atoi(string(version))
	switch {
	case v > Version:
		return now, errNewer
	case v < Version:
		return now, errOlder
	case recovering || readOnly == "on":
		return now, errReadOnly
	case !durable(synchronous, fsync):
		return now, errNotDurable
	}
	return now, nil
}

// Read implements [journal.Database].
func (d *DB) Read(ctx context.Context, f func(journal.Querier, time.Time) error) error {
	pool, err := d.connections()
	if err != nil {
		return err
	}
	return pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		return f(reader{c}, time.Now().Add(time.Duration(d.ahead.Load())))
	})
}

// A reader implements [journal.Querier].
type reader struct {
	from interface {
		Query(context.Context, string, ...any) (pgx.Rows, error)
	}
}

func (r reader) Query(ctx context.Context, query string, args ...any) (journal.Rows, error) {
	return r.from.Query(ctx, query, args...)
}

// A transaction implements [journal.Tx].
type transaction struct {
	reader
	tx pgx.Tx
}

func (t transaction) Exec(ctx context.Context, query string, args ...any) error {
	_, err := t.tx.Exec(ctx, query, args...)
	return err
}
