package ledger

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"paydesk/api"
)

// DuplicateWithin limits how far back [Console.Begin] looks for duplicates of a payment or a link.
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

// notedKey is the context key of where an ID is noted.
type notedKey struct{}

// WithNotedID returns a context in which a request notes the ID of its attempt as soon as that is recorded: its outcome
// may not be.
func WithNotedID(ctx context.Context, id *ID) context.Context {
	all, _ := ctx.Value(notedKey{}).([]*ID)
	return context.WithValue(ctx, notedKey{}, append(slices.Clip(all), id))
}

// NoteID notes the ID of an attempt that was recorded, where a caller asked for it.
func NoteID(ctx context.Context, id ID) {
	all, _ := ctx.Value(notedKey{}).([]*ID)
	for _, noted := range all {
		*noted = id
	}
}

// rejectDuplicates returns a [*Duplicate] when attempts resemble e and at least one of them
// is not in allowed. alike is in what one resembles it besides its amount.
func (c Console) rejectDuplicates(e *Entry, concerned []Entry, allowed []ID, alike func(e *Entry, earlier Entry) Likeness) error {
	d := &Duplicate{Alike: map[ID]Likeness{}, Place: e.Destination}
	refused := false
	var ask []api.Reference
	for _, earlier := range concerned {
		like := alike(e, earlier)
		if like == SameLink && !earlier.mayBe(e) && e.Payer.isAnother(earlier.Payer) && e.paysReusable(concerned) {
			like = 0 // the link's next customer
		}
		if !c.competes(e, earlier) || like == 0 && !earlier.mayBe(e) {
			continue
		}
		if earlier.failed() && !slices.Contains(allowed, earlier.ID) {
			ask = append(ask, earlier.Reference)
			continue
		}
		d.Attempts = append(d.Attempts, earlier.Attempt)
		d.Alike[earlier.ID] = like
		refused = refused || !slices.Contains(allowed, earlier.ID)
	}
	switch {
	case refused:
		return d
	case len(ask) > 0:
		return &AskFirst{ask}
	}
	return nil
}

// competes reports whether an attempt over the same amount may be a duplicate.
func (c Console) competes(e *Entry, o Entry) bool {
	return o.ID != e.ID && o.Alike() == e.Alike() && o.IsSameService(e.Destination) && c.isOpen(o, DuplicateWithin)
}

// isOpen reports whether the next attempt may be a duplicate of one: it is unresolved or was never answered, has an
// undecided mismatch or was answered about a payment that is not ours, however old, or is recent, and this console's
// login was not told that it failed. A failure releases nothing if an answer about the payment differed, because what was
// charged is then not known, or if money was received anyway.
func (c Console) isOpen(o Entry, within time.Duration) bool {
	if o.Outcome == Sent || o.IsUnresolved() || o.Mismatch.InDoubt() {
		return true
	}
	made := o.Outcome == Accepted || o.Outcome == Unresolved && o.Decision != NotFound
	return made && !o.At.Before(c.Now.Add(-within)) && (!o.failed() || o.StatusLogin != c.Operator.Login)
}

// failed reports whether an answer about the payment says that it failed and brought nothing, and none that anything differs.
func (e Entry) failed() bool {
	return e.Status.State == api.Failed && e.Mismatch.IsZero() && !e.Received.Brought()
}

// An AskFirst is the error of a payment like others that failed by the word of other logins at the database of a team: the
// service is to be asked about them first. Nothing was sent and nothing was recorded.
type AskFirst struct{ Payments []api.Reference }

// Is reports that nothing was sent ([api.ErrNotSent]).
func (a *AskFirst) Is(target error) bool { return target == api.ErrNotSent }

// Error says what was not confirmed.
func (a *AskFirst) Error() string {
	return "Nothing was sent: a payment like this one failed, as a colleague's console has it, and the service did not confirm that. Check its status first."
}

// paysReusable reports whether a payment is through a link that was created here for many customers, and which the
// service said is as it was asked for. Of any other link it is not known.
func (e *Entry) paysReusable(concerned []Entry) bool {
	made := 0
	for _, l := range concerned {
		if !l.isLink(e.Link) || !l.IsSameService(e.Destination) {
			continue
		}
		answered, known := api.ParseLinkType(l.CreatedLink.Type.Line(0))
		if made++; !known || answered != api.Reusable || l.WasFound() || l.CreatedLink.Differences() != "" {
			return false
		}
	}
	return made > 0
}
