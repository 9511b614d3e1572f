package ledger

import (
	"slices"

	"paydesk/api"
)

// certainty orders outcomes by how much is known.
var certainty = map[Outcome]int{Sent: 0, Unresolved: 1, NotSent: 2, Refused: 2, Accepted: 3}

// IsKnown reports whether an outcome leaves nothing to find out.
func IsKnown(o Outcome) bool { return certainty[o] > certainty[Unresolved] }

// End returns the facts that the attempt with an ID has an outcome; none when at least as much is known. A more certain
// outcome is never replaced by a less certain one: accepted stays accepted, and a known outcome never becomes unresolved.
//
// One reference is one payment, and one alias one link. concerned are the attempt, and all that have the reference or
// the alias in the answer, or whose answer named it: an accepted result with those of another attempt is recorded as
// unresolved, and taken says so.
func (c Console) End(id ID, result Result, concerned []Entry) (facts []Fact, taken *api.Unresolved, err error) {
	e, err := c.withID(concerned, id)
	if err != nil {
		return nil, nil, err
	}
	if taken = e.taken(result, concerned); taken != nil {
		result = Result{Outcome: Unresolved, Why: taken.Detail.Line(0), Named: taken.Named.Line(0)}
	}
	if certainty[result.Outcome] > certainty[e.Outcome] {
		if e.By.Login != c.Operator.Login && IsKnown(result.Outcome) {
			return nil, nil, ErrNotSender
		}
		result.Why, result.Named = Stored(result.Why), Stored(result.Named)
		facts = c.withLookup(e, concerned, c.Fact(id, Answered{result, FromConsole}))
	}
	return facts, taken, nil
}

// withID is the entry with an ID and its lease, or [ErrNotFound].
func (c Console) withID(entries []Entry, id ID) (Entry, error) {
	i := slices.IndexFunc(entries, func(e Entry) bool { return e.ID == id })
	if i < 0 {
		return Entry{}, ErrNotFound
	}
	e := entries[i]
	e.Lease = c.lease(e)
	return e, nil
}

// taken returns what is wrong with an accepted result whose reference or alias another attempt has; nil
// when none has it.
func (e Entry) taken(r Result, concerned []Entry) *api.Unresolved {
	name := r.Name()
	i := slices.IndexFunc(concerned, func(o Entry) bool { return o.ID != e.ID && o.IsSameService(e.Destination) && o.claims(e.Kind, name) })
	if i < 0 {
		return nil
	}
	return &api.Unresolved{Kind: api.KindSchema, Named: api.Clean(name), Detail: api.Clean("The answer has the " + kinds[e.Kind].name +
		" " + api.Reference(name).String() + ", which attempt " + string(concerned[i].ID) + " has already. One of the two must be wrong.")}
}

// claims reports whether an attempt of a kind has made what has a name, or the answer to a payment named it.
func (e Entry) claims(k Kind, name string) bool {
	return name != "" && e.Kind == k && (isSpelledAs(kinds[k].found(e), name) || k == Initiate && e.IsUnresolved() && isSpelledAs(e.Named, name))
}

// isLink reports whether an attempt created the link with an alias.
func (e Entry) isLink(a api.Alias) bool { return e.CreatedLink != nil && isSpelledAs(e.Link, a) }
