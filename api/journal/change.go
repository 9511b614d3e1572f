package journal

import (
	"slices"

	"paydesk/api"
	"paydesk/api/ledger"
)

// console is what the rules are told of this one.
func (t *readTx) console() ledger.Console {
	return ledger.Console{Now: t.now, Operator: t.j.opts.Operator, Process: t.j.self, Senders: senders{t.j.self}}
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

// apply adds facts to rows, and writes those that change and what that adds to their histories.
func (t *writeTx) apply(rows []*row, facts ...ledger.Fact) error {
	of := inRows(rows)
	for _, f := range ledger.Apply(of, facts...) {
		r := rows[slices.Index(of, f.Entry)]
		write := t.update
		if r.n == 0 {
			write = t.add
		}
		if err := write(r); err != nil {
			return err
		}
		for _, e := range f.Events {
			if err := t.addEvent(r, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// change applies the fact that a rule returns to rows.
func (t *writeTx) change(rows []*row, rule func([]ledger.Entry) (ledger.Fact, error)) error {
	fact, err := rule(entries(rows))
	if err != nil {
		return err
	}
	return t.apply(rows, fact)
}

// concerned returns the attempt with an ID, all that have its reference, and all that have others, each once.
func (t *writeTx) concerned(id ID, others ...api.Reference) ([]*row, error) {
	r, err := t.byID(id)
	if err != nil {
		return nil, err
	}
	all := []*row{r}
	for _, ref := range append(others, r.Reference) {
		same, err := t.claimants(r.Destination, ref)
		if err != nil {
			return nil, err
		}
		all = withRows(all, same...)
	}
	return all, nil
}

// withRows adds rows to others, each once.
func withRows(all []*row, more ...*row) []*row {
	for _, r := range more {
		if !slices.ContainsFunc(all, func(o *row) bool { return o.n == r.n }) {
			all = append(all, r)
		}
	}
	return all
}

// claimants returns all that have a reference, in whichever spelling, and the unresolved payments whose answer named it.
func (t *readTx) claimants(d Destination, ref api.Reference) ([]*row, error) {
	if ref == "" {
		return nil, nil
	}
	have, err := t.bySpelling(d, ref)
	if err != nil {
		return nil, err
	}
	named, err := t.attempts("INDEXED BY attempts_unknown WHERE outcome = 'unresolved' AND verdict = '' AND kind = 'initiate'"+
		" AND named = ? COLLATE NOCASE AND "+atService+newestFirst, append([]any{string(ref)}, atArgs(d)...)...)
	return withRows(have, named...), err
}
