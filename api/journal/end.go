package journal

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// A pendingOutcome is an outcome that could not be written when it arrived. It is written
// before anything else as soon as the journal can be written again.
type pendingOutcome struct {
	id     ID
	result Result
	at     time.Time
	kept   bool // in a file
}

// deferOutcome keeps an outcome in a file and in memory until [writeTx.flush] can write it.
func (j *Journal) deferOutcome(d pendingOutcome) {
	j.sem <- struct{}{}
	defer j.unlock()
	d.kept = j.spool(d)
	j.pending = append(slices.Clip(j.pending), d)
	j.late.waiting.Store(int64(len(j.pending)))
}

// lateOutcomes are counts of outcomes that could not be written when they arrived.
type lateOutcomes struct{ waiting, written, strange atomic.Int64 }

// LateOutcomes are how many outcomes could not be written yet, and how many were written later, since this console
// began. It does no I/O.
func (j *Journal) LateOutcomes() (waiting, written int) {
	return int(j.late.waiting.Load()), int(j.late.written.Load())
}

// UnkeptOutcomes returns the attempts that were sent and whose outcomes are in no file, neither the journal nor one where
// they wait: this process alone knows them. It tries to write them once more.
func (j *Journal) UnkeptOutcomes(ctx context.Context) (all []ID) {
	if j.late.waiting.Load() == 0 {
		return nil
	}
	_ = j.read(ctx, func(*readTx) error { return nil }) // it writes what waits
	j.sem <- struct{}{}
	defer j.unlock()
	for _, p := range j.pending {
		if !p.kept && p.result.Outcome != NotSent {
			all = append(all, p.id)
		}
	}
	return all
}

// StrangeOutcomes are how many outcomes wait in files of attempts that the journal does not have: it was restored from a backup, or is another one than they were sent from. It does no I/O.
func (j *Journal) StrangeOutcomes() int { return int(j.late.strange.Load()) }

// End records the outcome of an attempt. A more certain outcome is never replaced by a less
// certain one: accepted stays accepted, and a known outcome never becomes unresolved. When
// the journal cannot be written the error is an [*Unavailable], and the outcome waits in a
// file, or where even that fails in memory ([Journal.UnkeptOutcomes]), and is written before anything else.
//
// One reference is one payment, and one alias one link: an accepted result with those of another
// attempt is recorded as unresolved, and the error is an [*api.Unresolved] that says so.
func (j *Journal) End(ctx context.Context, id ID, result Result) error {
	ctx = context.WithoutCancel(ctx) // it has happened, even if the caller no longer waits
	at := j.opts.Now()
	var taken *api.Unresolved
	end := func(on []string) error {
		return j.writeOn(ctx, on, func(t *writeTx) (err error) {
			at = t.now
			if on != nil && t.isFoundAsAnother(id, result) {
				return errWider
			}
			taken, err = t.end(id, result, t.now)
			return err
		})
	}
	err := end(endOn(id, result))
	if err == errWider {
		err = end(nil)
	}
	if err != nil && !isRejection(err) {
		j.deferOutcome(pendingOutcome{id: id, result: result, at: at})
	}
	if err == nil && taken != nil {
		return taken
	}
	j.noteEnd(id, result.Outcome)
	return err
}

// endOn is what [Journal.End] asks about: the attempt, and who else has the reference or the alias in its answer. Any
// other outcome may be that of a finalize, or name a reference.
func endOn(id ID, a Result) []string {
	switch {
	case a.Outcome != Accepted:
	case a.Payment != nil && a.Payment.Reference != "":
		return []string{"attempt " + string(id), paymentOn(a.Payment.Reference)}
	case a.Link != nil && a.Link.Alias != "":
		return []string{"attempt " + string(id), "link " + strings.ToLower(string(a.Link.Alias))}
	}
	return nil
}

// errWider is that a write turned out to be about more than was named.
var errWider = rejected("it is about another payment too")

// isFoundAsAnother reports whether an attempt was found as another payment than the one in its answer.
func (t *writeTx) isFoundAsAnother(id ID, a Result) bool {
	r, err := t.byID(id)
	return err == nil && r.found() != "" && (a.Payment == nil || r.Reference != a.Payment.Reference)
}

// paymentOn is all that is asked about the payment of a reference, whatever the case of its letters.
func paymentOn(r api.Reference) string { return "payment " + strings.ToLower(string(r)) }

// certainty orders outcomes by how much is known.
var certainty = map[Outcome]int{Sent: 0, Unresolved: 1, NotSent: 2, Refused: 2, Accepted: 3}

func (t *writeTx) end(id ID, a Result, at time.Time) (taken *api.Unresolved, err error) {
	r, err := t.byID(id)
	if err != nil {
		return nil, err
	}
	if taken, err = t.taken(r, a); err != nil {
		return nil, err
	}
	if taken != nil {
		a = Result{Outcome: Unresolved, Why: taken.Detail.Line(0), Named: taken.Named.Line(0)}
	}
	if certainty[a.Outcome] <= certainty[r.Outcome] {
		return taken, nil
	}
	return taken, t.setOutcome(r, a, at)
}

// taken is what is wrong with an accepted result whose reference or alias another attempt has; nil
// when none has it.
func (t *writeTx) taken(r *row, a Result) (*api.Unresolved, error) {
	var same []*row
	var err error
	var named, what string
	switch {
	case a.Outcome != Accepted:
	case a.Payment != nil:
		named, what = string(a.Payment.Reference), "reference"
		same, err = t.claimants(r.Destination, a.Payment.Reference)
	case a.Link != nil && a.Link.Alias != "":
		named, what = string(a.Link.Alias), "alias"
		same, err = t.byAlias(r.Destination, a.Link.Alias)
	}
	for _, other := range same {
		if other.n != r.n {
			return &api.Unresolved{Kind: api.KindSchema, Named: api.Clean(named), Detail: api.Clean("The answer has the " + what +
				" " + named + ", which attempt " + string(other.ID) + " has already. One of them is not what it seems.")}, nil
		}
	}
	return nil, err
}

// claimants returns the payments that have a reference, and the unresolved ones whose answer named it.
func (t *readTx) claimants(d Destination, ref api.Reference) ([]*row, error) {
	have, err := t.bySpelling(d, ref)
	if err != nil {
		return nil, err
	}
	named, err := t.attempts("INDEXED BY attempts_unknown WHERE outcome = 'unresolved' AND verdict = '' AND kind = 'initiate'"+
		" AND named = ? COLLATE NOCASE AND "+atService+newestFirst, append([]any{string(ref)}, d.args()...)...)
	return append(ofKind(have, Initiate), named...), err
}

// setOutcome records an outcome that is more certain than the last.
func (t *writeTx) setOutcome(r *row, a Result, at time.Time) error {
	r.Outcome, r.AnsweredAt, r.Why, r.Named = a.Outcome, at, sanitize(a.Why), sanitize(a.Named)
	if a.Outcome == Accepted && a.Link != nil {
		r.Link, r.CreatedLink = a.Link.Alias, inEnvironment(*a.Link, r.Environment)
	}
	if a.Outcome != Accepted || a.Payment == nil {
		return t.saveLink(r, at)
	}
	r.setPayment(a.Payment, at)
	if err := t.saveOutcome(r, at, FromConsole); err != nil {
		return err
	}
	if refused := a.Payment.BankAuthRefused; !refused.Empty() {
		if err := t.addEvent(r, Event{At: at, What: URLRefused, Detail: refused.Line(0), Source: FromInitiation}); err != nil {
			return err
		}
	}
	if err := t.addMismatch(r, Mismatch{}, a.Payment.Difference, money.Amount{}, FromInitiation); err != nil {
		return err
	}
	return t.recordStatus(r, a.Payment.Status, FromInitiation, at)
}

// inEnvironment adds to the differences of a link that it is of another environment than it was
// created in. The gate knows that only until the console ends.
func inEnvironment(l api.Link, declared string) *api.Link {
	if api.ModeOf(l.Environment.Line(0)).Contradicts(api.ModeOf(declared)) {
		l.Differs = append(slices.Clip(l.Differs), api.LinkDifference{
			Part: api.Clean("environment"), Asked: api.Clean(declared), Answered: l.Environment,
		})
	}
	return &l
}

// saveLink writes the outcome of a row, and how the link that it created differs from the draft.
func (t *writeTx) saveLink(r *row, at time.Time) error {
	if err := t.saveOutcome(r, at, FromConsole); err != nil || r.CreatedLink == nil {
		return err
	}
	for _, d := range r.CreatedLink.Differs {
		differs := Event{At: at, What: Differed, Detail: d.String(), Source: string(CreateLink)}
		if err := t.addEvent(r, differs); err != nil {
			return err
		}
	}
	return nil
}

// saveOutcome writes the outcome of a row, its event, and the payment it finalizes.
func (t *writeTx) saveOutcome(r *row, at time.Time, source string) error {
	if err := t.update(r); err != nil {
		return err
	}
	event := Event{At: at, What: string(r.Outcome), Detail: cmp.Or(r.Why, string(r.Reference)), Source: source}
	if err := t.addEvent(r, event); err != nil {
		return err
	}
	return t.updateFinalized(r)
}
