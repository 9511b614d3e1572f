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
	return &connection{sqliteConn: conn.(sqliteConn), kept: map[string]*statement{}}, nil
}

// A sqliteConn is a connection of the driver, with what package sql and a backup look for. It neither queries nor executes by
// itself, so that package sql prepares a statement each time, and closes it once its rows were read.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	NewBackup(to string) (*sqlite.Backup, error)
}

// A connection keeps the statements that were closed, and gives them out again. Package sql uses it from one goroutine at a time.
type connection struct {
	sqliteConn
	kept map[string]*statement // those that do not run, by their text; nil after the end
}

// PrepareContext implements [driver.ConnPrepareContext]. It returns a statement that nothing else runs.
func (c *connection) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if s := c.kept[query]; s != nil {
		delete(c.kept, query)
		return s, nil
	}
	s, err := c.sqliteConn.PrepareContext(ctx, query)
	if err != nil || !isKept(query) {
		return s, err
	}
	return &statement{sqliteStmt: s.(sqliteStmt), query: query, of: c}, nil
}

// Close implements [driver.Conn].
func (c *connection) Close() error {
	for _, s := range c.kept {
		s.sqliteStmt.Close()
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

// A sqliteStmt is a statement of the driver, with what package sql looks for.
type sqliteStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// A statement is kept by its connection once it is closed. The driver has reset it by then, after an error too.
type statement struct {
	sqliteStmt
	query string
	of    *connection
}

// Close implements [driver.Stmt].
func (s *statement) Close() error {
	kept := s.of.kept
	if kept == nil || kept[s.query] != nil {
		return s.sqliteStmt.Close()
	}
	for query, other := range kept {
		if len(kept) < keptAtMost {
			break
		}
		other.sqliteStmt.Close()
		delete(kept, query)
	}
	kept[s.query] = s
	return nil
}
