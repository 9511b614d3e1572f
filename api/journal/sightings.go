package journal

import (
	"context"
	"time"

	"paydesk/api"
)

// Saw writes a status that the service told of a payment sent from here; source says in
// which answer. The same word again only makes its event longer, and a final status
// stands whatever is told after it. A reference that is not of an attempt is left alone.
func (j *Journal) Saw(ctx context.Context, p Place, ref api.Reference, s api.Status, source string) error {
	return j.payment(ctx, p, ref, func(t *change, r *row) error { return t.saw(r, s, source, t.now) })
}

// Asked writes that an authentication check asked the customer to authorise.
func (j *Journal) Asked(ctx context.Context, p Place, ref api.Reference) error {
	return j.payment(ctx, p, ref, func(t *change, r *row) error {
		if r.bankAsked != 0 {
			return nil
		}
		r.bankAsked = 1
		if err := t.save(r); err != nil {
			return err
		}
		return t.happened(r, eventRow{what: "customer asked to authorise", source: "authenticate"})
	})
}

// CustomerDone writes that a person said the customer did their part.
func (j *Journal) CustomerDone(ctx context.Context, p Place, ref api.Reference) error {
	return j.payment(ctx, p, ref, func(t *change, r *row) error {
		if r.customerDone != 0 {
			return nil
		}
		r.customerDone = 1
		if err := t.save(r); err != nil {
			return err
		}
		return t.happened(r, eventRow{what: "customer done", source: "person"})
	})
}

// payment writes to the initiations of a reference.
func (j *Journal) payment(ctx context.Context, p Place, ref api.Reference, f func(*change, *row) error) error {
	if ref == "" {
		return nil
	}
	return j.write(ctx, func(t *change) error {
		all, err := t.sameReference(p, string(ref))
		if err != nil {
			return err
		}
		for _, r := range all {
			if r.kind != string(Initiate) {
				continue
			}
			if err := f(t, r); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *row) place() Place { return Place{r.profile, r.environment, r.service} }

// sameReference is the attempts of a reference, newest first. SQLite must be told by which
// index: to it the three columns of a place seem to choose better than one reference.
func (t *view) sameReference(p Place, ref string) ([]*row, error) {
	if ref == "" {
		return nil, nil
	}
	return t.attempts("INDEXED BY attempts_reference WHERE reference = ? AND reference <> '' AND profile = ? AND environment = ? AND service = ? ORDER BY at DESC, n DESC",
		ref, noted(p.Profile), noted(p.Environment), noted(p.Host))
}

// saw writes a status into its payment and its timeline.
func (t *change) saw(r *row, s api.Status, source string, at time.Time) error {
	was := r.final
	r.told(s, stamp(at))
	if err := t.save(r); err != nil {
		return err
	}
	if err := t.told(r, notedText(s.Text), source, at); err != nil {
		return err
	}
	if was == 0 && r.final != 0 {
		return t.moot(r)
	}
	return nil
}

// told adds the event of a status, or makes the last one longer when it says the same.
func (t *change) told(r *row, word, source string, at time.Time) error {
	source = noted(source)
	events, err := t.events("WHERE attempt = ? AND what = 'status' ORDER BY n DESC LIMIT 1", r.n)
	if err != nil {
		return err
	}
	if len(events) == 0 || events[0].detail != word || events[0].source != source {
		return t.happened(r, eventRow{at: stamp(at), until: stamp(at), what: "status", detail: word, source: source})
	}
	e := events[0]
	e.until = max(e.until, stamp(at))
	e.times++
	_, err = t.tx.ExecContext(t.ctx, saveEvent, append(values(e.columns()), e.n)...)
	return err
}

// moot gives the finalizes of a payment that nobody answered the outcome that its final
// status shows: there is nothing left to find out about them.
func (t *change) moot(p *row) error {
	all, err := t.sameReference(p.place(), p.reference)
	if err != nil {
		return err
	}
	for _, f := range all {
		if f.kind != string(Finalize) || f.outcome != string(Unresolved) || f.verdict != "" {
			continue
		}
		f.outcome, f.answered = string(Refused), stamp(t.now)
		if p.status == api.Successful.String() {
			f.outcome = string(Accepted)
		}
		f.why = "the payment is " + p.status
		if err := t.outcome(f, t.now); err != nil {
			return err
		}
	}
	return nil
}

// events reads rows of events; where is what follows FROM events.
func (t *view) events(where string, args ...any) ([]*eventRow, error) {
	rows, err := t.q.QueryContext(t.ctx, "SELECT "+eventNames+" FROM events "+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []*eventRow
	for rows.Next() {
		e := new(eventRow)
		if err := scan(rows, &e.n, e.columns()); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, rows.Err()
}
