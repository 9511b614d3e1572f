package journal

import (
	"context"
	"time"

	"paydesk/api"
)

// RecordStatus writes a status that the service told of a payment sent from here; source says in
// which answer. The same word again only makes its event longer, and a final status
// stands whatever is told after it. A reference that is not of an attempt is left alone.
func (j *Journal) RecordStatus(ctx context.Context, p Destination, ref api.Reference, s api.Status, source string) error {
	return j.updatePayment(ctx, p, ref, func(t *writeTx, r *row) error { return t.recordStatus(r, s, source, t.now) })
}

// RecordChallenge writes that an authentication check asked the customer to authorise.
func (j *Journal) RecordChallenge(ctx context.Context, p Destination, ref api.Reference) error {
	return j.updatePayment(ctx, p, ref, func(t *writeTx, r *row) error {
		if r.bankAsked != 0 {
			return nil
		}
		r.bankAsked = 1
		if err := t.update(r); err != nil {
			return err
		}
		return t.addEvent(r, eventRow{what: "customer asked to authorise", source: "authenticate"})
	})
}

// CustomerDone writes that a person said the customer did their part.
func (j *Journal) CustomerDone(ctx context.Context, p Destination, ref api.Reference) error {
	return j.updatePayment(ctx, p, ref, func(t *writeTx, r *row) error {
		if r.customerDone != 0 {
			return nil
		}
		r.customerDone = 1
		if err := t.update(r); err != nil {
			return err
		}
		return t.addEvent(r, eventRow{what: "customer done", source: "person"})
	})
}

// updatePayment writes to the initiations of a reference.
func (j *Journal) updatePayment(ctx context.Context, p Destination, ref api.Reference, f func(*writeTx, *row) error) error {
	if ref == "" {
		return nil
	}
	return j.write(ctx, func(t *writeTx) error {
		all, err := t.byReference(p, string(ref))
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

func (r *row) destination() Destination { return Destination{r.profile, r.environment, r.service} }

// byReference is the attempts of a reference, newest first. SQLite must be told by which
// index: to it the three columns of a place seem to choose better than one reference.
func (t *readTx) byReference(p Destination, ref string) ([]*row, error) {
	if ref == "" {
		return nil, nil
	}
	return t.attempts("INDEXED BY attempts_reference WHERE reference = ? AND reference <> '' AND profile = ? AND environment = ? AND service = ? ORDER BY at DESC, n DESC",
		ref, sanitize(p.Profile), sanitize(p.Environment), sanitize(p.Host))
}

// recordStatus writes a status into its payment and its timeline.
func (t *writeTx) recordStatus(r *row, s api.Status, source string, at time.Time) error {
	was := r.final
	r.setStatus(s, unixNano(at))
	if err := t.update(r); err != nil {
		return err
	}
	if err := t.addStatusEvent(r, sanitizeText(s.Text), source, at); err != nil {
		return err
	}
	if was == 0 && r.final != 0 {
		return t.resolveFinalizes(r)
	}
	return nil
}

// addStatusEvent adds the event of a status, or makes the last one longer when it says the same.
func (t *writeTx) addStatusEvent(r *row, word, source string, at time.Time) error {
	source = sanitize(source)
	events, err := t.events("WHERE attempt = ? AND what = 'status' ORDER BY n DESC LIMIT 1", r.n)
	if err != nil {
		return err
	}
	if len(events) == 0 || events[0].detail != word || events[0].source != source {
		return t.addEvent(r, eventRow{at: unixNano(at), until: unixNano(at), what: "status", detail: word, source: source})
	}
	e := events[0]
	e.until = max(e.until, unixNano(at))
	e.times++
	_, err = t.tx.ExecContext(t.ctx, updateEvent, append(values(e.columns()), e.n)...)
	return err
}

// resolveFinalizes gives the finalizes of a payment that nobody answered the outcome that its final
// status shows: there is nothing left to find out about them.
func (t *writeTx) resolveFinalizes(p *row) error {
	all, err := t.byReference(p.destination(), p.reference)
	if err != nil {
		return err
	}
	for _, f := range all {
		if f.kind != string(Finalize) || f.outcome != string(Unresolved) || f.verdict != "" {
			continue
		}
		f.outcome, f.answered = string(Refused), unixNano(t.now)
		if p.status == api.Successful.String() {
			f.outcome = string(Accepted)
		}
		f.why = "the payment is " + p.status
		if err := t.saveOutcome(f, t.now); err != nil {
			return err
		}
	}
	return nil
}

// events reads rows of events; where is what follows FROM events.
func (t *readTx) events(where string, args ...any) ([]*eventRow, error) {
	rows, err := t.q.QueryContext(t.ctx, "SELECT "+eventColumns+" FROM events "+where, args...)
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
