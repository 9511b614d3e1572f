package journal

import (
	"context"
	"slices"

	"paydesk/api"
	"paydesk/api/ledger"
)

// console describes this console to the rules.
func (t *readTx) console() ledger.Console {
	by := t.j.opts.Operator
	by.Login = t.login
	return ledger.Console{Now: t.now, Operator: by, Process: t.j.self, Senders: senders{t.j.self}}
}

// pointers returns pointers to entries, through which these can be changed.
func pointers(entries []ledger.Entry) []*ledger.Entry {
	all := make([]*ledger.Entry, len(entries))
	for i := range entries {
		all[i] = &entries[i]
	}
	return all
}

// apply records facts, and writes the entries that they change: some of those concerned, and new ones. It returns these.
func (t *writeTx) apply(concerned []ledger.Entry, facts ...ledger.Fact) (changed []*ledger.Entry, err error) {
	for i := range facts {
		if facts[i], err = facts[i].AsKept(); err != nil {
			return nil, err
		}
	}
	for _, f := range ledger.Apply(pointers(concerned), facts...) {
		if !slices.Contains(changed, f.Entry) {
			changed = append(changed, f.Entry)
		}
		if f.Fact != nil && err == nil {
			err = t.addFact(*f.Fact, *f.Entry)
		}
	}
	for _, e := range changed {
		if err == nil {
			err = t.save(*e)
		}
	}
	return changed, err
}

// save writes an entry.
func (t *writeTx) save(e ledger.Entry) error {
	own, body := values(e)
	err := t.exec(saveEntry(), own...)
	if err == nil {
		err = t.exec("INSERT INTO bodies (n, body) SELECT n, CAST(? AS TEXT) FROM entries WHERE id = ? ON CONFLICT (n) DO UPDATE SET body = excluded.body", body, string(e.ID))
	}
	return err
}

// A rule returns the facts that follow from what is concerned.
type rule func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error)

// update records the facts that a rule returns of what concerned reads, in one transaction: see [Journal.write].
func (j *Journal) update(ctx context.Context, on string, concerned func(*writeTx) ([]ledger.Entry, error), what rule) error {
	if err := j.settle(ctx); err != nil {
		return err
	}
	_ = j.sweep(ctx, nil)
	return j.transact(ctx, on, func(t *writeTx) error {
		rows, err := concerned(t)
		if err != nil {
			return err
		}
		facts, err := what(t.console(), slices.Clone(rows))
		if err == nil {
			_, err = t.apply(rows, facts...)
		}
		return err
	})
}

// ofAttempt reads an attempt, and all that has its reference or one of some names.
func ofAttempt(id ledger.ID, names ...string) func(*writeTx) ([]ledger.Entry, error) {
	return func(t *writeTx) ([]ledger.Entry, error) { return t.concerned(id, names...) }
}

// named reads all that has one of some names at a destination.
func named[N ~string](d ledger.Destination, names ...N) func(*writeTx) ([]ledger.Entry, error) {
	return func(t *writeTx) ([]ledger.Entry, error) {
		var all []string
		for _, n := range names {
			all = append(all, string(n))
		}
		return t.about(d.Stored().Environment, all...)
	}
}

// withRows adds entries to others, each once.
func withRows(all []ledger.Entry, more ...ledger.Entry) []ledger.Entry {
	for _, r := range more {
		if !slices.ContainsFunc(all, func(o ledger.Entry) bool { return o.ID == r.ID }) {
			all = append(all, r)
		}
	}
	return all
}

// Decide records what a person decided about an attempt as they saw it, or replaces the decision before; all stay in the
// timeline. A link that was found becomes a link of this journal, as it was asked for. Its errors are those of
// [ledger.Console.Decide], or a [*ledger.Unavailable].
func (j *Journal) Decide(ctx context.Context, seen ledger.Attempt, d ledger.Deciding) error {
	return j.update(ctx, "", ofAttempt(seen.ID, d.As), func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Decide(seen, d, concerned)
	})
}

// Take gives the operator of this console the lease of an unresolved attempt: see [ledger.Console.Take].
func (j *Journal) Take(ctx context.Context, seen ledger.Attempt) error {
	return j.update(ctx, "", ofAttempt(seen.ID), func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Take(seen, concerned)
	})
}

// Release ends the lease of this console's operator. Nothing happens when it has none.
func (j *Journal) Release(ctx context.Context, id ledger.ID) error {
	return j.update(ctx, "", ofAttempt(id), func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Release(id, concerned)
	})
}

// DifferenceRead records that the operator has read how a link differs from the request.
func (j *Journal) DifferenceRead(ctx context.Context, d ledger.Destination, alias api.Alias) error {
	return j.update(ctx, "", named(d, alias), func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Read(d.Stored(), alias, concerned), nil
	})
}

// RecordTransaction records what the service answered about a payment in the journal. The same status
// again extends its fact. A payment that no attempt made is recorded as a [ledger.Known].
func (j *Journal) RecordTransaction(ctx context.Context, d ledger.Destination, got api.PaymentStatus) error {
	if got.Reference == "" {
		return nil
	}
	id := j.opts.NewID()
	return j.update(ctx, nameOn("payment", string(got.Reference)), named(d, got.Reference), func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Look(d, got, id, concerned), nil
	})
}

// Happened records what happened to a payment, also one that was only looked up, unless nothing is known of it: see
// [ledger.Console.Happened].
func (j *Journal) Happened(ctx context.Context, d ledger.Destination, ref api.Reference, what ledger.Happening) error {
	return j.update(ctx, "", named(d, ref), func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Happened(d, ref, what, concerned), nil
	})
}

// Pin pins the payments at a destination that are not pinned yet: see [ledger.Console.Pin].
func (j *Journal) Pin(ctx context.Context, d ledger.Destination, payments ...api.Reference) error {
	concerned := func(t *writeTx) ([]ledger.Entry, error) {
		all, err := named(d, payments...)(t)
		if err != nil {
			return nil, err
		}
		pinned, err := t.pinned(d)
		return withRows(all, pinned...), err
	}
	return j.update(ctx, "", concerned, func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Pin(d, payments, j.opts.NewID, concerned)
	})
}

// Unpin removes the pins of payments at a destination, and returns how many. One that is not pinned is left as it is.
func (j *Journal) Unpin(ctx context.Context, d ledger.Destination, payments ...api.Reference) (n int, err error) {
	pinned := func(t *writeTx) ([]ledger.Entry, error) { return t.pinned(d) }
	err = j.update(ctx, "", pinned, func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		all := c.Unpin(d.Stored(), payments, concerned)
		n = len(all)
		return all, nil
	})
	return n, err
}

// Pin pins payments at this destination, as [Journal.Pin] does.
func (rec *Recorder) Pin(ctx context.Context, payments ...api.Reference) error {
	return rec.write(ctx, func(ctx context.Context) error { return rec.journal.Pin(ctx, rec.Place(ctx), payments...) })
}

// Unpin removes the pins of payments at this destination.
func (rec *Recorder) Unpin(ctx context.Context, payments ...api.Reference) error {
	return rec.write(ctx, func(ctx context.Context) error {
		_, err := rec.journal.Unpin(ctx, rec.Place(ctx), payments...)
		return err
	})
}
