package statefile

import (
	"context"
	"database/sql/driver"
	"strings"

	"modernc.org/sqlite"
)

// A preparer opens connections that keep the statements they have prepared: SQLite takes longer to understand a statement of
// a journal than to carry it out.
type preparer struct{ driver.Connector }

// Connect implements [driver.Connector].
func (p preparer) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{c.(sqliteConn), map[string]sqliteStmt{}}, nil
}

// An sqliteConn has what database/sql, and a backup, ask of a connection of the driver.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	NewBackup(to string) (*sqlite.Backup, error)
}

type sqliteStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// A connection keeps statements that nothing runs at the moment. Package sql uses it from one goroutine at a time.
type connection struct {
	sqliteConn
	idle map[string]sqliteStmt // by their SQL
}

// mostIdle limits how many statements a connection keeps. A search is put together and may be any, so when there are more,
// all of them go.
const mostIdle = 64

// kept reports whether a statement is kept. A pragma may take effect when it is prepared; a script is no statement.
func kept(query string) bool {
	verb, _, _ := strings.Cut(strings.TrimSpace(query), " ")
	switch verb {
	case "SELECT", "INSERT", "UPDATE", "DELETE":
		return true
	}
	return false
}

// take returns a statement for its caller alone, until it is given back.
func (c *connection) take(ctx context.Context, query string) (sqliteStmt, error) {
	if s, is := c.idle[query]; is {
		delete(c.idle, query)
		return s, nil
	}
	s, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.(sqliteStmt), nil
}

// giveBack keeps a statement that did what it was asked for. One that failed goes, and so does a second one of the
// same SQL, which ran while the first did.
func (c *connection) giveBack(query string, s sqliteStmt, err error) error {
	if _, twice := c.idle[query]; err != nil || twice {
		s.Close()
		return err
	}
	if len(c.idle) == mostIdle {
		c.forget()
	}
	c.idle[query] = s
	return nil
}

func (c *connection) forget() {
	for _, s := range c.idle {
		s.Close()
	}
	clear(c.idle)
}

// Close implements [driver.Conn].
func (c *connection) Close() error {
	c.forget()
	return c.sqliteConn.Close()
}

// ExecContext implements [driver.ExecerContext].
func (c *connection) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if !kept(query) {
		return c.sqliteConn.ExecContext(ctx, query, args)
	}
	s, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	result, err := s.ExecContext(ctx, args)
	return result, c.giveBack(query, s, err)
}

// QueryContext implements [driver.QueryerContext].
func (c *connection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if !kept(query) {
		return c.sqliteConn.QueryContext(ctx, query, args)
	}
	s, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, c.giveBack(query, s, err)
	}
	return answer{rows, func(err error) error { return c.giveBack(query, s, err) }}, nil
}

// An answer gives its statement back when it is closed, which package sql does once.
type answer struct {
	driver.Rows
	closed func(error) error
}

// Close implements [driver.Rows].
func (a answer) Close() error { return a.closed(a.Rows.Close()) }
