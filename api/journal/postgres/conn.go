package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"paydesk/api/journal"
)

// A conn is a connection. It implements [journal.Tx], in a transaction and without one. A journal has texts, integers,
// booleans and bytes alone: they are read and written here, so that the program has no codecs of other types.
type conn struct {
	*pgconn.PgConn
	notified bool // something was announced that hear has not passed on

	statements map[string]*pgconn.StatementDescription // by query; nil for one that was sent once
	prepared   int
}

// mostStatements is how many queries of a connection are kept. A search is put together, and may be any.
const mostStatements = 500

// statement returns the prepared statement for a query that is sent again, which the server then need not read again;
// nil for one that is sent for the first time, or after too many others.
func (c *conn) statement(ctx context.Context, query string) (s *pgconn.StatementDescription, err error) {
	s, again := c.statements[query]
	switch {
	case s != nil:
		return s, nil
	case again && c.prepared < mostStatements:
		c.prepared++
		s, err = c.Prepare(ctx, "s"+strconv.Itoa(c.prepared), query, nil)
	}
	if err == nil && len(c.statements) < mostStatements {
		c.statements[query] = s
	}
	return s, err
}

// Exec implements [journal.Tx]. Without arguments, query may be several statements.
func (c *conn) Exec(ctx context.Context, query string, args ...any) error {
	if len(args) == 0 {
		return c.PgConn.Exec(ctx, query).Close()
	}
	rows, err := c.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	rows.Close()
	return rows.Err()
}

// Query implements [journal.Querier].
func (c *conn) Query(ctx context.Context, query string, args ...any) (journal.Rows, error) {
	statement, values, formats, err := c.ready(ctx, query, args)
	if err != nil {
		return nil, err
	}
	all := &rows{on: c, query: query}
	if statement != nil {
		all.of = c.ExecStatement(ctx, statement, values, formats, nil)
	} else {
		all.of = c.ExecParams(ctx, query, values, nil, formats, nil)
	}
	return all, nil
}

// queue adds a query to a batch.
func (c *conn) queue(ctx context.Context, to *pgconn.Batch, query string, args ...any) error {
	statement, values, formats, err := c.ready(ctx, query, args)
	switch {
	case err != nil:
		return err
	case statement != nil:
		to.ExecStatement(statement, values, formats, nil)
	default:
		to.ExecParams(query, values, nil, formats, nil)
	}
	return nil
}

// ready returns what is sent of a query, and the statement that was prepared for it.
func (c *conn) ready(ctx context.Context, query string, args []any) (s *pgconn.StatementDescription, values [][]byte, formats []int16, err error) {
	if values, formats, err = encode(args); err == nil {
		s, err = c.statement(ctx, query)
	}
	return s, values, formats, err
}

// encode returns values as the server reads them, and their formats.
func encode(args []any) (values [][]byte, formats []int16, err error) {
	values, formats = make([][]byte, len(args)), make([]int16, len(args))
	for i, arg := range args {
		switch v := reflect.ValueOf(arg); {
		case v.Kind() == reflect.String:
			values[i] = []byte(v.String())
		case v.CanInt():
			values[i] = strconv.AppendInt(nil, v.Int(), 10)
		case v.Kind() == reflect.Bool:
			values[i] = strconv.AppendBool(nil, v.Bool())
		default:
			bytes, are := arg.([]byte)
			if !are {
				return nil, nil, fmt.Errorf("an argument of type %T", arg)
			}
			values[i], formats[i] = bytes, pgproto3.BinaryFormat
		}
	}
	return values, formats, nil
}

// one reads the first row of a query. It is [sql.ErrNoRows] when there is none.
func (c *conn) one(ctx context.Context, query string, args []any, to ...any) error {
	rows, err := c.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		return cmp.Or(rows.Err(), sql.ErrNoRows)
	}
	err = rows.Scan(to...)
	rows.Close()
	return cmp.Or(err, rows.Err())
}

var errRolledBack = errors.New("the server rolled back what was to be committed")

// transact runs f in a transaction, which is committed when f has no error. A commit whose answer is lost is an error. A
// connection that is still in a transaction afterwards could not be rolled back: whoever opened it closes it.
func (c *conn) transact(ctx context.Context, f func() error) error {
	if err := c.Exec(ctx, "BEGIN ISOLATION LEVEL READ COMMITTED"); err != nil {
		return err
	}
	defer func() {
		if c.TxStatus() != idle {
			_ = c.Exec(ctx, "ROLLBACK") // there is an error to return already
		}
	}()
	if err := f(); err != nil {
		return err
	}
	done, err := c.ExecParams(ctx, "COMMIT", nil, nil, nil, nil).Close()
	if err == nil && done.String() != "COMMIT" { // an aborted transaction answers ROLLBACK
		err = errRolledBack
	}
	return err
}

// idle is the status of a connection without a transaction.
const idle = 'I'

// rows implements [journal.Rows]: they are read from the connection as they are asked for.
type rows struct {
	on    *conn
	query string
	of    *pgconn.ResultReader // nil once it is closed: the connection uses it again for the next query
	err   error
}

// Next implements [journal.Rows].
func (r *rows) Next() bool {
	if r.of != nil && r.of.NextRow() {
		return true
	}
	r.Close()
	return false
}

// Close implements [journal.Rows].
func (r *rows) Close() {
	if r.of != nil {
		_, r.err = r.of.Close()
		r.of = nil
	}
	if r.err != nil { // such as that a table has changed since it was prepared
		delete(r.on.statements, r.query)
	}
}

// Err implements [journal.Rows].
func (r *rows) Err() error { return r.err }

// Scan implements [journal.Rows].
func (r *rows) Scan(to ...any) error { return scan(r.of.FieldDescriptions(), r.of.Values(), to) }

func scan(fields []pgconn.FieldDescription, values [][]byte, to []any) error {
	if len(values) != len(to) {
		return fmt.Errorf("%d columns for %d variables", len(values), len(to))
	}
	for i, text := range values {
		value, err := decode(fields[i].DataTypeOID, text)
		if err == nil {
			err = set(to[i], value)
		}
		if err != nil {
			return fmt.Errorf("column %s: %w", fields[i].Name, err)
		}
	}
	return nil
}

// The numbers of types, which are the same in each version of PostgreSQL (pg_type.dat).
const (
	ofBool  = 16
	ofBytea = 17
	ofInt8  = 20
	ofInt2  = 21
	ofInt4  = 23
)

// decode returns the value of a text: nil, a bool, an int64, bytes, or the text itself.
func decode(kind uint32, text []byte) (any, error) {
	if text == nil {
		return nil, nil
	}
	s := string(text)
	switch kind {
	case ofBool:
		return s == "t", nil
	case ofInt8, ofInt2, ofInt4:
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return nil, errors.New("no number") // which quotes nothing
		}
		return n, nil
	case ofBytea:
		if len(s) < 2 || s[:2] != `\x` {
			return nil, errors.New("no bytes")
		}
		return hex.DecodeString(s[2:])
	}
	return s, nil
}

// set stores a value where to points.
func set(to, value any) error {
	at, v := reflect.ValueOf(to).Elem(), reflect.ValueOf(value)
	switch {
	case !v.IsValid() && (at.Kind() == reflect.Interface || at.Kind() == reflect.Slice):
		at.SetZero()
	case !v.IsValid():
		return errors.New("no value")
	case v.Type().AssignableTo(at.Type()):
		at.Set(v)
	case v.CanInt() && at.CanInt() && !at.OverflowInt(v.Int()):
		at.SetInt(v.Int())
	case v.Kind() == reflect.String && at.Kind() == reflect.String:
		at.SetString(v.String())
	default:
		return fmt.Errorf("a %T cannot be stored as %s", value, at.Type())
	}
	return nil
}
