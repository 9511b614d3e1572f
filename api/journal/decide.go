package journal

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"paydesk/api"
)

// Decide records the operator's decision about an unresolved attempt, or replaces the one before;
// the journal adds the operator and the time. The latest one counts, and all stay in the timeline.
// [Undecided] takes the last one back. seen is the attempt as the operator saw it: when another
// answer or decision has arrived since, the error is [ErrChanged] and nothing is recorded, and neither
// when somebody else has taken it: a [*TakenError].
//
// [Found] for a payment needs its reference, and the payment is then under way; a link is found by
// [Journal.FoundLink]. After another decision, what was found is no longer this attempt's.
// [NotFollowed] is about a payment under way, which [Undecided] follows again. [AnswerRight], [NotOurs]
// and [AskAgain] are about its mismatch. The error of [NotFound] is
// [ErrTooEarly] within [NotFoundAfter] of the sending; any other error is an [*Unavailable].
func (j *Journal) Decide(ctx context.Context, seen Attempt, v Decision, r api.Reference) error {
	return j.write(ctx, func(t *writeTx) error {
		a, err := t.unchanged(seen)
		if err != nil {
			return err
		}
		if _, is := mismatchDecisions[v]; is {
			return t.decideMismatch(a, v)
		}
		if v == NotFollowed || v == Undecided && a.Decision == NotFollowed {
			return t.decideFollowing(a, v)
		}
		if v == Found && a.Kind == CreateLink {
			return rejected("Enter the alias of the link you found.")
		}
		if err := t.checkDecision(a, v, r); err != nil {
			return err
		}
		was := a.found()
		a.forgetFound()
		if v == Found {
			kinds[a.Kind].setFound(a, r)
		}
		if err := t.decide(a, v, string(r), was); err != nil {
			return err
		}
		return t.updateFinalized(a)
	})
}

// unchanged returns the row of an attempt, [ErrChanged] when its decisions or its mismatch are not those that
// were seen, or a [*TakenError].
func (t *writeTx) unchanged(seen Attempt) (*row, error) {
	a, err := t.byID(seen.ID)
	switch {
	case err != nil:
	case !a.hasSameDecisions(seen):
		err = ErrChanged
	case a.Lease.ByAnother():
		err = &TakenError{a.Lease}
	}
	return a, err
}

// hasSameDecisions reports whether two readings of an attempt ask a person the same.
func (a Attempt) hasSameDecisions(o Attempt) bool {
	m, n := a.Mismatch, o.Mismatch
	return a.Decision == o.Decision && a.DecidedAt.Equal(o.DecidedAt) &&
		m.Difference == n.Difference && m.AgreesAt.IsZero() == n.AgreesAt.IsZero() &&
		m.Decision == n.Decision && m.DecidedAt.Equal(n.DecidedAt)
}

// decide writes a decision, and its event; as is what was found, and was what had been found.
func (t *writeTx) decide(r *row, v Decision, as, was string) error {
	if !r.DecidedAt.IsZero() {
		before := detailOf(r.Decision, was) + " at " + r.DecidedAt.UTC().Format(time.RFC3339) + " by " + r.DecidedBy.String()
		r.DecidedBefore = strings.TrimSuffix(before+"; "+r.DecidedBefore, "; ")
	}
	r.Decision, r.DecidedBy, r.DecidedAt = v, t.j.opts.Operator, t.now
	if err := t.update(r); err != nil {
		return err
	}
	detail := detailOf(v, as)
	return t.addEvent(r, Event{What: Decided, Detail: detail, Source: FromPerson})
}

// detailOf words a decision, and what was found.
func detailOf(v Decision, as string) string {
	switch {
	case v == Undecided:
		return takenBack
	case v == Found && as != "":
		return string(v) + " as " + as
	}
	return string(v)
}

// decideFollowing records that a payment under way is no longer followed, or is followed again. What was
// found stays found.
func (t *writeTx) decideFollowing(a *row, v Decision) error {
	was := a.found()
	switch {
	case v == a.Decision:
		return errRecorded
	case v == NotFollowed && !a.UnderWay():
		return rejected("There is nothing to decide: this payment is not in progress.")
	case v == Undecided && a.Outcome == Unresolved:
		v = Found
	}
	return t.decide(a, v, was, was)
}

// wasFound reports whether a person has found what the attempt did.
func (r *row) wasFound() bool {
	return r.Decision == Found || r.Decision == NotFollowed && r.Outcome == Unresolved
}

// found is the reference or the alias that an attempt was found as.
func (r *row) found() string {
	if !r.wasFound() {
		return ""
	}
	return kinds[r.Kind].found(r)
}

// forgetFound removes what was found from an attempt that was decided to be found.
func (r *row) forgetFound() {
	if r.wasFound() {
		kinds[r.Kind].forget(r)
	}
}

// forgetPayment removes all that is about the payment of a reference. The events stay.
func (r *row) forgetPayment() {
	r.Reference, r.Status, r.StatusAt = "", api.Status{}, time.Time{}
	r.BankAuth, r.Challenged, r.Account = api.Address{}, false, nil
	r.CustomerDone, r.Finalized, r.FinalizeUnresolvedAt = false, false, time.Time{}
	r.Mismatch, r.Fees, r.Total = Mismatch{}, 0, 0
}

// decisionRules say what each decision about an unresolved attempt needs.
var decisionRules = map[Decision]func(*writeTx, *row, api.Reference) error{
	Undecided: func(*writeTx, *row, api.Reference) error { return nil },
	GaveUp:    func(*writeTx, *row, api.Reference) error { return nil },
	NotFound: func(t *writeTx, a *row, _ api.Reference) error {
		switch {
		case t.j.mayStillSend(a):
			return stillSending(a)
		case t.now.Before(a.At.Add(NotFoundAfter)), a.sender.isYoungerThan(NotFoundAfter, t.j.self):
			return ErrTooEarly
		}
		return nil
	},
	Found: func(t *writeTx, a *row, r api.Reference) error { return kinds[a.Kind].checkFound(t, a, r) },
}

// stillSending is the error of a decision about an attempt that [Journal.mayStillSend].
func stillSending(a *row) error {
	return rejected("Nothing was recorded: the console that recorded this attempt (process " + strconv.FormatInt(a.sender.pid, 10) +
		") still runs, perhaps stopped, and may send it when it goes on. End it first.")
}

var errRecorded = rejected("That is what is recorded already.")

// checkDecision rejects a decision that does not fit the attempt.
func (t *writeTx) checkDecision(a *row, v Decision, r api.Reference) error {
	rule, known := decisionRules[v]
	switch {
	case a.Outcome != Unresolved:
		return rejected("There is nothing to decide: the outcome of this attempt is known, or the service has not answered yet.")
	case !known:
		return rejected("Decide that it was found, was not found, or is given up.")
	case v == a.Decision && v != Found:
		return errRecorded
	}
	return rule(t, a, r)
}

// checkFoundPayment rejects a reference that cannot be that of the payment.
func (t *writeTx) checkFoundPayment(a *row, r api.Reference) error {
	if a.Decision == Found && r == a.Reference {
		return errRecorded
	}
	if parsed, err := api.ParseReference(string(r)); err != nil || parsed != r {
		return rejected("Enter the reference of the payment you found.")
	}
	if err := rejectCardNumber(string(r)); err != nil {
		return err
	}
	others, err := t.bySpelling(a.Destination, r)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(ofKind(others, Initiate), func(o *row) bool { return o.n != a.n }) {
		return rejected("Another attempt has this reference already.")
	}
	return nil
}

// takenBack is the [Event.Detail] of a decision that was taken back.
const takenBack = "taken back"
