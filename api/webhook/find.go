package webhook

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"net/http"

	"paydesk/api"
	"paydesk/api/statefile"
)

// Bounds of what is read.
const (
	defaultFound  = 200
	shownArrivals = 100
)

// Find returns the events that a search finds.
func (s *Store) Find(ctx context.Context, q Search) (f Found, err error) {
	limit := cmp.Or(q.Limit, defaultFound)
	meets, args, err := meeting(q)
	if err != nil {
		return f, err
	}
	err = s.read(ctx, func(db statefile.Querier) error {
		if err := f.count(ctx, db, q.Profile); err != nil {
			return err
		}
		rows, err := statefile.All(ctx, db, (*eventRow).into, "SELECT e.header, "+eventColumns+" FROM events AS e "+withAnswer+meets+" ORDER BY e.delivery DESC LIMIT ? OFFSET ?", append(args, limit+1, q.Skip)...)
		f.More = len(rows) > limit
		for i := range rows[:min(len(rows), limit)] {
			f.Records = append(f.Records, rows[i].detail().Record)
		}
		return err
	})
	f.Replaced = s.Replaced()
	return f, err
}

// count fills in what is known of the whole profile.
func (f *Found) count(ctx context.Context, db statefile.Querier, profile string) error {
	return db.QueryRowContext(ctx, `
		SELECT (SELECT count(*) FROM events WHERE profile = ?1), (SELECT count(*) FROM events WHERE profile = ?1 AND verdict = ?2),
			(SELECT coalesce(max(delivery), 0) FROM events WHERE profile = ?1), coalesce((SELECT dropped FROM profiles WHERE profile = ?1), 0)`,
		profile, string(Disagrees)).Scan(&f.Total, &f.Disagree, &f.Newest, &f.Dropped)
}

// Newest is the number of the last delivery; 0 for none.
func (s *Store) Newest(ctx context.Context, profile string) (int64, error) {
	var f Found
	err := s.read(ctx, func(db statefile.Querier) error { return f.count(ctx, db, profile) })
	return f.Newest, err
}

// Get returns an event of a profile, or [ErrNotFound].
func (s *Store) Get(ctx context.Context, profile string, id int64) (d Detail, err error) {
	err = s.read(ctx, func(db statefile.Querier) error {
		rows, err := statefile.All(ctx, db, (*eventRow).into, "SELECT e.header, "+eventColumns+" FROM events AS e "+withAnswer+" WHERE e.id = ? AND e.profile = ?", id, profile)
		if err != nil || len(rows) == 0 {
			return err
		}
		d = rows[0].detail()
		d.Arrivals, err = statefile.All(ctx, db, func(a *Arrival) []any { return []any{&a.Number, statefile.Milli(&a.At)} },
			"SELECT n, at FROM deliveries WHERE event = ? ORDER BY n DESC LIMIT ?", id, shownArrivals)
		if err != nil {
			return err
		}
		d.Sent, err = statefile.All(ctx, db, func(f *Forward) []any {
			return []any{statefile.Milli(&f.At), &f.Target, &f.Replay, &f.Status, &f.Took, &f.Problem}
		}, "SELECT at, target, replay, status, took, problem FROM forwards WHERE event = ? ORDER BY n DESC LIMIT ?", id, maxForwards)
		return err
	})
	if err == nil && d.ID == 0 {
		err = ErrNotFound
	}
	return d, err
}

// withAnswer joins events with what the service answered about their payments.
const withAnswer = "LEFT JOIN payments AS p ON p.profile = e.profile AND p.reference = e.reference"

// eventColumns lists the columns of an eventRow behind the header.
const eventColumns = "e.id, e.body, e.masked, e.first, e.last, e.deliveries, e.delivery, e.forwards, e.early, e.verdict, e.judged, " + answerColumns

// An eventRow is an event as it is stored.
type eventRow struct {
	arrival Arrival // where a delivery was asked for
	stored  Detail  // without deliveries and forwards
	answer  storedAnswer
}

func (r *eventRow) into() []any {
	d := &r.stored
	return append([]any{headerJSON{&d.Header}, &d.ID, &d.Body, &d.Masked, statefile.Milli(&d.First), statefile.Milli(&d.Last), &d.Deliveries, &d.Number,
		&d.Forwards, &d.Early, &d.Verdict, &d.Judged}, r.answer.into()...)
}

type headerJSON struct{ to *http.Header }

// Scan implements [sql.Scanner].
func (h headerJSON) Scan(stored any) error {
	text, _ := stored.(string)
	return json.Unmarshal([]byte(text), h.to)
}

func (r *eventRow) detail() Detail {
	d := r.stored
	d.WebhookEvent, d.Size, d.Answer = api.ParseEvent(d.Body), len(d.Body), r.answer.answer()
	if d.Verdict == Disagrees {
		_, d.Differs = Judge(d.WebhookEvent, d.Answer)
	}
	return d
}

// lastDelivery is the number of the last delivery that was ever stored in the file, in SQL. A greater number comes from another file.
const lastDelivery = "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'deliveries'), 0)"

// After returns at most n deliveries with higher numbers than one, in their order; all of them where the numbers of the file
// do not reach that far, because it was replaced by a new one.
func (s *Store) After(ctx context.Context, profile string, number int64, n int) (all []Delivered, err error) {
	into := func(r *eventRow) []any {
		return append([]any{&r.arrival.Number, statefile.Milli(&r.arrival.At)}, r.into()...)
	}
	err = s.read(ctx, func(db statefile.Querier) error {
		rows, err := statefile.All(ctx, db, into,
			"SELECT n, d.at, coalesce(d.header, e.header), "+eventColumns+" FROM deliveries AS d JOIN events AS e ON e.id = d.event "+withAnswer+
				" WHERE d.profile = ?1 AND n > CASE WHEN ?2 > "+lastDelivery+" THEN 0 ELSE ?2 END ORDER BY n LIMIT ?3", profile, number, n)
		for i := range rows {
			all = append(all, Delivered{rows[i].arrival, rows[i].detail()})
		}
		return err
	})
	return all, err
}

// Judged returns at least n events whose verdicts changed after one with a number, in the order of [Record.Judged], where there are
// so many, and the last number of all. As with [Store.After] all are new where the file was replaced. They have no arrivals and
// forwards.
func (s *Store) Judged(ctx context.Context, profile string, number int64, n int) (all []Detail, last int64, err error) {
	err = s.read(ctx, func(db statefile.Querier) error {
		if err := db.QueryRowContext(ctx, "SELECT coalesce((SELECT judged FROM profiles WHERE profile = ?), 0)", profile).Scan(&last); err != nil {
			return err
		}
		if number > last {
			number = 0
		}
		rows, err := statefile.All(ctx, db, (*eventRow).into,
			"SELECT e.header, "+eventColumns+" FROM events AS e "+withAnswer+` WHERE e.profile = ?1 AND judged > ?2 AND judged <= coalesce(
			(SELECT judged FROM events WHERE profile = ?1 AND judged > ?2 ORDER BY judged LIMIT 1 OFFSET ?3), ?4) ORDER BY judged`, profile, number, n-1, last)
		for i := range rows {
			all = append(all, rows[i].detail())
		}
		return err
	})
	return all, last, err
}

// AddForward stores what became of a sending.
func (s *Store) AddForward(ctx context.Context, id int64, f Forward) error {
	return s.write(ctx, quick, func(tx *sql.Tx) error {
		sent := f.Status != 0 || f.Took > 0 // one with a mask in it is not
		changed, err := tx.ExecContext(ctx, "UPDATE events SET forwards = forwards + ? WHERE id = ?", sent, id)
		if err != nil {
			return err
		}
		if n, err := changed.RowsAffected(); err != nil || n == 0 { // dropped meanwhile
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO forwards (event, at, target, replay, status, took, problem) VALUES (?, ?, ?, ?, ?, ?, ?)",
			id, f.At.UnixMilli(), f.Target, f.Replay, f.Status, f.Took.Nanoseconds(), f.Problem)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM forwards WHERE event = ?1 AND n <= (SELECT n FROM forwards WHERE event = ?1 ORDER BY n DESC LIMIT 1 OFFSET ?2)",
			id, maxForwards)
		return err
	})
}
