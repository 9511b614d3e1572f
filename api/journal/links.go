package journal

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// A LinkRecord is a link that was created with this journal, and the payments made through
// it with this journal.
type LinkRecord struct {
	Attempt                 // the creation
	Paid     int            // payments through it that are SUCCESSFUL, without a mismatch
	Differ   int            // payments through it with a mismatch
	Accepted int            // payments through it that the service accepted
	Total    []money.Amount // of the successful ones, one for each currency
	LastUsed time.Time      // zero when it was never used
}

// Links returns the links created at a destination, newest first.
func (j *Journal) Links(ctx context.Context, d Destination) ([]LinkRecord, error) {
	return query(ctx, j, func(t *readTx) ([]LinkRecord, error) { return t.links(d) })
}

func (t *readTx) links(d Destination) ([]LinkRecord, error) {
	rows, err := t.attempts("WHERE made = 1 AND "+atService+newestFirst, d.args()...)
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
}

// byAlias returns the creations of a link, newest first.
func (t *readTx) byAlias(d Destination, alias api.Alias) ([]*row, error) {
	return t.attempts("WHERE made = 1 AND "+atService+" AND link = ? COLLATE NOCASE"+newestFirst, append(d.args(), string(alias))...)
}

// rejectUnread rejects a payment through a link that must be read.
func (t *writeTx) rejectUnread(r *row) error {
	if r.Kind != Initiate || r.Link == "" {
		return nil
	}
	made, err := t.byAlias(r.Destination, r.Link)
	if err == nil && slices.ContainsFunc(made, func(l *row) bool { return l.MustBeRead() }) {
		err = rejected("This link differs from what was asked for. " +
			"Open it among the links and read how before you collect with it.")
	}
	return err
}

// DifferenceRead records that the operator has read how a link differs from the request.
func (j *Journal) DifferenceRead(ctx context.Context, d Destination, alias api.Alias) error {
	return j.write(ctx, func(t *writeTx) error {
		made, err := t.byAlias(d, alias)
		for _, r := range made {
			if err == nil && r.MustBeRead() {
				err = t.decide(r, DifferenceRead, "", "")
			}
		}
		return err
	})
}

// FoundLink records that the operator found the link of an unresolved attempt: it then is a link of
// this journal, as it was asked for. page is zero when its URL is not known. Its errors are those
// of [Journal.Decide].
func (j *Journal) FoundLink(ctx context.Context, seen Attempt, alias api.Alias, page api.Address) error {
	return j.write(ctx, func(t *writeTx) error {
		r, err := t.unchanged(seen)
		if err != nil {
			return err
		}
		if err := t.checkFoundLink(r, alias); err != nil {
			return err
		}
		was := r.found()
		r.Link = alias
		r.CreatedLink = &api.Link{
			Name: api.Clean(r.Draft.Name), Description: api.Clean(r.Draft.Description), Alias: alias, Page: page,
			Amount: r.Amount, HasAmount: !r.Amount.Currency.IsZero(),
			Type: api.Clean(r.Draft.Type.String()), AmountType: r.Draft.AmountType,
		}
		return t.decide(r, Found, string(alias), was)
	})
}

// checkFoundLink rejects a link that cannot be that of an attempt.
func (t *writeTx) checkFoundLink(r *row, alias api.Alias) error {
	if r.Kind != CreateLink {
		return rejected("This attempt did not create a link.")
	}
	if err := t.checkDecision(r, Found, ""); err != nil {
		return err
	}
	if parsed, err := api.ParseAlias(string(alias)); err != nil || parsed != alias {
		return rejected("Enter the alias of the link you found.")
	}
	if err := rejectCardNumber(string(alias)); err != nil {
		return err
	}
	others, err := t.byAlias(r.Destination, alias)
	if err == nil && len(others) > 0 {
		err = rejected("Another link here has this alias already.")
	}
	return err
}

// addUsage adds the payments made through links.
func (t *readTx) addUsage(d Destination, byAlias map[api.Alias]*LinkRecord) error {
	return forEach(t.ctx, t.q, func(rows *sql.Rows) error {
		var alias api.Alias
		var code string
		var paid, differs bool
		var count int
		var sum, last int64
		if err := rows.Scan(&alias, &code, &paid, &differs, &count, &sum, &last); err != nil {
			return err
		}
		l := byAlias[alias]
		if l == nil {
			return nil
		}
		l.Accepted += count
		if differs {
			l.Differ += count
		}
		if paid {
			l.Paid += count
			l.Total = append(l.Total, amount(sum, code))
		}
		if at := fromNano(last); at.After(l.LastUsed) {
			l.LastUsed = at
		}
		return nil
	}, `SELECT link, currency, status = 'SUCCESSFUL' AND mismatch = 0, mismatch <> 0, count(*), sum(minor), max(at) FROM attempts
		WHERE kind = 'initiate' AND reference <> '' AND link <> '' AND `+atService+`
		GROUP BY link, currency, status, mismatch <> 0`, d.args()...)
}
