package statefile

import (
	"context"
	"database/sql/driver"
	"slices"
	"strings"

	"modernc.org/sqlite"
)

// keptAtMost limits how many statements a connection keeps: what a person searches for makes ever new ones.
const keptAtMost = 64

// A connector opens connections that keep their statements. A console asks the same few questions with each answer of the
// service and each look of a person, and preparing one of a wide row takes five times as long as running it.
type connector struct{ driver.Connector }

// Connect implements [driver.Connector].
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{sqliteConn: conn.(sqliteConn), kept: map[string]driver.Stmt{}}, nil
}

// A sqliteConn is a connection of the driver, with what package sql and a backup look for.
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

// A connection keeps the statements that it has prepared. Package sql uses it from one goroutine at a time.
type connection struct {
	sqliteConn
	kept map[string]driver.Stmt // those that do not run, by their text; nil after the end
}

// QueryContext implements [driver.QueryerContext].
func (c *connection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if !isKept(query) {
		return c.sqliteConn.QueryContext(ctx, query, args)
	}
	s, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := s.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		s.Close()
		return nil, err
	}
	return &keptRows{Rows: rows, end: func(err error) error { return c.giveBack(query, s, err) }}, nil
}

// ExecContext implements [driver.ExecerContext].
func (c *connection) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if !isKept(query) {
		return c.sqliteConn.ExecContext(ctx, query, args)
	}
	s, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	r, err := s.(driver.StmtExecContext).ExecContext(ctx, args)
	return r, c.giveBack(query, s, err)
}

// Close implements [driver.Conn].
func (c *connection) Close() error {
	for _, s := range c.kept {
		s.Close()
	}
	c.kept = nil
	return c.sqliteConn.Close()
}

// isKept reports whether a statement reads or writes rows. Others set something up, once, and a pragma may act while it is
// prepared.
func isKept(query string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(query), " ")
	return slices.Contains([]string{"SELECT", "WITH", "INSERT", "UPDATE", "DELETE"}, first)
}

// take returns a statement that nothing else runs.
func (c *connection) take(ctx context.Context, query string) (driver.Stmt, error) {
	if s := c.kept[query]; s != nil {
		delete(c.kept, query)
		return s, nil
	}
	return c.PrepareContext(ctx, query)
}

// giveBack keeps a statement that has run without an error; else it closes it.
func (c *connection) giveBack(query string, s driver.Stmt, err error) error {
	if err != nil || c.kept == nil || c.kept[query] != nil {
		s.Close()
		return err
	}
	for other, old := range c.kept {
		if len(c.kept) < keptAtMost {
			break
		}
		old.Close()
		delete(c.kept, other)
	}
	c.kept[query] = s
	return nil
}

// keptRows are the rows of a statement that is kept.
type keptRows struct {
	driver.Rows
	end func(error) error
}

// Close implements [driver.Rows].
func (r *keptRows) Close() error { return r.end(r.Rows.Close()) }
