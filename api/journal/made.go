package journal

import (
	"context"
	"math"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// A Sum is how many payments there are, and what they come to in minor units of their currency.
type Sum struct {
	Payments int
	Minor    int64
}

// Made is what the payments come to that were made in a currency, each in one of its sums. Their amounts are
// those that were asked for.
type Made struct {
	Currency   money.Currency
	Secured    Sum // the service reports success, and nothing that was asked differently
	Failed     Sum
	Open       Sum // accepted and not final
	Mismatched Sum // the service answered something else than was asked, whatever was decided about it
	Unresolved Sum // it is not known whether they were made, even if somebody gave up finding out
}

// Payments is how many there are in all.
func (m Made) Payments() int {
	return m.Secured.Payments + m.Failed.Payments + m.Open.Payments + m.Mismatched.Payments + m.Unresolved.Payments
}

// of is the sum that a payment belongs to. What is not known of it comes first: a mismatch has the status of
// success too.
func (m *Made) of(known, differs bool, status string) *Sum {
	switch {
	case !known:
		return &m.Unresolved
	case differs:
		return &m.Mismatched
	case status == api.Successful.String():
		return &m.Secured
	case status == api.Failed.String():
		return &m.Failed
	}
	return &m.Open
}

// Made returns what was made from here at a destination at or after a time and before another, by currency. A
// payment that the service refused, that was never sent, or that was not found was not made.
func (j *Journal) Made(ctx context.Context, d Destination, from, to time.Time) ([]Made, error) {
	return ask(ctx, j, func(t *readTx) ([]Made, error) { return t.made(d, from, to) })
}

// made counts in the index by environment and time, which has the rows of those days alone. SQLite continues in
// floating point where a sum overflows: see [joinBillions].
func (t *readTx) made(d Destination, from, to time.Time) (all []Made, err error) {
	err = t.each(func(rows scanner) error {
		var code, status string
		var known, differs bool
		var payments int
		var billions, minor int64
		if err := rows.Scan(&code, &known, &differs, &status, &payments, &billions, &minor); err != nil {
			return err
		}
		currency, err := money.ParseCurrency(code)
		if err != nil {
			return err
		}
		if n := len(all); n == 0 || all[n-1].Currency != currency {
			all = append(all, Made{Currency: currency})
		}
		return all[len(all)-1].of(known, differs, status).add(payments, billions, minor)
	}, `SELECT currency, reference <> '' AS known, mismatch <> 0 AS differs, status,
			count(*), CAST(sum(minor / 1000000000) AS BIGINT), CAST(sum(minor % 1000000000) AS BIGINT)
		FROM attempts
		WHERE `+atService+` AND at >= ? AND at < ? AND kind = 'initiate' AND currency <> '' AND
			(reference <> '' OR outcome = 'sent' OR outcome = 'unresolved' AND verdict IN ('', 'gave up'))
		GROUP BY currency, known, differs, status ORDER BY currency`, append(atArgs(d), unixNano(from), unixNano(to))...)
	return all, err
}

// add adds payments whose amounts come to billions * 1000000000 + minor.
func (s *Sum) add(payments int, billions, minor int64) error {
	sum, err := joinBillions(billions, minor)
	if err == nil && sum > math.MaxInt64-s.Minor {
		err = money.ErrTooLarge
	}
	s.Payments, s.Minor = s.Payments+payments, s.Minor+sum
	return err
}
