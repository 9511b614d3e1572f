package journal

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"paydesk/api"
)

// DuplicateWithin is how far back [Journal.Begin] looks for duplicates of a payment or a link.
const DuplicateWithin = 10 * time.Minute

// A Duplicate is the error of a payment or a link that resembles earlier ones. Nothing was sent
// and nothing was recorded.
type Duplicate struct {
	Attempts []Attempt       // newest first
	Alike    map[ID]Likeness // in what each resembles it, besides its amount
	Place    Destination     // where it would have been sent
}

// Is reports that nothing was sent ([api.ErrNotSent]).
func (d *Duplicate) Is(target error) bool { return target == api.ErrNotSent }

// Error states how many there are.
func (d *Duplicate) Error() string {
	what := kinds[Initiate].noun
	for _, a := range d.Attempts { // of one kind
		what = cmp.Or(kinds[a.Kind].noun, what)
	}
	if len(d.Attempts) == 1 {
		return "Nothing was sent: a " + what + " like this one was sent already."
	}
	return "Nothing was sent: " + strconv.Itoa(len(d.Attempts)) + " " + what + "s like this one were sent already."
}

// allowedKey is the context key of the allowed duplicates.
type allowedKey struct{}

// WithAllowedDuplicates returns a context in which a payment or a link may be sent although it
// resembles the attempts with these IDs: the operator was shown all of them and chose to send
// it. Any other duplicate still stops it.
func WithAllowedDuplicates(ctx context.Context, shown ...ID) context.Context {
	return context.WithValue(ctx, allowedKey{}, slices.Concat(AllowedDuplicates(ctx), shown))
}

// AllowedDuplicates returns the IDs that [WithAllowedDuplicates] put into ctx.
func AllowedDuplicates(ctx context.Context) []ID {
	shown, _ := ctx.Value(allowedKey{}).([]ID)
	return slices.Clone(shown)
}

// rejectDuplicates returns a [*Duplicate] when attempts resemble r and at least one of them
// is not in allowed. alike is in what one resembles it besides its amount.
func (t *writeTx) rejectDuplicates(r *row, whole payerHashes, allowed []ID, alike func(r *row, whole payerHashes, earlier *row) Likeness) error {
	recent, err := t.sameAmount(r)
	if err != nil {
		return err
	}
	d := &Duplicate{Alike: map[ID]Likeness{}, Place: r.Destination}
	refused := false
	for _, a := range recent {
		if t.j.orphaned(a, t.now) {
			a.markUnresolved(t.now)
		}
		like := alike(r, whole, a)
		if like == 0 && !a.mayBe(r) {
			continue
		}
		d.Attempts = append(d.Attempts, t.toAttempts([]*row{a})...)
		d.Alike[a.ID] = like
		refused = refused || !slices.Contains(allowed, a.ID)
	}
	if refused {
		return d
	}
	return nil
}

// sameAmount returns the payments or links over the same amount, newest first: those that are
// unresolved or were never answered, have an undecided mismatch or were answered about a payment that is not ours, however old,
// and recent ones that did not fail. A failure releases nothing where any answer about the payment
// differed: what was charged is not known.
func (t *writeTx) sameAmount(r *row) ([]*row, error) {
	const same = "kind = ? AND " + atService + " AND currency = ? AND minor = ?"
	args := append(append([]any{string(r.Kind)}, r.Destination.args()...), r.Amount.Currency.Code(), r.Amount.Minor)
	return t.attempts(`WHERE n IN (
			SELECT n FROM attempts INDEXED BY attempts_unknown WHERE outcome = 'unresolved' AND verdict = '' AND `+same+`
			UNION
			SELECT n FROM attempts INDEXED BY attempts_outcome WHERE outcome = 'sent' AND `+same+`
			UNION
			SELECT n FROM attempts WHERE `+same+` AND mismatch <> 0 AND mismatch_verdict IN ('', '`+string(NotOurs)+`')
			UNION
			SELECT n FROM attempts WHERE `+same+` AND at >= ? AND outcome IN ('sent', 'accepted', 'unresolved')
				AND NOT (outcome = 'unresolved' AND verdict = 'not found') AND (status <> 'FAILED' OR mismatch <> 0)
		)`+newestFirst, slices.Concat(args, args, args, args, []any{unixNano(t.now.Add(-DuplicateWithin))})...)
}
