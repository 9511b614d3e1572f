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

// entries returns what the rules are told of rows.
func entries(rows []*row) []ledger.Entry {
	all := make([]ledger.Entry, len(rows))
	for i, r := range rows {
		all[i] = r.Entry
	}
	return all
}

// inRows returns the entries in rows, to be changed.
func inRows(rows []*row) []*ledger.Entry {
	all := make([]*ledger.Entry, len(rows))
	for i, r := range rows {
		all[i] = &r.Entry
	}
	return all
}

// apply records facts, and writes the rows that they change: some of those given, and new ones. It returns all.
func (t *writeTx) apply(rows []*row, facts ...ledger.Fact) ([]*row, error) {
	for i := range facts {
		kept, err := facts[i].AsKept()
		if err != nil {
			return rows, err
		}
		facts[i] = kept
	}
	changed := map[*row]bool{}
	for _, f := range ledger.Apply(inRows(rows), facts...) {
		i := slices.IndexFunc(rows, func(r *row) bool { return r.ID == f.ID })
		if i < 0 {
			i, rows = len(rows), append(slices.Clip(rows), new(row))
		}
		rows[i].Entry, changed[rows[i]] = *f.Entry, true
		if f.Fact == nil {
			continue
		}
		if err := t.addFact(*f.Fact, *f.Entry); err != nil {
			return rows, err
		}
	}
	for _, r := range rows {
		if !changed[r] {
			continue
		}
		if err := t.save(r); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// save writes a row, for the first time where it has no number.
func (t *writeTx) save(r *row) (err error) {
	all := values(r)
	body := all[len(all)-2]
	all = slices.Delete(all, len(all)-2, len(all)-1)
	if r.n == 0 {
		err = t.one(insertEntry()+" RETURNING n", all, &r.n)
	} else {
		err = t.exec(updateEntry(), append(all, r.n)...)
	}
	if err != nil {
		return err
	}
	return t.exec("INSERT INTO bodies (n, body) VALUES (?, ?) ON CONFLICT (n) DO UPDATE SET body = excluded.body", r.n, body)
}

// A rule returns the facts that follow from what is concerned.
type rule func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error)

// update records the facts that a rule returns of what concerned reads, in one transaction: see [Journal.write].
func (j *Journal) update(ctx context.Context, on []string, concerned func(*writeTx) ([]*row, error), what rule) error {
	if err := j.settle(ctx); err != nil {
		return err
	}
	j.sweep(ctx)
	return j.transact(ctx, on, func(t *writeTx) error {
		rows, err := concerned(t)
		if err != nil {
			return err
		}
		facts, err := what(t.console(), entries(rows))
		if err == nil {
			_, err = t.apply(rows, facts...)
		}
		return err
	})
}

// ofAttempt reads an attempt, and all that has its reference or one of some names.
func ofAttempt(id ledger.ID, names ...string) func(*writeTx) ([]*row, error) {
	return func(t *writeTx) ([]*row, error) { return t.concerned(id, names...) }
}

// named reads all that has one of some names at a destination.
func named[N ~string](d ledger.Destination, names ...N) func(*writeTx) ([]*row, error) {
	return func(t *writeTx) ([]*row, error) {
		var all []string
		for _, n := range names {
			all = append(all, string(n))
		}
		return t.about(d.Stored().Environment, all...)
	}
}

// withRows adds rows to others, each once.
func withRows(all []*row, more ...*row) []*row {
	for _, r := range more {
		if !slices.ContainsFunc(all, func(o *row) bool { return o.ID == r.ID }) {
			all = append(all, r)
		}
	}
	return all
}
