package mirror

import (
	"container/heap"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"paydesk/api"
	"paydesk/api/statefile"
)

// Rows in the order of their IDs: a gathering puts those of a scan into it, and a cursor goes through them.

// A gathering is the rows of a scan as lines. So many are in memory; put into order, they are a run in a database without a
// name, so that a list of any length takes no more memory.
type gathering struct {
	lines []line
	runs  int
	db    *sql.DB // nil before the first run
	err   error

	rows, nameless int
	unkept         map[string]bool // IDs
}

// linesOfRun sets how many lines are in memory; a test has less.
var linesOfRun = 20_000

// The lines of a text: of one that is kept, and of one of a run, of which there is one in memory for each of them.
const (
	linesAtOnce = 1000
	linesOfText = 100
)

// add adds rows. What goes wrong is the error of who reads them.
func (g *gathering) add(rows []api.Transaction) {
	for i := range rows {
		id := rows[i].ID.Line(0)
		switch g.rows++; {
		case id == "":
			g.nameless++
		case rows[i].IDHash != 0 || !storable(id):
			if g.unkept == nil {
				g.unkept = map[string]bool{}
			}
			g.unkept[fmt.Sprint(id, rows[i].IDHash)] = true
		default:
			g.lines = append(g.lines, lineOf(id, &rows[i]))
		}
		if len(g.lines) == linesOfRun && g.err == nil {
			g.err = g.run()
		}
	}
}

// run makes the lines in memory a run.
func (g *gathering) run() error {
	if g.db == nil {
		g.db = statefile.Nameless()
		if _, err := g.db.Exec("PRAGMA cache_size = -500; CREATE TABLE runs (run INTEGER, n INTEGER, lines TEXT, PRIMARY KEY (run, n))"); err != nil {
			return err
		}
	}
	slices.Sort(g.lines)
	n := 0
	for some := range slices.Chunk(g.lines, linesOfText) {
		if _, err := g.db.Exec("INSERT INTO runs VALUES (?, ?, ?)", g.runs, n, textOf(some)); err != nil {
			return err
		}
		n++
	}
	g.runs, g.lines = g.runs+1, g.lines[:0]
	return nil
}

// ordered goes through all that was gathered, in order.
func (g *gathering) ordered(ctx context.Context) (*merged, error) {
	if g.err == nil && g.runs > 0 && len(g.lines) > 0 {
		g.err = g.run()
	}
	slices.Sort(g.lines)
	rest := textOf(g.lines)
	m := &merged{{more: func() (text string, err error) {
		text, rest = rest, ""
		return text, nil
	}}}
	for run := range g.runs {
		n := -1
		*m = append(*m, &cursor{more: func() (text string, err error) {
			n++
			err = g.db.QueryRowContext(ctx, "SELECT lines FROM runs WHERE run = ? AND n = ?", run, n).Scan(&text)
			if err == sql.ErrNoRows {
				err = nil
			}
			return text, err
		}})
	}
	return m, m.begin(g.err)
}

func (g *gathering) close() {
	if g != nil && g.db != nil {
		g.db.Close()
	}
}

func textOf(lines []line) string {
	var b strings.Builder
	if len(lines) > 0 {
		b.Grow(len(lines) * (len(lines[0]) + 8)) // most are as long
	}
	for _, l := range lines {
		b.WriteString(string(l))
		b.WriteByte('\n')
	}
	return b.String()
}

// A cursor is at one line after the other of a text that comes in parts.
type cursor struct {
	more func() (text string, err error) // "" at the end
	text string
	line line // "" at the end
}

func (c *cursor) next() (err error) {
	if c.text == "" {
		if c.text, err = c.more(); err != nil {
			return err
		}
	}
	text, rest, _ := strings.Cut(c.text, "\n")
	c.line, c.text = line(text), rest
	return nil
}

// merged are cursors of which the one with the least line is the first: a heap.
type merged []*cursor

func (m *merged) begin(err error) error {
	for _, c := range *m {
		if err == nil {
			err = c.next()
		}
	}
	*m = slices.DeleteFunc(*m, func(c *cursor) bool { return c.line == "" })
	heap.Init(m)
	return err
}

// line is the line that they are at; "" at the end.
func (m *merged) line() line {
	if len(*m) == 0 {
		return ""
	}
	return (*m)[0].line
}

func (m *merged) next() error {
	err := (*m)[0].next()
	if (*m)[0].line == "" {
		heap.Pop(m)
	} else if len(*m) > 1 {
		heap.Fix(m, 0)
	}
	return err
}

func (m merged) Len() int           { return len(m) }
func (m merged) Less(i, j int) bool { return m[i].line < m[j].line }
func (m merged) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m *merged) Push(any)          {}
func (m *merged) Pop() any {
	last := len(*m) - 1
	defer func() { *m = (*m)[:last] }()
	return (*m)[last]
}
