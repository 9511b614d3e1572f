package journal

import (
	"context"
	"slices"

	"paydesk/api/ledger"
)

// console is what the rules are told of this one.
func (t *readTx) console() ledger.Console {
	by := t.j.opts.Operator
	by.Login = t.login
	return ledger.Console{Now: t.now, Operator: by, Process: t.j.self, Senders: senders{t.j.self}}
}

// pointers are to entries, to be changed.
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
func (j *Journal) update(ctx context.Context, on []string, concerned func(*writeTx) ([]ledger.Entry, error), what rule) error {
	if err := j.settle(ctx); err != nil {
		return err
	}
	j.sweep(ctx)
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
