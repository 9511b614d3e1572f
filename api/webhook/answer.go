package webhook

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"time"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/api/statefile"
)

// The pace of the requests about one payment.
const (
	// spacing is the least time between two, whatever arrives.
	spacing = 5 * time.Second
	// claimed sets how long a program has for an answer, before another may ask.
	claimed = time.Minute
	// maxUnknown limits how many payments that are not known here wait to be asked about.
	maxUnknown = 1000
	// unknownEvery sets how often one of those is asked about.
	unknownEvery = time.Second
)

// again returns when to ask the service again while it disagrees and its status is open, or had no answer.
var again = [...]time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute}

// aheadAfter returns the time, in milliseconds, after which a stored time comes from a clock that was ahead: no wait is so long.
func aheadAfter(now time.Time) int64 { return now.Add(again[len(again)-1]).UnixMilli() }

// askAboutPayment has a payment asked about, once for all events that arrive within the spacing.
const askAboutPayment = `
	INSERT INTO payments (profile, reference, arrived, due) VALUES (?1, ?2, ?3, ?3)
	ON CONFLICT DO UPDATE SET arrived = ?3, known = CASE known WHEN 1 THEN 1 END, tries = 0,
		due = CASE WHEN due > 0 THEN min(due, ` + nextAsked + `) ELSE ` + nextAsked + ` END`

// nextAsked is when a payment may be asked about again. A request that began later than now was stamped by a clock that was ahead.
const nextAsked = "max(?3, CASE WHEN asked <= ?3 + ?4 THEN asked + ?4 ELSE 0 END)"

// CheckNow has the service asked about a payment as soon as a program that verifies can.
func (s *Store) CheckNow(ctx context.Context, profile string, r api.Reference) error {
	return s.write(ctx, quick, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, askAboutPayment, profile, string(r), s.opts.Now().UnixMilli(), spacing.Milliseconds())
		return err
	})
}

// answerColumns lists the columns of a storedAnswer, of payments.
const answerColumns = "p.answered, p.status, p.minor, p.currency, p.missing, p.problem"

const selectAnswer = "SELECT " + answerColumns + " FROM payments AS p WHERE profile = ? AND reference = ?"

// scanAnswer reads the row of a payment, which need not be there.
func scanAnswer(row *sql.Row) (Answer, error) {
	var columns storedAnswer
	if err := row.Scan(columns.into()...); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Answer{}, err
	}
	return columns.answer(), nil
}

// A storedAnswer has the columns of an answer, which are all NULL where there is none.
type storedAnswer struct {
	answered, minor           sql.NullInt64
	status, currency, problem sql.NullString
	missing                   sql.NullBool
}

func (c *storedAnswer) into() []any {
	return []any{&c.answered, &c.status, &c.minor, &c.currency, &c.missing, &c.problem}
}

func (c *storedAnswer) answer() Answer {
	a := Answer{At: statefile.FromMilli(c.answered.Int64), NotFound: c.missing.Bool, Problem: c.problem.String}
	if c.status.String != "" {
		a.Status = api.ParseStatus(c.status.String)
	}
	a.Amount, a.HasAmount = amountOf(c.minor, c.currency.String)
	return a
}

// storeAnswer stores what the service answered about a payment, judges its events again, and schedules the next request.
// asked tells when the request began.
func (s *Store) storeAnswer(ctx context.Context, profile string, r api.Reference, asked time.Time, a Answer) error {
	return s.write(ctx, quick, func(tx *sql.Tx) error {
		err := updateAnswer(ctx, tx, profile, r, a)
		if err != nil {
			return err
		}
		if a.Problem != "" { // what was answered before still stands
			if a, err = scanAnswer(tx.QueryRowContext(ctx, selectAnswer, profile, string(r))); err != nil {
				return err
			}
		}
		tries, err := judgeAll(ctx, tx, profile, r, a)
		if err != nil {
			return err
		}
		return s.reschedule(ctx, tx, profile, r, asked, tries)
	})
}

func updateAnswer(ctx context.Context, tx *sql.Tx, profile string, r api.Reference, a Answer) error {
	if a.Problem != "" {
		_, err := tx.ExecContext(ctx, "UPDATE payments SET problem = ? WHERE profile = ? AND reference = ?", a.Problem, profile, string(r))
		return err
	}
	minor, code := storedAmount(a.HasAmount, a.Amount)
	_, err := tx.ExecContext(ctx, `
		UPDATE payments SET answered = ?, status = ?, minor = ?, currency = ?, missing = ?, problem = '' WHERE profile = ? AND reference = ?`,
		a.At.UnixMilli(), a.Status.Text.Line(0), minor, code, a.NotFound, profile, string(r))
	return err
}

// maxJudged limits how many events of one payment are judged again: the newest.
const maxJudged = 5000

// judgeAll judges the events of a payment. tries limits the requests for another answer: without limit while the service
// does not answer, or an event disagrees with an open status; none once all agree.
func judgeAll(ctx context.Context, tx *sql.Tx, profile string, r api.Reference, a Answer) (tries int64, err error) {
	number, err := nextJudgement(ctx, tx, profile)
	if err != nil {
		return 0, err
	}
	var verdicts [][]any // as they are stored
	if a.Problem != "" { // a delivery has had it asked, and there was no answer
		tries = math.MaxInt64
	}
	err = statefile.ForEach(ctx, tx, func(rows *sql.Rows) error {
		var id int64
		var body []byte
		if err := rows.Scan(&id, &body); err != nil {
			return err
		}
		e := api.ParseEvent(body)
		v, differs := Judge(e, a)
		verdicts = append(verdicts, []any{string(v), number, id, isEarly(e, v, differs)})
		switch {
		case v == Disagrees && !a.Status.State.Final():
			tries = math.MaxInt64
		case v == Unknown:
			tries = max(tries, int64(len(again)))
		}
		return nil
	}, "SELECT id, body FROM events WHERE profile = ? AND reference = ? ORDER BY delivery DESC LIMIT ?", profile, string(r), maxJudged)
	if err != nil {
		return tries, err
	}
	for _, verdict := range verdicts {
		if _, err := tx.ExecContext(ctx, `UPDATE events SET verdict = ?1, early = early OR ?4, judged = ?2
			WHERE id = ?3 AND (verdict <> ?1 OR early < ?4)`, verdict...); err != nil {
			return tries, err
		}
	}
	return tries, nil
}

// nextJudgement returns the number of the verdicts that change now. It is never given again.
func nextJudgement(ctx context.Context, tx *sql.Tx, profile string) (n int64, err error) {
	err = tx.QueryRowContext(ctx, "INSERT INTO profiles (profile, judged) VALUES (?, 1) ON CONFLICT DO UPDATE SET judged = judged + 1 RETURNING judged", profile).Scan(&n)
	return n, err
}

// reschedule says when a payment is asked about again: soon, where an event arrived after the request began; later, where
// the answer may still change; else not.
func (s *Store) reschedule(ctx context.Context, tx *sql.Tx, profile string, r api.Reference, asked time.Time, most int64) error {
	var arrived, tries int64
	row := tx.QueryRowContext(ctx, "SELECT arrived, tries FROM payments WHERE profile = ? AND reference = ?", profile, string(r))
	if err := row.Scan(&arrived, &tries); errors.Is(err, sql.ErrNoRows) { // dropped meanwhile
		return nil
	} else if err != nil {
		return err
	}
	var due int64
	now := s.opts.Now()
	switch {
	case arrived > asked.UnixMilli() && arrived <= aheadAfter(now):
		due = asked.Add(spacing).UnixMilli()
	case tries <= most:
		due = now.Add(again[max(min(tries, int64(len(again)))-1, 0)]).UnixMilli()
	}
	_, err := tx.ExecContext(ctx, "UPDATE payments SET due = ? WHERE profile = ? AND reference = ?", due, profile, string(r))
	return err
}

// storedAmount is an amount as it is stored.
func storedAmount(has bool, a money.Amount) (minor any, code string) {
	if !has {
		return nil, ""
	}
	return a.Minor, a.Currency.Code()
}

// amountOf reads a stored amount; ok is false when there is none, or when its currency is no longer known.
func amountOf(minor sql.NullInt64, code string) (a money.Amount, ok bool) {
	if !minor.Valid {
		return a, false
	}
	c, err := money.ParseCurrency(code)
	if err != nil {
		return a, false
	}
	return money.Amount{Minor: minor.Int64, Currency: c}, true
}
