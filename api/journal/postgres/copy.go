package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// Copied counts the rows that [Copy] wrote and compared.
type Copied struct {
	Attempts, Payments, Facts int
	head                      []byte
}

// Copy writes what the file of a journal holds into an empty journal, and compares every row. All of it is written in
// one transaction, while no console writes, or nothing is. Rows keep their numbers and their checksums.
//
// The file must be of this version of paydesk, sound, in use by no console, and its hashes made with the key of the team.
func Copy(ctx context.Context, c Config, file string) (done Copied, err error) {
	from := statefile.Open(statefile.Source(file, "ro", "query_only(1)"))
	defer from.Close()
	written := false
	err = c.change(ctx, func(to *sql.Conn, version int) error {
		switch {
		case version < Version:
			return errNone
		case version > Version:
			return errNewer
		}
		done, err = (&copier{ctx, from, to}).copy()
		written = err == nil
		return err
	})
	return done, copyError(err, written)
}

// copyError words an error of [Copy]. Once all is written, only whether the server kept it can be unknown.
func copyError(err error, written bool) error {
	if _, known := errors.AsType[*ledger.Unavailable](err); err == nil || known {
		return err
	}
	end := " Nothing was copied."
	if written {
		end = " It is not known whether the copy was kept, as a whole or not at all: paydesk journal status counts its attempts."
	}
	return &ledger.Unavailable{Why: words(err) + end}
}

// A copier copies from a file into a database.
type copier struct {
	ctx  context.Context
	from *sql.DB
	to   *sql.Conn
}

func (c *copier) copy() (done Copied, err error) {
	if err := c.begin(); err != nil {
		return done, err
	}
	for _, t := range []struct {
		name, number string
	}{{"entries", "n"}, {"bodies", "n"}, {"facts", "number"}} {
		if err := c.table(t.name, t.number); err != nil {
			return done, err
		}
	}
	if err := exec(c.ctx, c.to, `SELECT setval(pg_get_serial_sequence('entries', 'n'), max(n)) FROM entries HAVING max(n) IS NOT NULL;
		ALTER TABLE facts ENABLE TRIGGER stated; ANALYZE entries, bodies, facts`); err != nil {
		return done, err
	}
	sent, err := c.copied(c.from)
	if err != nil {
		return done, err
	}
	return c.compare(sent)
}

// copied counts what is in a database, and reads the head of its facts.
func (c *copier) copied(in journal.Querier) (all Copied, err error) {
	err = in.QueryRowContext(c.ctx, `SELECT (SELECT count(*) FROM attempts), (SELECT count(*) FROM payments), (SELECT count(*) FROM facts),
		(SELECT head FROM facts ORDER BY number DESC LIMIT 1)`).Scan(&all.Attempts, &all.Payments, &all.Facts, &all.head)
	return all, err
}

// compare reads every row back, which has to be as its checksum says; the head of the facts is that of all of them.
func (c *copier) compare(sent Copied) (there Copied, err error) {
	err = journal.CheckRows(c.ctx, c.to)
	if err == nil {
		there, err = c.copied(c.to)
	}
	if journal.IsDamage(err) || err == nil && !reflect.DeepEqual(there, sent) {
		err = &ledger.Unavailable{Why: "The rows read back differ from those written. Nothing was copied. Have the server looked at."}
	}
	return there, err
}

// begin keeps all others from writing, and makes sure that there is nothing yet. What is copied is durable whatever the server
// is set to.
func (c *copier) begin() error {
	var used bool
	err := exec(c.ctx, c.to, `SET LOCAL synchronous_commit = on; LOCK TABLE entries, bodies, facts, about IN SHARE ROW EXCLUSIVE MODE;
		ALTER TABLE facts DISABLE TRIGGER stated`)
	if err == nil {
		err = c.to.QueryRowContext(c.ctx, `SELECT EXISTS (SELECT FROM facts)`).Scan(&used)
	}
	if err == nil && used {
		err = &ledger.Unavailable{Why: "The team's journal is not empty. Nothing was copied: rows of two journals would have the same numbers. " +
			"Name an empty schema in the configuration, create it with paydesk journal init, and copy into that."}
	}
	return err
}

// copiedAtOnce limits how many rows one statement copies.
const copiedAtOnce = 1000

// table copies a table in the order of its numbers, some rows at a time, as JSON.
func (c *copier) table(name, number string) error {
	var columns, members []string
	err := statefile.ForEach(c.ctx, c.from, func(rows *sql.Rows) error {
		var column, kind string
		err := rows.Scan(&column, &kind)
		value := `"` + column + `"`
		columns = append(columns, value)
		if kind == "BLOB" {
			value = `'\x' || hex(` + value + `)`
		}
		members = append(members, "'"+column+"', "+value)
		return err
	}, "SELECT name, type FROM pragma_table_info(?) ORDER BY cid", name)
	read := fmt.Sprintf("SELECT max(%s), json_group_array(json_object(%s)) FROM (SELECT * FROM %s WHERE %[1]s > ? ORDER BY %[1]s LIMIT ?)",
		number, strings.Join(members, ", "), name)
	write := fmt.Sprintf("INSERT INTO %s (%s) SELECT %[2]s FROM json_populate_recordset(CAST(NULL AS %[1]s), CAST($1 AS JSON))", name, strings.Join(columns, ", "))
	for last := (sql.NullInt64{Valid: true}); err == nil; {
		var rows string
		if err = c.from.QueryRowContext(c.ctx, read, last.Int64, copiedAtOnce).Scan(&last, &rows); err != nil || !last.Valid {
			break
		}
		err = exec(c.ctx, c.to, write, rows)
	}
	return err
}
