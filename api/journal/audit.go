package journal

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"paydesk/api"
	"paydesk/api/ledger"
)

// An Audit is what comparing a journal with its facts found.
type Audit struct {
	Facts              int64  // how many were ever added
	Head               string // the hash of all of them, in hexadecimal digits
	Attempts, Payments int    // payments are those that were looked up or pinned
	Differs            []string
	Losses             []Loss // that stand
}

// An Exported is a payment that the service has, by its own account.
type Exported struct {
	Reference api.Reference
	Attempt   ledger.ID // that it names; "" for one that was made elsewhere
}

// Audit folds all facts once more, and says in a sentence each what is not as it should be: a fact that is not what was
// written or not from who may state it, an attempt that is not what its facts amount to, a payment of the service whose
// attempt is not here. It changes nothing.
func (j *Journal) Audit(ctx context.Context, exported []Exported) (a Audit, err error) {
	a.Facts, a.Head, err = j.Head(ctx)
	a.Losses = j.Losses()
	for _, audit := range []func(context.Context, *Audit) error{
		j.auditChain, j.auditEntries, func(ctx context.Context, a *Audit) error { return j.auditExport(ctx, a, exported) },
	} {
		if err == nil {
			err = audit(ctx, &a)
		}
	}
	return a, err
}

// Head returns how many facts were ever added, and the hash of all of them in hexadecimal digits.
func (j *Journal) Head(ctx context.Context) (number int64, hash string, err error) {
	last, err := ask(ctx, j, (*readTx).head)
	return last.number, hex.EncodeToString(last.hash), err
}

func (a *Audit) differs(format string, args ...any) {
	a.Differs = append(a.Differs, fmt.Sprintf(format, args...))
}

// auditChain reads every fact.
func (j *Journal) auditChain(ctx context.Context, a *Audit) error {
	named, err := j.unreadableOf(ctx, parts()[0])
	for _, n := range named {
		a.differs("The %s is not what was written, or the one before it is missing.", n)
	}
	return err
}

// auditBatch is how many rows are read at once.
const auditBatch = 4096

// auditEntries folds the facts about each entry, and compares the rows of attempts and payments with that.
func (j *Journal) auditEntries(ctx context.Context, a *Audit) error {
	var finalizes []*ledger.Entry
	err := j.read(ctx, func(t *readTx) error {
		rows, err := t.auditor().attempts("WHERE kind = 'finalize'")
		finalizes = inRows(rows)
		return err
	})
	for after, more := "", true; more && err == nil; {
		err = j.read(ctx, func(t *readTx) error {
			facts, upTo, err := t.factsAfter(after)
			if err != nil {
				return err
			}
			more = upTo != ""
			of := auditOf{a, facts, finalizes, map[ledger.ID]bool{}}
			if err := of.rows(t, after, upTo); err != nil {
				return err
			}
			of.missing()
			after = upTo
			return nil
		})
	}
	return err
}

// factsAfter returns the facts about some of the entries whose IDs come after one, and the last of these; "" when there
// are no more.
func (t *readTx) factsAfter(id string) (facts map[ledger.ID][]ledger.Fact, upTo string, err error) {
	facts = map[ledger.ID][]ledger.Fact{}
	rows, err := collect(t.auditor(), scanFact, selectFacts+"WHERE f.entry > ? AND f.entry <> '' ORDER BY f.entry, f.number LIMIT ?", id, auditBatch)
	if err != nil || len(rows) == 0 {
		return facts, "", err
	}
	for _, f := range rows {
		facts[f.Of] = append(facts[f.Of], f.Fact)
	}
	if last := rows[len(rows)-1].entry; len(rows) == auditBatch { // it may have more
		upTo = last
		all, err := collect(t.auditor(), scanFact, selectFacts+"WHERE f.entry = ? AND f.entry <> '' ORDER BY f.number", last)
		if err != nil {
			return facts, "", err
		}
		facts[ledger.ID(last)] = nil
		for _, f := range all {
			facts[f.Of] = append(facts[f.Of], f.Fact)
		}
	}
	return facts, upTo, nil
}

// An auditOf compares some entries.
type auditOf struct {
	*Audit
	facts     map[ledger.ID][]ledger.Fact
	finalizes []*ledger.Entry
	have      map[ledger.ID]bool
}

// rows compares the rows between two IDs.
func (a *auditOf) rows(t *readTx, after, upTo string) error {
	query, args := selectEntries()+"entries AS a WHERE id > ?", []any{after}
	if upTo != "" {
		query, args = query+" AND id <= ?", append(args, upTo)
	}
	return t.each(a.row, query+" ORDER BY id", args...)
}

// row compares a row, column by column.
func (a *auditOf) row(r scanner) error {
	found, err := scanValues(r, len(columnNames())+2)
	if err != nil {
		return err
	}
	id, _ := found[1].(string)
	name := "attempt " + sanitize(id)
	if found[2] == string(ledger.Known) {
		a.Payments, name = a.Payments+1, "looked-up payment "+sanitize(id)
	} else {
		a.Attempts++
	}
	facts := a.facts[ledger.ID(id)]
	if a.have[ledger.ID(id)] = true; len(facts) == 0 {
		a.differs("There is no fact about %s.", name)
		return nil
	}
	folded := &row{}
	folded.Entry = a.fold(facts)
	if folded.Kind == ledger.Initiate {
		folded.FinalizedBy(a.finalizes)
	}
	if column := differing(folded, found[1:]); column != "" {
		a.differs("The %s is not what its facts amount to: its %s differs.", name, column)
	}
	return nil
}

// differing is the first column that is not as in an entry; "" for none.
func differing(r *row, found []any) string {
	for i, c := range r.columns() {
		is, want := found[i], c.value
		if c.name == "body" {
			is, want = inThisZone(is), inThisZone(want)
		}
		if is != want {
			return c.name
		}
	}
	return ""
}

// inThisZone is a body with its times as this machine writes them.
func inThisZone(body any) any {
	text, _ := body.(string)
	e, err := ledger.Recorded([]byte(text))
	if err != nil {
		return nil
	}
	again, _ := e.Record()
	return string(again)
}

// fold is what facts amount to. It finds those that are not from who may state them.
func (a *auditOf) fold(facts []ledger.Fact) (e ledger.Entry) {
	for _, f := range facts {
		if !f.MayState(e) {
			a.differs("Fact %d counts for nothing: the login %s may not state it about attempt %s, which %s sent.", f.Number, sanitize(f.By.Login), sanitize(string(f.Of)), sanitize(e.By.Login))
		}
		e.Add(nil, f)
	}
	return e
}

// missing finds entries of which there are only facts.
func (a *auditOf) missing() {
	for id := range a.facts {
		if !a.have[id] {
			a.differs("There are facts about %s, and no attempt.", sanitize(string(id)))
		}
	}
}

// auditExport compares the payments that the service has with the attempts.
func (j *Journal) auditExport(ctx context.Context, a *Audit, exported []Exported) error {
	payments := map[ledger.ID][]api.Reference{}
	for _, e := range exported {
		if e.Attempt != "" {
			payments[e.Attempt] = append(payments[e.Attempt], e.Reference)
		}
	}
	return j.read(ctx, func(t *readTx) error {
		for id, refs := range payments {
			slices.Sort(refs)
			if refs = slices.Compact(refs); len(refs) > 1 {
				a.differs("The service has %d payments of attempt %s: %s.", len(refs), sanitize(string(id)), joinReferences(refs))
			}
			r, err := t.byID(id)
			switch {
			case errors.Is(err, ledger.ErrNotFound):
				a.differs("The service has the payment %s of attempt %s, which is not here.", joinReferences(refs), sanitize(string(id)))
			case err != nil:
				return err
			case r.Reference != "" && !slices.Contains(refs, r.Reference):
				a.differs("The service has the payment %s of attempt %s, which has the reference %s here.", joinReferences(refs), r.ID, sanitize(string(r.Reference)))
			}
		}
		return nil
	})
}

func joinReferences(refs []api.Reference) string {
	words := ""
	for i, r := range refs {
		if i > 0 {
			words += ", "
		}
		words += sanitize(string(r))
	}
	return words
}
