package ledger

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"paydesk/api"
)

// Begin returns the fact that an attempt is about to be sent: the first of its facts. It may be sent once that is
// recorded.
//
// concerned are, at the service where it is sent: for a payment or a link those of the same kind and amount, and the
// creations of the link that is paid; for a finalize all that have its reference. The error is a [*Duplicate] where some
// of them resemble it and are not in allowed, or a [*FinalizeConflict]; it is a rejection of a payment through a link
// that [Attempt.MustBeRead], and of a kind without rules.
func (c Console) Begin(e Entry, concerned []Entry, allowed []ID) (Fact, error) {
	rules, known := kinds[e.Kind]
	if !known {
		return Fact{}, errNoKind
	}
	e = e.toSend()
	e.At, e.By, e.Sender, e.Outcome = c.Now, c.Operator, c.Process, Sent
	for i := range concerned {
		concerned[i] = c.AsSeen(concerned[i])
	}
	concerned = withoutDoubtfulFailures(concerned)
	if err := rules.conflict(c, &e, concerned, allowed); err != nil {
		return Fact{}, err
	}
	fact := c.Fact(e.ID, Sending(e))
	for _, o := range concerned {
		if o.Alike() == e.Alike() && c.isOpen(o, OpenWithin) {
			fact.Open = append(fact.Open, o.ID)
		}
	}
	return fact, nil
}

// withoutDoubtfulFailures takes the failure from payments about which an answer differed before it was known that they were
// made here: what was charged is not known.
func withoutDoubtfulFailures(concerned []Entry) []Entry {
	all := slices.Clone(concerned)
	for _, k := range concerned {
		if k.Kind != Known || k.Mismatch.IsZero() {
			continue
		}
		for i := range all {
			if o := &all[i]; o.Kind == Initiate && o.concerns(k.Destination, k.Reference) && o.failed() {
				o.Status = api.Status{}
			}
		}
	}
	return all
}

// OpenWithin limits how long an attempt is named by the next one like it, whatever became of it: the clocks of consoles differ,
// by less than twenty minutes.
const OpenWithin = 3 * DuplicateWithin

// Alike returns what attempts that may be duplicates have in common; "" for a kind that has none. Only attempts that a
// [Sending] fact names as open, and those of facts that were added since the last [Sending] with the same, may be duplicates.
func (e Entry) Alike() string {
	if e.Kind != Initiate && e.Kind != CreateLink {
		return ""
	}
	return strings.Join([]string{e.Environment, string(e.Kind), e.Amount.Currency.Code(), strconv.FormatInt(e.Amount.Minor, 10)}, " ")
}

// Name returns what others may have in common with an entry: the reference, or the alias, that it has or that its answer
// named, whatever the case of their letters.
func (e Entry) Name() string {
	name := cmp.Or(string(e.Reference), e.Named)
	if e.CreatedLink != nil {
		name = string(e.Link)
	}
	return api.LowerASCII(name)
}

// toSend returns an entry with nothing but what is known before it is sent, fit to be recorded.
func (e Entry) toSend() Entry {
	a := e.Attempt
	kept := Attempt{
		ID: a.ID, Kind: a.Kind, Destination: a.Destination.Stored(), Amount: a.Amount, Channel: Stored(a.Channel),
		Link: api.Alias(Stored(string(a.Link))), Card: lastFour(a.Card), OwnReference: Stored(a.OwnReference), Draft: a.Draft,
	}
	if a.Kind == Finalize {
		kept.Reference = a.Reference
	}
	kept.Draft.Name, kept.Draft.Description = Stored(a.Draft.Name), Stored(a.Draft.Description)
	return Entry{Attempt: kept, Payer: e.Payer}
}

// rejectUnread rejects a payment through a link that must be read.
func (e *Entry) rejectUnread(concerned []Entry) error {
	unread := func(l Entry) bool {
		return l.CreatedLink != nil && isSpelledAs(l.Link, e.Link) && l.IsSameService(e.Destination) && l.MustBeRead()
	}
	if e.Link != "" && slices.ContainsFunc(concerned, unread) {
		return Rejected("This link differs from what was asked for. " +
			"Open it among the links and read how before you collect with it.")
	}
	return nil
}
