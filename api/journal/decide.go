package journal

import (
	"context"

	"paydesk/api"
	"paydesk/api/ledger"
)

// Decide records the operator's decision about an attempt, or replaces the one before; all stay in the timeline. Its
// errors are those of [ledger.Console.Decide], or a [*ledger.Unavailable]. A link is found by [Journal.FoundLink].
func (j *Journal) Decide(ctx context.Context, seen ledger.Attempt, v ledger.Decision, r api.Reference) error {
	if v == ledger.Found && seen.Kind == ledger.CreateLink {
		return ledger.Rejected("Enter the alias of the link you found.")
	}
	return j.decide(ctx, seen, ledger.Deciding{Decision: v, As: string(r)})
}

// FoundLink records that the operator found the link of an unresolved attempt: it then is a link of
// this journal, as it was asked for. page is zero when its URL is not known. Its errors are those
// of [Journal.Decide].
func (j *Journal) FoundLink(ctx context.Context, seen ledger.Attempt, alias api.Alias, page api.Address) error {
	if seen.Kind != ledger.CreateLink {
		return ledger.Rejected("This attempt did not create a link.")
	}
	return j.decide(ctx, seen, ledger.Deciding{Decision: ledger.Found, As: string(alias), Page: page})
}

func (j *Journal) decide(ctx context.Context, seen ledger.Attempt, d ledger.Deciding) error {
	return j.update(ctx, nil, ofAttempt(seen.ID, d.As), func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Decide(seen, d, concerned)
	})
}

// Take gives the operator of this console the lease of an unresolved attempt: see [ledger.Console.Take].
func (j *Journal) Take(ctx context.Context, seen ledger.Attempt) error {
	return j.update(ctx, nil, ofAttempt(seen.ID), func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Take(seen, concerned)
	})
}

// Release ends the lease of this console's operator. Nothing happens when it has none.
func (j *Journal) Release(ctx context.Context, id ledger.ID) error {
	return j.update(ctx, nil, ofAttempt(id), func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Release(id, concerned)
	})
}

// DifferenceRead records that the operator has read how a link differs from the request.
func (j *Journal) DifferenceRead(ctx context.Context, d ledger.Destination, alias api.Alias) error {
	return j.update(ctx, nil, named(d, alias), func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Read(d.Stored(), alias, concerned), nil
	})
}
