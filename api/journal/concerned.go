package journal

import (
	"cmp"
	"slices"

	"paydesk/api/ledger"
)

// A rule decides on entries folded from facts, which no console can change: the rows of entries are for lists. A fact has keys
// by which the others that concern it are found among the facts as well.

// alikeKey returns the key of all that may be duplicates of an entry; "" for none.
func (t *readTx) alikeKey(e ledger.Entry) string { return ledger.KeyedHash(t.key, "alike", e.Alike()) }

// aboutKey returns the key of all that have a reference or an alias in an environment; "" for none.
func (t *readTx) aboutKey(environment, name string) string {
	if name == "" {
		return ""
	}
	return ledger.KeyedHash(t.key, "about", environment+" "+name)
}

// concerned returns the entry with an ID first, and all that have its reference or one of some names.
func (t *readTx) concerned(id ledger.ID, names ...string) ([]ledger.Entry, error) {
	rows, err := t.folded(nil, id)
	i := slices.IndexFunc(rows, func(r ledger.Entry) bool { return r.ID == id })
	switch {
	case err != nil:
		return nil, err
	case i < 0:
		return nil, ledger.ErrNotFound
	}
	rows[0], rows[i] = rows[i], rows[0]
	more, err := t.about(rows[0].Environment, names...)
	return withRows(rows, more...), err
}

// about returns all that have one of some references or aliases in an environment, in whichever spelling, newest first.
func (t *readTx) about(environment string, names ...string) ([]ledger.Entry, error) {
	var keys []string
	for _, name := range names {
		keys = append(keys, t.aboutKey(environment, (ledger.Entry{Attempt: ledger.Attempt{Named: name}}).Name()))
	}
	ids, err := t.idsBy("about", keys)
	if err != nil {
		return nil, err
	}
	return t.folded(ids)
}

// alike returns all that may be duplicates of an attempt, newest first: see [ledger.Entry.Alike]. Those are the
// attempts that the last sending of each login names, and those of facts that came after the last of these, or are not old: a
// clock may have been ahead. In a team no console adds a fact until the transaction ends.
func (t *writeTx) alike(e ledger.Entry) ([]ledger.Entry, error) {
	if err := t.holdChain(); err != nil {
		return nil, err
	}
	key := t.alikeKey(e)
	last, err := collect(t.readTx, scanFact, selectFacts+"WHERE f.number IN ("+lastOfEachLogin+")", key, key, key)
	if err != nil {
		return nil, err
	}
	var ids []ledger.ID
	var since int64
	for _, f := range last {
		ids, since = append(ids, f.opens()...), max(since, f.Number)
		if !f.isPurged() {
			ids = append(ids, f.Of)
		}
	}
	more, err := collect(t.readTx, only[ledger.ID], `SELECT entry FROM facts WHERE alike = ? AND alike <> '' AND number >= ? AND entry <> ''
		UNION SELECT entry FROM facts WHERE alike = ? AND alike <> '' AND at >= ? AND entry <> ''`,
		key, since, key, unixNano(t.now.Add(-ledger.OpenWithin)))
	if err != nil {
		return nil, err
	}
	return t.folded(more, ids...)
}

// lastOfEachLogin steps from login to login through the index of what was sent, which DISTINCT would read as a whole.
const lastOfEachLogin = `WITH RECURSIVE who (login) AS (
		SELECT min(login) FROM facts WHERE alike = ? AND alike <> '' AND kind = 'sending'
		UNION ALL SELECT (SELECT min(login) FROM facts WHERE alike = ? AND alike <> '' AND kind = 'sending' AND login > who.login) FROM who WHERE login IS NOT NULL
	) SELECT (SELECT max(number) FROM facts WHERE alike = ? AND alike <> '' AND kind = 'sending' AND login = who.login) FROM who WHERE login IS NOT NULL`

// idsBy returns the entries of the facts with one of some keys.
func (t *readTx) idsBy(column string, keys []string) ([]ledger.ID, error) {
	keys = slices.DeleteFunc(keys, func(k string) bool { return k == "" })
	if len(keys) == 0 {
		return nil, nil
	}
	in := oneOf(column, keys).and(column + " <> '' AND entry <> ''")
	return collect(t, only[ledger.ID], "SELECT DISTINCT entry FROM facts WHERE "+in.sql, in.args...)
}

// folded returns what the facts about entries amount to, newest first, with all that have the same references: a payment
// has something of its finalizes. There are facts about ids; of those that are only named, what was purged is left out.
func (t *readTx) folded(ids []ledger.ID, named ...ledger.ID) (all []ledger.Entry, err error) {
	certain := slices.Clone(ids)
	ids = append(ids, named...)
	first := map[ledger.ID]int64{} // the number of its first fact
	have := map[ledger.ID]bool{}
	for len(ids) > 0 {
		slices.Sort(ids)
		ids = slices.Compact(ids)
		facts, err := t.factsOf(ids...)
		if err != nil {
			return nil, err
		}
		var keys []string
		for _, id := range ids {
			have[id] = true
			r, _ := ledger.Fold(facts[id])
			switch {
			case t.alone && r.ID != id && slices.Contains(certain, id): // one index has it, and another has not
				return nil, errDamaged
			case len(facts[id]) == 0:
				continue
			}
			all, first[id] = append(all, r), facts[id][0].Number
			if key := t.aboutKey(r.Environment, r.Name()); key != "" && r.Reference != "" {
				keys = append(keys, key)
			}
		}
		if ids, err = t.idsBy("about", keys); err != nil {
			return nil, err
		}
		ids = slices.DeleteFunc(ids, func(id ledger.ID) bool { return have[id] })
		certain = slices.Clone(ids)
	}
	for i := range all {
		if all[i].Kind == ledger.Initiate {
			all[i].FinalizedBy(pointers(all))
		}
	}
	slices.SortFunc(all, func(a, b ledger.Entry) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(first[b.ID], first[a.ID])) })
	return all, nil
}

// factsOf returns the facts about entries, at least one, each in their order.
func (t *readTx) factsOf(ids ...ledger.ID) (map[ledger.ID][]ledger.Fact, error) {
	in := oneOf("f.entry", ids).and("f.entry <> ''")
	rows, err := collect(t, scanFact, selectFacts+"WHERE "+in.sql+" ORDER BY f.number", in.args...)
	return byEntry(rows), err
}

func byEntry(rows []*factRow) map[ledger.ID][]ledger.Fact {
	all := map[ledger.ID][]ledger.Fact{}
	for _, f := range rows {
		all[f.Of] = append(all[f.Of], f.Fact)
	}
	return all
}
