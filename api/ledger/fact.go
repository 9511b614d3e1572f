package ledger

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// A Fact is one thing that happened to an attempt, or to a payment that was made elsewhere.
type Fact struct {
	Number int64 // in the ledger; 0 before it is recorded
	Of     ID
	At     time.Time
	By     Operator // of the console that states it
	What   Happening

	// Open are the attempts like a [Sending] one that may be duplicates of the next one: see [Console.Begin].
	Open []ID

	// An answer that was given again, with nothing new in it, is one fact: Until tells when it was last given, and Times how
	// often.
	Until time.Time
	Times int
}

// A Happening is the content of a fact: [Sending], [Answered], [Checked], [Challenged], [CustomerDone], [Deciding], [Taking],
// [Releasing], [Noticed], [Pinned] or [Unpinned].
type Happening interface {
	// name is the kind of fact in the ledger.
	name() string
	// fold changes an entry, and returns what the fact adds to its history.
	fold(*Entry, Fact) []Event
}

// Fact is that something happened to an attempt now.
func (c Console) Fact(of ID, what Happening) Fact {
	return Fact{Of: of, At: c.Now, By: c.Operator, What: what, Until: c.Now, Times: 1}
}

// fold adds a fact to its entry.
func (f Fact) fold(e *Entry) []Event {
	if !f.MayState(*e) {
		return nil
	}
	all := f.What.fold(e, f)
	for i := range all {
		all[i].By, all[i].Times, all[i].Detail = f.By, 1, Stored(all[i].Detail)
		if all[i].At.IsZero() {
			all[i].At = f.At
		}
	}
	if f.Times > 1 && f.IsAnswer() {
		for _, again := range f.What.fold(e, f.last()) {
			if i := lastOf(all, again.What); i >= 0 {
				all[i].Until, all[i].Times = f.Until, f.Times
			}
		}
	}
	return all
}

// last is a fact when it was last stated.
func (f Fact) last() Fact {
	f.At = f.Until
	return f
}

// Fold returns what facts about one entry, in their order, amount to, and its history. What an attempt has from others
// with its reference is not in it: see [Apply].
func Fold(facts []Fact) (e Entry, history []Event) {
	history = e.Add(nil, facts...)
	return e, history
}

// Add changes an entry by more facts, and adds them to its history.
func (e *Entry) Add(history []Event, facts ...Fact) []Event {
	for _, f := range facts {
		for _, event := range f.fold(e) {
			history = withEvent(history, event)
		}
	}
	return history
}

// A Folded is an entry that a fact has changed. The fact is nil where the change follows from one about another entry.
type Folded struct {
	*Entry
	Fact *Fact
}

// Apply changes entries by the facts about them, and by what follows from these: a finalize is part of the payment
// with its reference, so entries must have all that have the references concerned. The first fact of an entry makes it;
// facts about others that are not there are left out.
func Apply(entries []*Entry, facts ...Fact) (all []Folded) {
	for _, f := range facts {
		i := slices.IndexFunc(entries, func(e *Entry) bool { return e.ID == f.Of })
		if i < 0 {
			if !f.isFirst() {
				continue
			}
			i, entries = len(entries), append(slices.Clip(entries), new(Entry))
		}
		e := entries[i]
		wasFinal := e.Status.State.Final()
		f.fold(e)
		all = append(all, Folded{e, &f})
		all = append(all, finalize(entries, e)...)
		_, checked := f.What.(Checked)
		if e.Kind != Finalize && e.Status.State.Final() && (!wasFinal || checked && e.Kind == Known) {
			all = append(all, Apply(entries, Console{Now: f.At, Operator: f.By}.prove(e.Destination, e.Reference, e.Status, entries)...)...)
		}
	}
	return all
}

// isFirst reports whether a fact begins an entry.
func (f Fact) isFirst() bool {
	switch f.What.(type) {
	case Sending, Noticed:
		return true
	}
	return false
}

// prove returns the outcomes that the final status of a payment proves of its unresolved finalizes.
func (c Console) prove(d Destination, r api.Reference, final api.Status, concerned []*Entry) (all []Fact) {
	proven := Result{Outcome: Refused, Why: "the payment is " + final.State.String()}
	if final.State == api.Successful {
		proven.Outcome = Accepted
	}
	for _, e := range concerned {
		if e.Kind == Finalize && e.concerns(d, r) && e.IsUnresolved() {
			all = append(all, c.Fact(e.ID, Answered{proven, FromCheck}))
		}
	}
	return all
}

// finalize brings the payments of a reference up to date with all their finalizes. of is one of them, or the payment.
func finalize(entries []*Entry, of *Entry) (all []Folded) {
	for _, p := range entries {
		if p.Kind == Initiate && p.concerns(of.Destination, of.Reference) && p.FinalizedBy(entries) {
			all = append(all, Folded{p, nil})
		}
	}
	return all
}

// FinalizedBy brings a payment up to date with its finalizes, all of which must be among the entries, and reports
// whether that changed it.
func (e *Entry) FinalizedBy(entries []*Entry) (changed bool) {
	var lost time.Time
	finalized := false
	for _, f := range entries {
		if f.Kind == Finalize && f.concerns(e.Destination, e.Reference) {
			finalized = finalized || f.finalized()
			if at := f.lostAt(); at.After(lost) {
				lost = at
			}
		}
	}
	changed = e.Finalized != finalized || !e.FinalizeUnresolvedAt.Equal(lost)
	e.Finalized, e.FinalizeUnresolvedAt = finalized, lost
	return changed
}

// Sending is that an attempt was recorded, to be sent next. It is the first fact of an attempt.
type Sending Entry

func (s Sending) fold(e *Entry, f Fact) []Event {
	*e = Entry(s)
	e.ID, e.Outcome, e.By.Login = f.Of, Sent, f.By.Login // which it cannot choose
	return []Event{{What: string(Sent), Source: FromConsole}}
}

// Answered is that an attempt has an outcome, from the answer to it or from what proves it.
type Answered struct {
	Result
	Source string `json:"source,omitzero"`
}

// A Result is the outcome of an attempt, and what the service returned.
type Result struct {
	Outcome Outcome      `json:"outcome,omitzero"`
	Why     string       `json:"why,omitzero"`     // in our words, cleaned, at most 200 bytes
	Payment *api.Payment `json:"payment,omitzero"` // of an accepted [Initiate]
	Link    *api.Link    `json:"link,omitzero"`    // of an accepted [CreateLink]
	Named   string       `json:"named,omitzero"`   // of an unresolved attempt: see [Attempt.Named]
}

// Name returns the reference or the alias in an accepted result; "" where it has none.
func (r Result) Name() string {
	switch {
	case r.Outcome != Accepted:
		return ""
	case r.Payment != nil:
		return string(r.Payment.Reference)
	case r.Link != nil:
		return string(r.Link.Alias)
	}
	return ""
}

// MayState reports whether a fact counts. An entry is begun once. What became of an attempt is for its sender to say,
// unless it is that it is not known, or follows from the status of the payment that is finalized, and is never less than
// what is known; a person may find that nothing became of it once it is old enough.
func (f Fact) MayState(e Entry) bool {
	switch what := f.What.(type) {
	case Sending, Noticed:
		return e.ID == ""
	case Answered:
		return certainty[what.Outcome] > certainty[e.Outcome] &&
			(!IsKnown(what.Outcome) || f.By.Login == e.By.Login || what.Source == FromCheck && e.Kind == Finalize)
	case Deciding:
		return what.Decision != NotFound || !f.At.Before(e.At.Add(NotFoundAfter))
	}
	return true
}

func (a Answered) fold(e *Entry, f Fact) (all []Event) {
	e.Outcome, e.AnsweredAt, e.Why, e.Named = a.Outcome, f.At, a.Why, a.Named
	paid, made := a.Payment, a.Link
	if a.Outcome != Accepted {
		paid, made = nil, nil
	}
	if made != nil {
		e.Link, e.CreatedLink = made.Alias, inEnvironment(*made, e.Environment)
	}
	if paid != nil {
		e.setPayment(paid)
	}
	all = append(all, Event{What: string(e.Outcome), Detail: cmp.Or(e.Why, string(e.Reference)), Source: a.Source})
	if made != nil {
		for _, d := range e.CreatedLink.Differs {
			all = append(all, Event{What: Differed, Detail: d.String(), Source: string(CreateLink)})
		}
	}
	if paid == nil {
		return all
	}
	if !paid.BankAuthRefused.Empty() {
		all = append(all, Event{What: URLRefused, Detail: paid.BankAuthRefused.Line(0), Source: FromInitiation})
	}
	all = append(all, e.compared(paid.Difference, money.Amount{}, FromInitiation, f.At)...)
	e.keepStatus(paid.Status, f)
	return append(all, StatusEvent(paid.Status, FromInitiation, f.At))
}

// inEnvironment adds to the differences of a link that the service reports another environment than
// the one it was created in. The gate knows that only until the console ends.
func inEnvironment(l api.Link, declared string) *api.Link {
	if l.InOtherEnvironment(declared) {
		l.Differs = append(slices.Clip(l.Differs), api.LinkDifference{
			Part: api.Clean("environment"), Asked: api.Clean(declared), Answered: l.Environment,
		})
	}
	return &l
}

// Checked holds what the status endpoint answered about a payment. An answer that differs from what was asked is a
// mismatch; one for another payment says nothing about the status of this one. A final status is never replaced. Of a payment
// that was made elsewhere, the first answer that states an amount says what it is for.
type Checked struct{ api.PaymentStatus }

func (c Checked) fold(e *Entry, f Fact) (all []Event) {
	source := FromCheck
	if e.Kind == Known {
		source = FromLookup
		if e.AnsweredAt.IsZero() {
			e.At, e.By = f.At, f.By
		}
		e.AnsweredAt = f.At
	}
	c.PaymentStatus = c.For(e.Asked())
	differs, own := c.Compare(e.Asked()), e.StatusLogin == f.By.Login
	all = e.compared(differs, c.Amount, source, f.At)
	if differs.What&api.ReferenceDiffers != 0 {
		return all
	}
	e.keepStatus(c.Status, f)
	if e.Kind == Known && c.HasAmount && e.Amount.Currency.IsZero() {
		e.Amount = c.Amount
	}
	if paid := c.Paid().In(e.Amount.Currency); !paid.IsZero() && (own || exceeds(paid, e.Received)) {
		e.Received = paid
	}
	if c.Status.State == e.Status.State { // its status stands
		e.AmountUnstated = e.Status.State == api.Successful && !c.HasAmount
	}
	return append(all, StatusEvent(c.Status, source, f.At))
}

// exceeds reports whether an amount that was received is more than another, as far as they can be compared. An amount stated
// by another login than the one that told the status counts only if it is more: one that is too low could release the next payment.
func exceeds(paid, before api.Reported) bool {
	if !before.Brought() {
		return true
	}
	return paid.Amount.Currency == before.Amount.Currency && paid.Amount.Minor > before.Amount.Minor
}

// Challenged is that the bank's check asked the customer to authorise. PENDING from before nothing was asked of them is
// not their answer: until the service says it again, the status is not known.
type Challenged struct{}

func (Challenged) fold(e *Entry, f Fact) []Event {
	if !e.CustomerInvolved() && e.Status.State == api.Pending {
		e.Status, e.StatusAt, e.StatusLogin = api.Status{}, time.Time{}, ""
	}
	e.Challenged = true
	return []Event{{What: AskedToCheck, Source: FromBankCheck, Until: f.At}}
}

// CustomerDone is that the operator confirmed that the customer has done their part.
type CustomerDone struct{}

func (CustomerDone) fold(e *Entry, f Fact) []Event {
	e.CustomerDone = true
	return []Event{{What: Done, Source: FromPerson, Until: f.At}}
}

// Deciding tells what a person decided about an attempt.
type Deciding struct {
	Decision Decision    `json:"decision,omitzero"`
	As       string      `json:"as,omitzero"`   // of [Found]: the reference, or the alias of the link
	Page     api.Address `json:"page,omitzero"` // of a link that was found; zero when it is not known
}

func (d Deciding) fold(e *Entry, f Fact) []Event {
	e.TakenAt, e.TakenBy = time.Time{}, Operator{}
	if kept, is := mismatchDecisions[d.Decision]; is {
		e.Mismatch.Decision, e.Mismatch.DecidedBy, e.Mismatch.DecidedAt = kept, f.By, f.At
		return []Event{{What: Decided, Detail: string(d.Decision), Source: FromPerson}}
	}
	was, v, as := e.found(), d.Decision, d.As
	switch {
	case v == DifferenceRead:
	case e.aboutFollowing(v): // what was found stays found
		if as = was; v == Undecided && e.Outcome == Unresolved {
			v = Found
		}
	default:
		if e.WasFound() {
			kinds[e.Kind].forget(e)
		}
		if v == Found {
			kinds[e.Kind].setFound(e, d)
		}
	}
	if !e.DecidedAt.IsZero() {
		before := detailOf(e.Decision, was) + " at " + e.DecidedAt.UTC().Format(time.RFC3339) + " by " + e.DecidedBy.String()
		e.DecidedBefore = strings.TrimSuffix(before+"; "+e.DecidedBefore, "; ")
	}
	e.Decision, e.DecidedBy, e.DecidedAt = v, f.By, f.At
	return []Event{{What: Decided, Detail: detailOf(v, as), Source: FromPerson}}
}

// aboutFollowing reports whether a decision is that a payment under way is no longer followed, or followed again.
func (a Attempt) aboutFollowing(v Decision) bool {
	return v == NotFollowed || v == Undecided && a.Decision == NotFollowed
}

// TakenBack is the [Event.Detail] of a decision that was taken back.
const TakenBack = "taken back"

// detailOf words a decision, and what was found.
func detailOf(v Decision, as string) string {
	switch {
	case v == Undecided:
		return TakenBack
	case v == Found && as != "":
		return string(v) + " as " + as
	}
	return string(v)
}
