package journal

import (
	"context"
	"time"
)

// LeaseTime is how long an unresolved attempt is somebody's who has taken it.
const LeaseTime = 15 * time.Minute

// What an [Event] is when a person says that they find out what became of an attempt, and when they no longer do.
const (
	Taken    = "taken"
	Released = "released"
)

// A Lease is that somebody finds out what became of an unresolved attempt, so that two people do not resolve it apart.
// It ends with a decision, and after [LeaseTime]. The zero Lease is that nobody does.
type Lease struct {
	By    Operator
	Since time.Time
	Mine  bool // by the operator of this console
}

// IsZero reports whether nobody has taken the attempt.
func (l Lease) IsZero() bool { return l.Since.IsZero() }

// Until is when the lease ends by itself.
func (l Lease) Until() time.Time { return l.Since.Add(LeaseTime) }

// ByAnother reports whether somebody else has taken the attempt: nobody but them decides about it.
func (l Lease) ByAnother() bool { return !l.IsZero() && !l.Mine }

// A TakenError is the error of a decision about an attempt that somebody else has taken, and of taking one that was
// taken since the operator saw it. Nothing was recorded.
type TakenError struct{ Lease }

// Error says who has taken it.
func (e *TakenError) Error() string {
	return e.By.String() + " is looking at it since " + e.Since.UTC().Format("15:04 UTC")
}

// Take gives the operator of this console the lease of an unresolved attempt. seen is the attempt as the operator saw
// it: whose lease is in it is replaced, and when another has taken it since, the error is a [*TakenError].
func (j *Journal) Take(ctx context.Context, seen Attempt) error {
	return j.write(ctx, func(t *writeTx) error {
		a, err := t.byID(seen.ID)
		if err != nil {
			return err
		}
		if err := a.mayBeTaken(seen.Lease); err != nil {
			return err
		}
		return t.addEvent(a, Event{What: Taken, Source: FromPerson})
	})
}

// Release ends the lease of this console's operator. Nothing happens when it has none.
func (j *Journal) Release(ctx context.Context, id ID) error {
	return j.write(ctx, func(t *writeTx) error {
		a, err := t.byID(id)
		if err != nil || !a.Lease.Mine {
			return err
		}
		return t.addEvent(a, Event{What: Released, Source: FromPerson})
	})
}

// mayBeTaken is why an attempt cannot be taken by somebody who saw its lease.
func (a Attempt) mayBeTaken(seen Lease) error {
	switch {
	case !a.IsUnresolved():
		return ErrChanged
	case a.Lease.ByAnother() && (a.Lease.By != seen.By || !a.Lease.Since.Equal(seen.Since)):
		return &TakenError{a.Lease}
	}
	return nil
}

// leaseAfter is the lease after an event of the attempt.
func (l Lease) leaseAfter(e Event, me Operator, now time.Time) Lease {
	switch {
	case e.What == Taken && now.Before(e.At.Add(LeaseTime)):
		return Lease{By: e.By, Since: e.At, Mine: e.By == me}
	case e.What == Taken || e.What == Released || e.What == Decided:
		return Lease{}
	}
	return l
}

// addLeases gives the unresolved ones of some rows their leases.
func (t *readTx) addLeases(rows []*row) error {
	open := map[int64]*row{}
	var numbers []hit
	for _, r := range rows {
		if r.IsUnresolved() {
			open[r.n] = r
			numbers = append(numbers, hit{n: r.n})
		}
	}
	if len(open) == 0 {
		return nil
	}
	of, all := t.dialect.among("attempt", numbers)
	events, err := collect(t, scanned(func() *eventRow { return &eventRow{table: attemptEvents} }),
		attemptEvents.selects+"WHERE "+of+" AND what IN ('"+Taken+"', '"+Released+"', '"+Decided+"') AND at > ? ORDER BY n", all, unixNano(t.now.Add(-LeaseTime)))
	for _, e := range events {
		r := open[e.owner]
		r.Lease = r.Lease.leaseAfter(e.Event, t.j.opts.Operator, t.now)
	}
	return err
}
