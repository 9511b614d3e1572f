package postgres

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

const (
	// pingAfter limits how long a connection may be idle and be used again without asking whether it still works.
	pingAfter = time.Second
	// closeLimit limits how long a connection that was cancelled may take to close.
	closeLimit = 15 * time.Second
)

// A conn is a connection of package sql, which has a pool of them. A journal has texts, integers, booleans and bytes alone:
// they are read and written here, so that the program has no codecs of other types.
type conn struct {
	pg       *pgconn.PgConn
	notified bool // something was announced that hear has not passed on
	left     time.Time
}

var errRolledBack = errors.New("the server rolled back what was to be committed")

// ExecContext implements [driver.ExecerContext]. Without arguments, query may be several statements, which are sent at once.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if len(args) == 0 {
		done, err := c.pg.Exec(ctx, query).ReadAll()
		if err == nil && query == commit && done[0].CommandTag.String() != commit { // an aborted transaction answers ROLLBACK
			err = errRolledBack
		}
		return driver.ResultNoRows, err
	}
	rows, err := c.QueryContext(ctx, query, args)
	if err == nil {
		err = rows.Close()
	}
	return driver.ResultNoRows, err
}

// QueryContext implements [driver.QueryerContext].
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	values, formats, err := encode(args)
	if err != nil {
		return nil, err
	}
	return &rows{c.pg.ExecParams(ctx, numbered(query), values, nil, formats, nil)}, nil
}

// numbered returns a query with $1, $2 … in the place of each ?, which SQLite understands.
func numbered(query string) string {
	var b strings.Builder
	for n := 1; ; n++ {
		before, after, more := strings.Cut(query, "?")
		b.WriteString(before)
		if !more {
			return b.String()
		}
		b.WriteString("$" + strconv.Itoa(n))
		query = after
	}
}

// encode returns values as the server reads them, and their formats.
func encode(args []driver.NamedValue) (values [][]byte, formats []int16, err error) {
	values, formats = make([][]byte, len(args)), make([]int16, len(args))
	for i, arg := range args {
		switch v := arg.Value.(type) {
		case string:
			values[i] = []byte(v)
		case int64:
			values[i] = strconv.AppendInt(nil, v, 10)
		case bool:
			values[i] = strconv.AppendBool(nil, v)
		case []byte:
			values[i], formats[i] = v, pgproto3.BinaryFormat
		default:
			return nil, nil, fmt.Errorf("an argument of type %T", v)
		}
	}
	return values, formats, nil
}

// Prepare implements [driver.Conn].
func (*conn) Prepare(string) (driver.Stmt, error) { return nil, errors.ErrUnsupported }

// Begin implements [driver.Conn]. What begins a transaction also locks: see [DB.transact].
func (*conn) Begin() (driver.Tx, error) { return nil, errors.ErrUnsupported }

// IsValid implements [driver.Validator]: a connection that is broken, or still busy or in a transaction, is not used again.
func (c *conn) IsValid() bool {
	const idle = 'I'
	c.left = time.Now()
	return !c.pg.IsClosed() && !c.pg.IsBusy() && c.pg.TxStatus() == idle
}

// ResetSession implements [driver.SessionResetter].
func (c *conn) ResetSession(ctx context.Context) error {
	if time.Since(c.left) > pingAfter && c.pg.Ping(ctx) != nil {
		return driver.ErrBadConn
	}
	return nil
}

// Close implements [driver.Conn]. It waits until the server no longer counts the connection.
func (c *conn) Close() error {
	ctx, stop := context.WithTimeout(context.Background(), closeLimit)
	defer stop()
	err := c.pg.Close(ctx)
	select {
	case <-c.pg.CleanupDone():
	case <-ctx.Done():
	}
	return err
}

// rows implements [driver.Rows]: they are read from the connection as they are asked for.
type rows struct {
	of *pgconn.ResultReader // nil once it is closed: the connection uses it again for the next query
}

// Columns implements [driver.Rows].
func (r *rows) Columns() []string { return make([]string, len(r.of.FieldDescriptions())) }

// Next implements [driver.Rows].
func (r *rows) Next(to []driver.Value) (err error) {
	if !r.of.NextRow() {
		if err := r.Close(); err != nil {
			return err
		}
		return io.EOF
	}
	for i, text := range r.of.Values() {
		if to[i], err = decode(r.of.FieldDescriptions()[i].DataTypeOID, text); err != nil {
			return fmt.Errorf("column %s: %w", r.of.FieldDescriptions()[i].Name, err)
		}
	}
	return nil
}

// Close implements [driver.Rows].
func (r *rows) Close() (err error) {
	if r.of != nil {
		_, err = r.of.Close()
		r.of = nil
	}
	return err
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
