package journal

import (
	"context"
	"database/sql"
	"strings"
)

// scanInt reads the one number that a question answers.
func scanInt[N int | int64](rows *sql.Rows, n *N) error {
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(n); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Links is the links that were created at a place and have text in their name, alias or
// id, newest first, each with what was paid through it from here.
func (j *Journal) Links(ctx context.Context, p Destination, text string) (all []LinkRecord, err error) {
	err = j.read(ctx, func(t *readTx) error {
		all = nil
		rows, err := t.attempts(`WHERE made = 1 AND profile = ? AND environment = ? AND service = ? AND instr(words, ?) > 0
			ORDER BY at DESC, n DESC`, sanitize(p.Profile), sanitize(p.Environment), sanitize(p.Host), strings.ToLower(strings.TrimSpace(text)))
		if err != nil {
			return err
		}
		all = make([]LinkRecord, 0, len(rows))
		by := map[string]*LinkRecord{}
		for i, a := range t.toAttempts(rows) {
			all = append(all, LinkRecord{Attempt: a})
			by[string(a.Link)] = &all[i]
		}
		if len(all) == 0 {
			return nil
		}
		return t.addUsage(p, by)
	})
	return all, err
}

// addUsage sums up what was paid through links.
func (t *readTx) addUsage(p Destination, by map[string]*LinkRecord) error {
	rows, err := t.q.QueryContext(t.ctx, `SELECT link, currency, status = 'SUCCESSFUL', count(*), sum(minor), max(at) FROM attempts
		WHERE kind = 'initiate' AND reference <> '' AND link <> '' AND profile = ? AND environment = ? AND service = ?
		GROUP BY link, currency, status`, sanitize(p.Profile), sanitize(p.Environment), sanitize(p.Host))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var alias, code string
		var paid bool
		var count int
		var sum, last int64
		if err := rows.Scan(&alias, &code, &paid, &count, &sum, &last); err != nil {
			return err
		}
		l := by[alias]
		if l == nil {
			continue
		}
		l.Tried += count
		if paid {
			l.Paid += count
			l.Total = append(l.Total, amount(sum, code))
		}
		if at := fromNano(last); at.After(l.LastUsed) {
			l.LastUsed = at
		}
	}
	return rows.Err()
}
