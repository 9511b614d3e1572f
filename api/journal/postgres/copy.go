package postgres

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"paydesk/api/journal"
	"paydesk/api/statefile"
)

// Copied is how many rows [Copy] wrote and compared.
type Copied struct{ Attempts, Events, Lookups, LookupEvents, Pins int }

// Copy writes what the file of a journal holds into an empty journal, and compares every row. All of it is written in
// one transaction, while nobody else writes, or nothing is. Rows keep their numbers and their checksums.
//
// The file must be of this version of paydesk, sound, and used by nobody.
func Copy(ctx context.Context, c Config, file string) (done Copied, err error) {
	from := statefile.Open(statefile.Source(file, "ro", "query_only(1)"))
	defer from.Close()
	written := false
	err = c.change(ctx, func(to pgx.Tx, version int) error {
		switch {
		case version == 0:
			return errNone
		case version < Version:
			return errOlder
		case version > Version:
			return errNewer
		}
		done, err = (&copier{ctx, from, to, c.schema()}).copy()
		written = err == nil
		return err
	})
	return done, copyError(err, written)
}

// copyError words an error of [Copy]. Once all is written, only whether the server kept it can be unknown.
func copyError(err error, written bool) error {
	if _, known := errors.AsType[*journal.Unavailable](err); err == nil || known {
		return err
	}
	end := " Nothing was copied."
	if written {
		end = " It is not known whether the copy is complete: paydesk journal status says how many attempts there are. It is there whole, or not at all."
	}
	return &journal.Unavailable{Why: words(err) + end}
}

// A copier copies from a file into a database.
type copier struct {
	ctx    context.Context
	from   *sql.DB
	to     pgx.Tx
	schema string
}

func (c *copier) copy() (done Copied, err error) {
	if err := c.begin(); err != nil {
		return done, err
	}
	for _, t := range []struct {
		name string
		rows *int
	}{
		{"attempts", &done.Attempts}, {"events", &done.Events}, {"lookups", &done.Lookups},
		{"lookup_events", &done.LookupEvents}, {"pins", &done.Pins},
	} {
		if *t.rows, err = c.table(t.name); err != nil {
			return done, err
		}
	}
	_, err = c.to.Exec(c.ctx, "ANALYZE attempts, events, lookups, lookup_events, pins")
	return done, err
}

// begin keeps all others from writing, and makes sure that there is nothing yet. It takes the time that it takes, and
// is durable whatever the server is set to.
func (c *copier) begin() error {
	var used bool
	_, err := c.to.Exec(c.ctx, `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
		SET LOCAL synchronous_commit = on; LOCK TABLE attempts, events, lookups, lookup_events, pins, facts IN SHARE ROW EXCLUSIVE MODE`)
	if err == nil {
		err = c.to.QueryRow(c.ctx, `SELECT EXISTS (SELECT FROM attempts) OR EXISTS (SELECT FROM lookups) OR EXISTS (SELECT FROM pins)`).Scan(&used)
	}
	switch {
	case err != nil:
		return err
	case used:
		return &journal.Unavailable{Why: "The team's journal holds something already. Nothing was copied: rows of two journals would have the same numbers. " +
			"Name an empty schema in the configuration, create it with paydesk journal init, and copy into that."}
	}
	return c.keyCheck()
}

// keyCheck gives the journal the check value of the key that the file's hashes were made with.
func (c *copier) keyCheck() error {
	const name = "key check"
	var value, sum, has []byte
	err := c.from.QueryRowContext(c.ctx, "SELECT value, checksum FROM facts WHERE name = ?", name).Scan(&value, &sum)
	if errors.Is(err, sql.ErrNoRows) { // nothing was ever written
		return nil
	}
	if err != nil {
		return err
	}
	err = c.to.QueryRow(c.ctx, "SELECT value FROM facts WHERE name = $1", name).Scan(&has)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		_, err = c.to.Exec(c.ctx, "INSERT INTO facts (name, value, checksum) VALUES ($1, $2, $3)", name, value, sum)
		return err
	case err == nil && !bytes.Equal(has, value):
		return &journal.Unavailable{Why: "The team's journal was begun with another key than the file's. Nothing was copied: customers who have paid would not " +
			"be recognised. It is empty: have its schema dropped, take the file's key with paydesk journal key import, and begin again with paydesk journal init."}
	}
	return err
}

// table copies a table, and compares it.
func (c *copier) table(name string) (rows int, err error) {
	columns, err := c.columns(name)
	if err != nil {
		return 0, err
	}
	quoted := `"` + strings.Join(columns, `", "`) + `"`
	query := "SELECT " + quoted + " FROM " + name + " ORDER BY n"
	mine, err := c.from.QueryContext(c.ctx, query)
	if err != nil {
		return 0, err
	}
	source := &storedRows{Rows: mine, width: len(columns)}
	_, err = c.to.CopyFrom(c.ctx, pgx.Identifier{c.schema, name}, columns, source)
	if err := errors.Join(err, mine.Close()); err != nil {
		return 0, err
	}
	if rows, err = c.compare(name, query, len(columns)); err != nil {
		return rows, err
	}
	_, err = c.to.Exec(c.ctx, "SELECT setval(pg_get_serial_sequence($1, 'n'), max(n)) FROM "+name+" HAVING max(n) IS NOT NULL", c.schema+"."+name)
	return rows, err
}

// columns are those of a table of the file.
func (c *copier) columns(table string) (names []string, err error) {
	err = statefile.ForEach(c.ctx, c.from, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		names = append(names, name)
		return err
	}, "SELECT name FROM pragma_table_info(?) ORDER BY cid", table)
	return names, err
}

// compare reads a table back, and compares each value of each row, its checksum too.
func (c *copier) compare(table, query string, width int) (rows int, err error) {
	mine, err := c.from.QueryContext(c.ctx, query)
	if err != nil {
		return 0, err
	}
	defer mine.Close()
	theirs, err := c.to.Query(c.ctx, query)
	if err != nil {
		return 0, err
	}
	defer theirs.Close()
	source := &storedRows{Rows: mine, width: width}
	for {
		more, others := source.Next(), theirs.Next()
		if err := errors.Join(mine.Err(), theirs.Err()); err != nil {
			return rows, err
		}
		if !more && !others {
			return rows, nil
		}
		same := more && others
		if same {
			same, err = sameNext(source, theirs)
		}
		if err != nil {
			return rows, err
		}
		if !same {
			return rows, notTheSame(table)
		}
		rows++
	}
}

// sameNext compares the rows that two readers stand at: integers, texts and bytes.
func sameNext(a, b interface{ Values() ([]any, error) }) (bool, error) {
	x, err := a.Values()
	if err != nil {
		return false, err
	}
	y, err := b.Values()
	return err == nil && slices.EqualFunc(x, y, func(v, w any) bool {
		m, bytesV := v.([]byte)
		n, bytesW := w.([]byte)
		return bytesV == bytesW && (bytesV && bytes.Equal(m, n) || !bytesV && v == w)
	}), err
}

func notTheSame(table string) error {
	return &journal.Unavailable{Why: fmt.Sprintf("What was read back from the table %s is not what was written. Nothing was copied. Have the server looked at.", table)}
}

// storedRows are rows of the file. It implements [pgx.CopyFromSource].
type storedRows struct {
	*sql.Rows
	width int
}

// Values implements [pgx.CopyFromSource].
func (r *storedRows) Values() ([]any, error) {
	values, to := make([]any, r.width), make([]any, r.width)
	for i := range values {
		to[i] = &values[i]
	}
	err := r.Scan(to...)
	return values, err
}
