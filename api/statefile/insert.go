package statefile

import (
	"context"
	"database/sql"
	"strings"
)

// An Inserter inserts rows into a table in a transaction, some with each statement.
type Inserter struct {
	Tx      *sql.Tx
	Table   string
	Columns int
	args    []any
}

// insertedAtOnce limits how many rows a statement inserts.
const insertedAtOnce = 20

// Add adds a row, or several.
func (p *Inserter) Add(ctx context.Context, values ...any) error {
	if p.args = append(p.args, values...); len(p.args) < insertedAtOnce*p.Columns {
		return nil
	}
	return p.Flush(ctx)
}

// Flush inserts the rows that were added.
func (p *Inserter) Flush(ctx context.Context) error {
	if len(p.args) == 0 {
		return nil
	}
	one := "(" + Marks(p.Columns) + ")"
	_, err := p.Tx.ExecContext(ctx, "INSERT INTO "+p.Table+" VALUES "+one+strings.Repeat(","+one, len(p.args)/p.Columns-1), p.args...)
	p.args = p.args[:0]
	return err
}

// Marks are so many parameters of a statement.
func Marks(n int) string { return strings.TrimPrefix(strings.Repeat(",?", n), ",") }
