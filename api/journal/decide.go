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
		return rejected("Enter the alias of the link you found.")
	}
	return j.decide(ctx, seen, ledger.Deciding{Decision: v, As: string(r)})
}

// FoundLink records that the operator found the link of an unresolved attempt: it then is a link of
// this journal, as it was asked for. page is zero when its URL is not known. Its errors are those
// of [Journal.Decide].
func (j *Journal) FoundLink(ctx context.Context, seen ledger.Attempt, alias api.Alias, page api.Address) error {
	if seen.Kind != ledger.CreateLink {
		return rejected("This attempt did not create a link.")
	}
	return j.decide(ctx, seen, ledger.Deciding{Decision: ledger.Found, As: string(alias), Page: page})
}

func (j *Journal) decide(ctx context.Context, seen ledger.Attempt, d ledger.Deciding) error {
	return j.write(ctx, func(t *writeTx) error {
		rows, err := t.concerned(seen.ID, d.As)
		if err != nil {
			return err
		}
		err = t.change(rows, func(of []ledger.Entry) (ledger.Fact, error) { return t.console().Decide(seen, d, of) })
		if err == nil && d.Decision == ledger.Found {
			err = t.applyLookup(rows)
		}
		return err
	})
}

// Take gives the operator of this console the lease of an unresolved attempt. seen is the attempt as the operator saw
// it: whose lease is in it is replaced, and when another has taken it since, the error is a [*ledger.TakenError].
func (j *Journal) Take(ctx context.Context, seen ledger.Attempt) error {
	return j.write(ctx, func(t *writeTx) error {
		rows, err := t.concerned(seen.ID)
		if err != nil {
			return err
		}
		return t.change(rows, func(of []ledger.Entry) (ledger.Fact, error) { return t.console().Take(seen, of) })
	})
}

// Release ends the lease of this console's operator. Nothing happens when it has none.
func (j *Journal) Release(ctx context.Context, id ledger.ID) error {
	return j.write(ctx, func(t *writeTx) error {
		rows, err := t.concerned(id)
		if err != nil {
			return err
		}
		facts, err := t.console().Release(id, entries(rows))
		if err != nil {
			return err
		}
		_, err = t.apply(rows, facts...)
		return err
	})
}

// DifferenceRead records that the operator has read how a link differs from the request.
func (j *Journal) DifferenceRead(ctx context.Context, d ledger.Destination, alias api.Alias) error {
	return j.write(ctx, func(t *writeTx) error {
		made, err := t.about(d.Environment, string(alias))
		if err != nil {
			return err
		}
		_, err = t.apply(made, t.console().Read(d.Stored(), alias, entries(made))...)
		return err
	})
}
