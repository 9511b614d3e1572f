package ledger

import (
	"time"
)

// LeaseTime limits how long an unresolved attempt stays with the person who has taken it.
const LeaseTime = 15 * time.Minute

// What an [Event] is when a person says that they are finding out what became of an attempt, and when they no longer are.
const (
	Taken    = "taken"
	Released = "released"
)

// A Lease says that a person is finding out what became of an unresolved attempt, so that two people do not resolve it apart.
// It ends with a decision, and after [LeaseTime]. The zero Lease says that no person is.
type Lease struct {
	By    Operator
	Since time.Time
	Mine  bool // by the operator of this console
}

// IsZero reports whether no person has taken the attempt.
func (l Lease) IsZero() bool { return l.Since.IsZero() }

// Until returns when the lease ends by itself.
func (l Lease) Until() time.Time { return l.Since.Add(LeaseTime) }

// ByAnother reports whether another person has taken the attempt: only they decide about it.
func (l Lease) ByAnother() bool { return !l.IsZero() && !l.Mine }

// A TakenError is the error of a decision about an attempt that another person has taken, and of taking one that was
// taken since the operator saw it. Nothing was recorded.
type TakenError struct{ Lease }

// Error says who has taken it.
func (e *TakenError) Error() string {
	return e.By.String() + " is looking at it since " + e.Since.UTC().Format("15:04 UTC")
}

// Taking says that a person is finding out what became of an unresolved attempt.
type Taking struct{}

func (Taking) fold(e *Entry, f Fact) []Event {
	e.TakenAt, e.TakenBy = f.At, f.By
	return []Event{{What: Taken, Source: FromPerson}}
}

// Releasing says that a person no longer is.
type Releasing struct{}

func (Releasing) fold(e *Entry, _ Fact) []Event {
	e.TakenAt, e.TakenBy = time.Time{}, Operator{}
	return []Event{{What: Released, Source: FromPerson}}
}

// Take returns the fact that the operator has the lease of an unresolved attempt. seen is the attempt as the operator
// saw it: whose lease is in it is replaced, and where another has taken it since, the error is a [*TakenError].
func (c Console) Take(seen Attempt, concerned []Entry) ([]Fact, error) {
	e, err := c.withID(concerned, seen.ID)
	switch {
	case err != nil:
		return nil, err
	case !e.IsUnresolved():
		return nil, ErrChanged
	case e.Lease.ByAnother() && (e.Lease.By != seen.Lease.By || !e.Lease.Since.Equal(seen.Lease.Since)):
		return nil, &TakenError{e.Lease}
	}
	return []Fact{c.Fact(e.ID, Taking{})}, nil
}

// Release returns the fact that the operator's lease ends; none where there is none.
func (c Console) Release(id ID, concerned []Entry) ([]Fact, error) {
	e, err := c.withID(concerned, id)
	if err != nil || !e.Lease.Mine {
		return nil, err
	}
	return []Fact{c.Fact(id, Releasing{})}, nil
}

// lease returns who has taken an unresolved attempt, for as long as that lasts.
func (c Console) lease(e Entry) Lease {
	if !e.IsUnresolved() || e.TakenAt.IsZero() || !c.Now.Before(e.TakenAt.Add(LeaseTime)) {
		return Lease{}
	}
	return Lease{By: e.TakenBy, Since: e.TakenAt, Mine: e.TakenBy == c.Operator}
}
