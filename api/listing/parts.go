package listing

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"paydesk/api/statefile"
)

// partsOfList are the parts of a list that are compared one after the other, so that any length takes little memory.
const partsOfList = 256

// parts are the rows of a list as they are kept, a line each: those of a part together, whatever their order.
type parts struct {
	lines  [partsOfList][]byte
	unkept int // rows
}

// mostOfPart is how many bytes of a part are held in memory before they are written.
const mostOfPart = 2048

// maxKept limits the ID of a row that is kept, in bytes.
const maxKept = 200

// add adds a row, unless its ID cannot be kept: it is empty, too long, looks like a card's number, or has a tab, which ends a value in a line.
func (p *parts) add(ctx context.Context, tx *sql.Tx, one record, card bool) error {
	switch {
	case one.id == "":
		return nil
	case strings.Contains(one.id, "\t") || len(one.id) > maxKept || card:
		p.unkept++
		return nil
	}
	part := wideHash(one.id) >> 56
	p.lines[part] = one.value().appendLine(p.lines[part], one.id)
	if len(p.lines[part]) < mostOfPart {
		return nil
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO parts VALUES (?, ?)", part, string(p.lines[part]))
	p.lines[part] = p.lines[part][:0]
	return err
}

// appendLine appends the line of a row: a tab follows each of its values but the last. No value has one, since cleaning spells it out.
func (v value) appendLine(line []byte, id string) []byte {
	line = append(line, id...)
	line = append(append(line, '\t'), v.status...)
	line = append(append(line, '\t'), v.currency...)
	line = append(line, '\t')
	if v.minor.Valid {
		line = strconv.AppendInt(line, v.minor.Int64, 10)
	} else {
		line = append(append(line, '\t'), v.raw.String...)
	}
	return append(line, '\n')
}

// A keptRow is a row as it is kept.
type keptRow struct {
	id string
	value
	since   int64 // the scan that found it so; 0 for one that was read now
	several bool  // others with its ID were read, which have other values
}

// keptRowOf is the row of a line.
func keptRowOf(line string) (r keptRow) {
	r.id, line, _ = strings.Cut(line, "\t")
	r.status, line, _ = strings.Cut(line, "\t")
	r.currency, line, _ = strings.Cut(line, "\t")
	minor, raw, isRaw := strings.Cut(line, "\t")
	if r.raw = (sql.NullString{String: raw, Valid: isRaw}); !isRaw {
		r.minor.Int64, _ = strconv.ParseInt(minor, 10, 64)
		r.minor.Valid = true
	}
	return r
}

// part are the rows of a part, in the order of their IDs, one for each of them.
func (r *Rows) part(ctx context.Context, part int) (all []keptRow, err error) {
	var lines []string
	add := func(text string) {
		for line := range strings.Lines(text) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	db, err := r.reader()
	if err != nil || db == nil {
		return nil, err
	}
	err = statefile.ForEach(ctx, db, func(rows *sql.Rows) error {
		var text string
		err := rows.Scan(&text)
		add(text)
		return err
	}, "SELECT lines FROM parts WHERE part = ?", part)
	add(string(r.parts.lines[part]))
	slices.Sort(lines)
	for i, line := range lines {
		one := keptRowOf(line)
		if last := len(all) - 1; i > 0 && all[last].id == one.id {
			all[last].several = all[last].several || all[last].value != one.value
			continue
		}
		all = append(all, one)
	}
	return all, err
}
