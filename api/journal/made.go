package journal

import (
	"context"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// A Sum counts payments, and adds them up in minor units of their currency.
type Sum struct {
	Payments int
	Minor    int64
}

// Made sums up the payments that were made in a currency, each in one of its sums, by the amounts that were
// asked for.
type Made struct {
	Currency   money.Currency
	Secured    Sum // the service reports success, and nothing that was asked differently
	Failed     Sum
	Pending    Sum // accepted, and the service still settles it
	Open       Sum // accepted with any other status that is not final
	Mismatched Sum // the service answered something else than was asked, whatever was decided about it
	Unresolved Sum // it is not known whether they were made, even if a person gave up finding out
}

// Payments returns how many there are in all.
func (m Made) Payments() int {
	return m.Secured.Payments + m.Failed.Payments + m.Pending.Payments + m.Open.Payments + m.Mismatched.Payments + m.Unresolved.Payments
}

// of returns the sum of the payments that stand like this.
func (m *Made) of(stands string) *Sum {
	switch stands {
	case string(ledger.Unresolved):
		return &m.Unresolved
	case Mismatched:
		return &m.Mismatched
	case api.Successful.String():
		return &m.Secured
	case api.Failed.String():
		return &m.Failed
	case api.Pending.String():
		return &m.Pending
	}
	return &m.Open
}

// Made returns what was made from here at a destination at or after a time and before another, by currency. A
// payment that the service refused, that was never sent, or that was not found was not made.
func (j *Journal) Made(ctx context.Context, d ledger.Destination, from, to time.Time) ([]Made, error) {
	return ask(ctx, j, func(t *readTx) ([]Made, error) { return t.made(d, from, to) })
}

// made counts in the index by environment and time, which has the rows of those days alone. What is not known of a payment
// comes first: one with a mismatch may have the status of success too.
func (t *readTx) made(d ledger.Destination, from, to time.Time) (all []Made, err error) {
	err = t.each(func(rows scanner) error {
		var code, stands string
		var sum Sum
		if err := rows.Scan(&code, &stands, &sum.Payments, &sum.Minor); err != nil {
			return err
		}
		currency, err := money.ParseCurrency(code)
		if err != nil {
			return err
		}
		if n := len(all); n == 0 || all[n-1].Currency != currency {
			all = append(all, Made{Currency: currency})
		}
		*all[len(all)-1].of(stands) = sum
		return nil
	}, `SELECT currency, CASE WHEN reference = '' THEN 'unresolved' WHEN mismatch <> 0 THEN 'MISMATCH'
			WHEN status IN ('SUCCESSFUL', 'FAILED', 'PENDING') THEN status ELSE '' END AS stands, count(*), CAST(sum(minor) AS BIGINT)
		FROM attempts
		WHERE `+atService+` AND at >= ? AND at < ? AND kind = 'initiate' AND currency <> '' AND
			(reference <> '' OR outcome = 'sent' OR outcome = 'unresolved' AND verdict IN ('', 'gave up'))
		GROUP BY currency, stands ORDER BY currency`, append(atArgs(d), unixNano(from), unixNano(to))...)
	return all, sumProblem(err)
}

// sumProblem is the error of a query that sums amounts: no database goes on past 2⁶³.
func sumProblem(err error) error {
	if err != nil && (strings.Contains(err.Error(), "integer overflow") || strings.Contains(err.Error(), "out of range")) {
		return money.ErrTooLarge
	}
	return err
}
