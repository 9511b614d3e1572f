package ledger

import (
	"slices"
	"strconv"

	"paydesk/api"
)

// Decide returns the facts of what a person decided about an attempt. seen is the attempt as the person saw it: where another
// answer or decision has arrived since, the error is [ErrChanged], and where another person has taken it a [*TakenError].
//
// concerned are the attempt, and for [Found] all that have what was found. A decision about an unresolved attempt may
// replace the one before, and [Undecided] takes the last one back. [Found] of a payment needs its reference, and the
// payment is then under way; that of a link needs its alias. After another decision, what was found is no longer this
// attempt's. [NotFollowed] is for a payment under way, which [Undecided] follows again; [AnswerRight], [AsAsked],
// [NotOurs] and [AskAgain] are for its mismatch. The error of [NotFound] is [ErrTooEarly] within [NotFoundAfter] of the sending.
func (c Console) Decide(seen Attempt, d Deciding, concerned []Entry) ([]Fact, error) {
	e, err := c.withID(concerned, seen.ID)
	switch {
	case err != nil:
		return nil, err
	case !e.hasSameDecisions(seen):
		return nil, ErrChanged
	case e.Lease.ByAnother():
		return nil, &TakenError{e.Lease}
	}
	if err := c.checkDecision(e, d, concerned); err != nil {
		return nil, err
	}
	return c.withLookup(e, concerned, c.Fact(e.ID, d)), nil
}

// hasSameDecisions reports whether two readings of an attempt ask a person the same question. One that was still being sent
// asked none.
func (a Attempt) hasSameDecisions(o Attempt) bool {
	m, n := a.Mismatch, o.Mismatch
	return a.Outcome == o.Outcome && a.Decision == o.Decision && a.DecidedAt.Equal(o.DecidedAt) &&
		m.Difference == n.Difference && m.AgreesAt.IsZero() == n.AgreesAt.IsZero() &&
		m.Decision == n.Decision && m.DecidedAt.Equal(n.DecidedAt)
}

// checkDecision rejects a decision that does not fit the attempt.
func (c Console) checkDecision(e Entry, d Deciding, concerned []Entry) error {
	_, differs := mismatchDecisions[d.Decision]
	rule, known := decisionRules[d.Decision]
	switch err := e.Decides(d.Decision); {
	case err != nil || differs:
		return err
	case !known:
		return Rejected("Decide that it was found, was not found, or is given up.")
	case d.Decision == e.Decision && (d.Decision != Found || d.As == e.found() || e.Kind == Finalize):
		return errRecorded
	}
	return rule(c, e, d, concerned)
}

// Decides rejects a decision that there is nothing to decide by.
func (a Attempt) Decides(d Decision) error {
	switch _, differs := mismatchDecisions[d]; {
	case differs && a.Mismatch.IsZero():
		return Rejected("There is nothing to decide: no answer about this attempt differs from what was asked.")
	case !differs && a.Outcome != Unresolved && !a.aboutFollowing(d): // also while it is being sent: the answer may still come
		return errNothingToDecide
	}
	return nil
}

// decisionRules say what each decision about an unresolved attempt, or about a payment under way, needs.
var decisionRules = map[Decision]func(Console, Entry, Deciding, []Entry) error{
	Undecided: func(Console, Entry, Deciding, []Entry) error { return nil },
	GaveUp:    func(Console, Entry, Deciding, []Entry) error { return nil },
	NotFound: func(c Console, e Entry, _ Deciding, _ []Entry) error {
		switch {
		case c.mayStillSend(e):
			return Rejected("The console that recorded this attempt (process " + strconv.FormatInt(e.Sender.PID, 10) +
				") still runs, perhaps stopped, and may send it when it goes on. End it first.")
		case c.Now.Before(e.At.Add(NotFoundAfter)), c.Senders.StartedWithin(e.Sender, NotFoundAfter):
			return ErrTooEarly
		}
		return nil
	},
	Found: func(_ Console, e Entry, d Deciding, concerned []Entry) error {
		return e.checkFoundAs(d.As, concerned)
	},
	NotFollowed: func(_ Console, e Entry, _ Deciding, _ []Entry) error {
		if !e.UnderWay() {
			return Rejected("There is nothing to decide: this payment is not in progress.")
		}
		return nil
	},
}

// checkFoundAs rejects a name that cannot belong to what an attempt made.
func (e Entry) checkFoundAs(name string, concerned []Entry) error {
	rules := kinds[e.Kind]
	if e.Kind == Finalize { // it has its payment's reference
		return nil
	}
	if read, err := rules.parse(name); err != nil || read != name {
		return Rejected("Enter the " + rules.name + " of the " + rules.noun + " you found.")
	}
	if err := rejectCardNumber(name); err != nil {
		return err
	}
	has := func(o Entry) bool {
		return o.ID != e.ID && o.Kind == e.Kind && isSpelledAs(rules.found(o), name) && o.IsSameService(e.Destination)
	}
	if i := slices.IndexFunc(concerned, has); i >= 0 {
		return Rejected("Attempt " + string(concerned[i].ID) + " has this " + rules.name + " already.")
	}
	return nil
}

// setFoundLink notes a link as it was asked for.
func (e *Entry) setFoundLink(d Deciding) {
	e.Link = api.Alias(d.As)
	e.CreatedLink = &api.Link{
		Name: api.Clean(e.Draft.Name), Description: api.Clean(e.Draft.Description), Alias: e.Link, Page: d.Page,
		Amount: e.Amount, HasAmount: !e.Amount.Currency.IsZero(),
		Type: api.Clean(e.Draft.Type.String()), AmountType: e.Draft.AmountType,
	}
}

// Read returns the facts that a person has read how the link with an alias differs from the request: one for each
// creation among those concerned that must be read.
func (c Console) Read(d Destination, alias api.Alias, concerned []Entry) (all []Fact) {
	for _, e := range concerned {
		if e.isLink(alias) && e.IsSameService(d) && e.MustBeRead() {
			all = append(all, c.Fact(e.ID, Deciding{Decision: DifferenceRead}))
		}
	}
	return all
}
