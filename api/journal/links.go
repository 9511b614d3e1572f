package journal

import (
	"context"
	"database/sql"
	"strings"

	"paydesk/api/money"
)

// onlyInt reads the one number that a question answers.
func onlyInt[N int | int64](rows *sql.Rows, n *N) error {
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
func (j *Journal) Links(ctx context.Context, p Place, text string) (all []LinkRecord, err error) {
	err = j.read(ctx, func(t *view) error {
		all = nil
		rows, err := t.attempts(`WHERE made = 1 AND profile = ? AND environment = ? AND service = ? AND instr(words, ?) > 0
			ORDER BY at DESC, n DESC`, noted(p.Profile), noted(p.Environment), noted(p.Host), strings.ToLower(strings.TrimSpace(text)))
		if err != nil {
			return err
		}
		for _, a := range t.shown(rows) {
			l := LinkRecord{Attempt: a}
			if err := t.used(&l); err != nil {
				return err
			}
			all = append(all, l)
		}
		return nil
	})
	return all, err
}

// used sums up what was paid through a link.
func (t *view) used(l *LinkRecord) error {
	rows, err := t.q.QueryContext(t.ctx, `SELECT currency, status = 'SUCCESSFUL', count(*), sum(minor), max(at) FROM attempts
		WHERE link = ? AND link <> '' AND kind = 'initiate' AND reference <> '' AND profile = ? AND environment = ? AND service = ?
		GROUP BY 1, 2 ORDER BY 1`, string(l.Link), noted(l.Profile), noted(l.Environment), noted(l.Host))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var code string
		var paid bool
		var count int
		var sum, last int64
		if err := rows.Scan(&code, &paid, &count, &sum, &last); err != nil {
			return err
		}
		l.Tried += count
		if paid {
			l.Paid += count
			l.Total = append(l.Total, money.Amount{Minor: sum, Currency: amount(0, code).Currency})
		}
		if at := moment(last); at.After(l.LastUsed) {
			l.LastUsed = at
		}
	}
	return rows.Err()
}
