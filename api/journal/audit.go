package journal

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// An Audit holds what comparing a journal with its facts found.
type Audit struct {
	Facts              int64  // how many were ever added
	Head               string // the hash of all of them, in hexadecimal digits
	Attempts, Payments int    // of payments, those that were looked up or pinned
	Exported           int    // payments of an export that name an attempt
	Differs            []string
	ExportDiffers      []string // what differs in an export alone
	Losses             []Loss   // that stand
}

// An Exported is a payment that the service has, by its own account.
type Exported struct {
	Reference api.Reference
	Attempt   ledger.ID    // that it names; "" for one that was made elsewhere
	Amount    money.Amount // without a currency where the export states none
	Unread    string       // what the export states as an amount, where that cannot be read
}

// Audit folds all facts once more, and reports each fault in a sentence: a fact that is not what was written, or that its
// login may not state, an attempt that is not what its facts amount to, a payment of the service whose attempt is not
// here. It changes nothing.
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

func (a *Audit) exportDiffers(format string, args ...any) {
	a.ExportDiffers = append(a.ExportDiffers, fmt.Sprintf(format, args...))
}

// auditChain reads every fact.
func (j *Journal) auditChain(ctx context.Context, a *Audit) error {
	named, err := j.unreadableOf(ctx, parts()[0])
	for _, n := range named {
		a.differs("The %s is damaged or was changed, or the one before it is missing.", n)
	}
	return err
}

// auditBatch limits how many rows are read at once.
const auditBatch = 1024

// auditEntries folds the facts about each entry, and compares the rows of attempts and payments with that.
func (j *Journal) auditEntries(ctx context.Context, a *Audit) error {
	var finalizes []*ledger.Entry
	err := j.read(ctx, func(t *readTx) error {
		t.hides = true // what cannot be read was named
		rows, err := t.entries("attempts", "WHERE kind = 'finalize'")
		finalizes = pointers(rows)
		return err
	})
	for last, more := int64(-1), true; more && err == nil; {
		err = j.read(ctx, func(t *readTx) error {
			t.hides = true
			rows, err := collect(t, scanValues, selectEntries()+"entries AS a WHERE n > ? ORDER BY n LIMIT ?", last, auditBatch)
			if more = len(rows) > 0; more {
				last, _ = rows[len(rows)-1][0].(int64)
				err = a.rows(t, rows, finalizes)
			}
			return err
		})
	}
	if err != nil {
		return err
	}
	return j.read(ctx, func(t *readTx) error {
		missing, err := collect(t, only[ledger.ID], `SELECT DISTINCT entry FROM facts AS f WHERE entry <> '' AND NOT EXISTS (SELECT 1 FROM entries AS e WHERE e.id = f.entry)`)
		for _, id := range missing {
			a.differs("There are facts about %s, and no attempt.", ledger.Stored(string(id)))
		}
		return err
	})
}

// rows compares rows with the facts about them. finalizes are all that there are.
func (a *Audit) rows(t *readTx, rows [][]any, finalizes []*ledger.Entry) error {
	var ids []ledger.ID
	for _, found := range rows {
		id, _ := found[1].(string)
		ids = append(ids, ledger.ID(id))
	}
	in := oneOf("f.entry", ids).and("f.entry <> ''")
	facts, err := list(t, scanFact, selectFacts+"WHERE "+in.sql+" ORDER BY f.number", in.args...)
	of := byEntry(facts)
	for i, found := range rows {
		a.row(found, of[ids[i]], finalizes)
	}
	return err
}

// row compares a row, column by column.
func (a *Audit) row(found []any, facts []ledger.Fact, finalizes []*ledger.Entry) {
	id, _ := found[1].(string)
	name := "attempt " + ledger.Stored(id)
	if found[2] == string(ledger.Known) {
		a.Payments, name = a.Payments+1, "looked-up payment "+ledger.Stored(id)
	} else {
		a.Attempts++
	}
	if len(facts) == 0 {
		a.differs("There is no fact about %s.", name)
		return
	}
	folded := a.fold(facts)
	if folded.Kind == ledger.Initiate {
		folded.FinalizedBy(finalizes)
	}
	if column := differing(folded, found[1:]); column != "" {
		a.differs("The %s does not agree with its facts: its %s differs.", name, column)
	}
}

// differing is the first column that is not as in an entry; "" for none.
func differing(e ledger.Entry, found []any) string {
	for i, c := range columns(e) {
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

// fold returns what facts amount to. It reports those that their login may not state.
func (a *Audit) fold(facts []ledger.Fact) (e ledger.Entry) {
	for _, f := range facts {
		if !f.MayState(e) {
			a.differs("Fact %d is not counted: the login %s has no right to state it about attempt %s, which %s sent.", f.Number, ledger.Stored(f.By.Login), ledger.Stored(string(f.Of)), ledger.Stored(e.By.Login))
		}
		e.Add(nil, f)
	}
	return e
}

// auditExport compares the payments that the service has with the attempts.
func (j *Journal) auditExport(ctx context.Context, a *Audit, exported []Exported) error {
	payments, unread := map[ledger.ID][]Exported{}, []Exported(nil)
	for _, e := range exported {
		if e.Attempt == "" {
			continue
		}
		a.Exported++
		payments[e.Attempt] = append(payments[e.Attempt], e)
		if e.Unread != "" {
			unread = append(unread, e)
		}
	}
	if len(unread) > 0 {
		a.exportDiffers("Amounts of the export that cannot be compared: %d, such as %s for the payment %s. Give the currency, with amount in whole minor units or with amount_major.",
			len(unread), ledger.Stored(unread[0].Unread), ledger.Stored(string(unread[0].Reference)))
	}
	return j.read(ctx, func(t *readTx) error {
		for _, id := range slices.Sorted(maps.Keys(payments)) {
			r, err := t.byID(id)
			if err != nil && !errors.Is(err, ledger.ErrNotFound) {
				return err
			}
			a.compare(ledger.Stored(string(id)), r, err == nil, payments[id])
		}
		return nil
	})
}

// compare compares an attempt, if it is here, with the payments that name it.
func (a *Audit) compare(id string, r ledger.Entry, isHere bool, payments []Exported) {
	if len(payments) > 1 {
		a.exportDiffers("The service has %d payments of attempt %s.", len(payments), id)
	}
	for _, p := range payments {
		switch reference := ledger.Stored(string(p.Reference)); {
		case !isHere:
			a.exportDiffers("The service has the payment %s of attempt %s, which is not here.", reference, id)
		case r.Reference == "" && r.Outcome != ledger.Sent: // one that is still sent gets its reference
			a.exportDiffers("The service has the payment %s of attempt %s, which has no reference here (%s).", reference, id, cmp.Or(string(r.Decision), string(r.Outcome)))
		case r.Reference != "" && r.Reference != p.Reference:
			a.exportDiffers("The service has the payment %s of attempt %s, which has the reference %s here.", reference, id, ledger.Stored(string(r.Reference)))
		case !p.Amount.Currency.IsZero() && p.Amount != r.Amount && (r.Total == 0 || p.Amount != money.Amount{Minor: r.Total, Currency: r.Amount.Currency}):
			a.exportDiffers("The service has %s for the payment %s of attempt %s, which is %s here.", p.Amount, reference, id, r.Amount)
		}
	}
}
