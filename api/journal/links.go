package journal

import (
	"context"
	"database/sql"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// A LinkRecord is a link that was created with this journal, and the payments made through
// it with this journal.
type LinkRecord struct {
	Attempt                 // the creation
	Paid     int            // payments through it that are SUCCESSFUL
	Accepted int            // payments through it that the service accepted
	Total    []money.Amount // of the successful ones, one for each currency
	LastUsed time.Time      // zero when it was never used
}

// Links returns the links created at a destination, newest first.
func (j *Journal) Links(ctx context.Context, d Destination) ([]LinkRecord, error) {
	return query(ctx, j, func(t *readTx) ([]LinkRecord, error) {
		rows, err := t.attempts("WHERE made = 1 AND "+atDestination+newestFirst, d.args()...)
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		all := make([]LinkRecord, len(rows))
		byAlias := map[api.Alias]*LinkRecord{}
		for i, a := range t.toAttempts(rows) {
			all[i].Attempt = a
			byAlias[a.Link] = &all[i]
		}
		return all, t.addUsage(d, byAlias)
	})
}

// addUsage adds the payments made through links.
func (t *readTx) addUsage(d Destination, byAlias map[api.Alias]*LinkRecord) error {
	return forEach(t.ctx, t.q, func(rows *sql.Rows) error {
		var alias api.Alias
		var code string
		var paid bool
		var count int
		var sum, last int64
		if err := rows.Scan(&alias, &code, &paid, &count, &sum, &last); err != nil {
			return err
		}
		l := byAlias[alias]
		if l == nil {
			return nil
		}
		l.Accepted += count
		if paid {
			l.Paid += count
			l.Total = append(l.Total, amount(sum, code))
		}
		if at := fromNano(last); at.After(l.LastUsed) {
			l.LastUsed = at
		}
		return nil
	}, `SELECT link, currency, status = 'SUCCESSFUL', count(*), sum(minor), max(at) FROM attempts
		WHERE kind = 'initiate' AND reference <> '' AND link <> '' AND `+atDestination+`
		GROUP BY link, currency, status`, d.args()...)
}
