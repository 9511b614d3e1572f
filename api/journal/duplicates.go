package journal

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"paydesk/api"
)

// DuplicateWithin is how far back [Journal.Begin] looks for duplicates of a payment or a link.
const DuplicateWithin = 10 * time.Minute

// A Duplicate is the error of a payment or a link that resembles earlier ones. Nothing was sent
// and nothing was recorded.
type Duplicate struct{ Attempts []Attempt } // newest first

// Is reports that nothing was sent ([api.ErrNotSent]).
func (d *Duplicate) Is(target error) bool { return target == api.ErrNotSent }

// Error states how many there are.
func (d *Duplicate) Error() string {
	what := "payment"
	if len(d.Attempts) > 0 && d.Attempts[0].Kind == CreateLink {
		what = "link"
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
// is not in allowed.
func (t *writeTx) rejectDuplicates(r *row, allowed []ID) error {
	alike, err := t.alike(r)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(alike, func(r *row) bool { return !slices.Contains(allowed, r.ID) }) {
		return &Duplicate{t.toAttempts(alike)}
	}
	return nil
}

// alike returns the attempts that resemble r, newest first.
func (t *writeTx) alike(r *row) ([]*row, error) {
	switch r.Kind {
	case Initiate:
		return t.alikePayments(r)
	case CreateLink:
		return t.alikeLinks(r)
	}
	return nil, nil
}

// alikePayments returns the payments that resemble r. An unresolved one over the same amount
// always does; any other must be recent, not failed, and have the same link or payer.
func (t *writeTx) alikePayments(r *row) ([]*row, error) {
	const sameMoney = "kind = 'initiate' AND " + atDestination + " AND currency = ? AND minor = ?"
	same := append(r.Destination.args(), r.Amount.Currency.Code(), r.Amount.Minor)
	link := string(r.Link)
	args := slices.Concat(same, same, []any{unixNano(t.now.Add(-DuplicateWithin)),
		link, link, r.email, r.email, r.phone, r.phone, link + r.email + r.phone})
	return t.attempts(`WHERE n IN (
			SELECT n FROM attempts WHERE outcome = 'unresolved' AND verdict = '' AND `+sameMoney+`
			UNION
			SELECT n FROM attempts WHERE `+sameMoney+` AND at >= ?
				AND outcome IN ('sent', 'accepted', 'unresolved')
				AND NOT (outcome = 'unresolved' AND verdict = 'not found') AND status <> 'FAILED'
				AND (? <> '' AND link = ? OR ? <> '' AND email = ? OR ? <> '' AND phone = ?
					OR ? = '' AND link = '' AND email = '' AND phone = '')
		)`+newestFirst, args...)
}

// alikeLinks returns the links that resemble r: of the same name and amount, and recent or
// unresolved. Letter case and the blanks around a name do not count. An unresolved one that was
// recorded before names were may be any.
func (t *writeTx) alikeLinks(r *row) ([]*row, error) {
	const sameMoney = "kind = 'link' AND " + atDestination + " AND currency = ? AND minor = ?"
	same := append(r.Destination.args(), r.Amount.Currency.Code(), r.Amount.Minor)
	all, err := t.attempts(`WHERE n IN (
			SELECT n FROM attempts WHERE outcome = 'unresolved' AND verdict = '' AND `+sameMoney+`
			UNION
			SELECT n FROM attempts WHERE at >= ? AND `+sameMoney+`
				AND outcome IN ('sent', 'accepted', 'unresolved') AND NOT (outcome = 'unresolved' AND verdict = 'not found')
		)`+newestFirst, slices.Concat(same, []any{unixNano(t.now.Add(-DuplicateWithin))}, same)...)
	return slices.DeleteFunc(all, func(l *row) bool {
		unnamed := l.Draft.Name == "" && l.IsUnresolved()
		return !unnamed && !strings.EqualFold(strings.TrimSpace(l.Draft.Name), strings.TrimSpace(r.Draft.Name))
	}), err
}
