package journal

import (
	"context"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// A Lookup is a payment whose status was requested here and that no attempt of the journal made: it
// was made elsewhere, or before the journal.
type Lookup struct {
	Destination               // where it was last found
	Reference   api.Reference // as requested
	At          time.Time     // when the service first answered about it
	By          Operator      // who requested that
	AnsweredAt  time.Time     // when the service last answered about it

	Amount money.Amount // the last one reported; without a currency when none was
	// Status is the last one reported; a final one is never replaced. StatusAt is when it was last
	// reported. Both are zero when the answers were about another payment.
	Status   api.Status
	StatusAt time.Time
	// Mismatch is that an answer differed, in the words of the history. Nobody decides about it, as nothing was asked here.
	Mismatch Mismatch
}

// Lookups returns at most n payments that were looked up at a destination, the last answered first.
// One that was found to be an attempt's since is not among them.
func (j *Journal) Lookups(ctx context.Context, d Destination, n int) ([]Lookup, error) {
	return ask(ctx, j, func(t *readTx) (all []Lookup, err error) {
		rows, err := t.lookups("WHERE "+atService+" ORDER BY answered DESC, n DESC", d.args()...)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if len(all) == n {
				break
			}
			made, err := t.payments(d, r.Reference)
			if err != nil {
				return nil, err
			}
			if len(made) > 0 {
				continue
			}
			if r.Mismatch, err = t.recordedMismatch(r); err != nil {
				return nil, err
			}
			all = append(all, r.Lookup)
		}
		return all, nil
	})
}

// Lookup returns a payment that was looked up at a destination, or [ErrNotFound].
func (j *Journal) Lookup(ctx context.Context, d Destination, ref api.Reference) (Lookup, error) {
	return ask(ctx, j, func(t *readTx) (Lookup, error) {
		r, err := t.lookup(d, ref)
		if err != nil {
			return Lookup{}, err
		}
		return r.Lookup, nil
	})
}

// Mismatches returns those of the payments at a destination about which an answer differed, wherever they were made.
func (j *Journal) Mismatches(ctx context.Context, d Destination, payments []api.Reference) (map[api.Reference]Mismatch, error) {
	return ask(ctx, j, func(t *readTx) (map[api.Reference]Mismatch, error) {
		all := map[api.Reference]Mismatch{}
		for _, ref := range payments {
			m, err := t.mismatchOf(d, ref)
			switch {
			case err != nil:
				return nil, err
			case !m.IsZero():
				all[ref] = m
			}
		}
		return all, nil
	})
}

// mismatchOf is the mismatch of the payment with a reference; zero for none.
func (t *readTx) mismatchOf(d Destination, ref api.Reference) (Mismatch, error) {
	made, err := t.payments(d, ref)
	if err != nil || len(made) > 0 {
		for _, r := range made {
			if !r.Mismatch.IsZero() {
				return r.Mismatch, nil
			}
		}
		return Mismatch{}, err
	}
	looked, err := t.lookup(d, ref)
	switch err {
	case nil:
		return t.recordedMismatch(looked)
	case ErrNotFound:
		return Mismatch{}, nil
	}
	return Mismatch{}, err
}

// recordLookup records an answer about a payment that no attempt made. A reference that looks like a
// card number may be one that was typed, and is not recorded.
func (t *writeTx) recordLookup(d Destination, got api.Transaction) error {
	if sanitize(string(got.Reference)) != string(got.Reference) {
		return nil
	}
	r, err := t.lookup(d, got.Reference)
	if err == ErrNotFound {
		r, err = t.beginLookup(d, got.Reference)
	}
	if err != nil {
		return err
	}
	r.AnsweredAt = t.now
	asked := api.Asked{Reference: r.Reference, Earlier: r.Amount, Status: r.Status}
	differs := got.Compare(asked)
	if e, is := MismatchEvent(Mismatch{}, Mismatch{}, differs, asked, got.Amount, FromLookup, t.now); is {
		if err := t.addAnswerEvent(r, e); err != nil {
			return err
		}
	}
	if differs.What&api.ReferenceDiffers != 0 {
		return t.updateLookup(r)
	}
	if got.HasAmount {
		r.Amount = got.Amount
	}
	keepStatus(&r.Status, &r.StatusAt, got.Status, t.now)
	if err := t.updateLookup(r); err != nil {
		return err
	}
	if err := t.addAnswerEvent(r, StatusEvent(got.Status, FromLookup, t.now)); err != nil || !r.Status.State.Final() {
		return err
	}
	return t.resolveFinalizes(r.Destination, r.Reference, r.Status)
}

// beginLookup adds the row of a payment that is looked up for the first time.
func (t *writeTx) beginLookup(d Destination, ref api.Reference) (*lookupRow, error) {
	r := &lookupRow{Lookup: Lookup{Destination: storedDestination(d), Reference: ref, At: t.now, By: t.j.opts.Operator}}
	n, err := t.insert(insertLookup(), r)
	r.n = n
	return r, err
}

func (t *writeTx) updateLookup(r *lookupRow) error {
	return t.exec(updateLookup(), append(values(r), r.n)...)
}

// recordedMismatch is the mismatch in the history of a payment that was looked up.
func (t *readTx) recordedMismatch(r *lookupRow) (Mismatch, error) {
	events, err := t.eventsOf(r, "AND what = ? ORDER BY n", Differed)
	if err != nil || len(events) == 0 {
		return Mismatch{}, err
	}
	return RecordedMismatch([]Event{events[len(events)-1].Event}), nil
}

// lookup returns the row of a payment that was looked up, or [ErrNotFound].
func (t *readTx) lookup(d Destination, ref api.Reference) (*lookupRow, error) {
	return first(t.lookups("WHERE reference = ? AND "+atService, append([]any{string(ref)}, d.args()...)...))
}

// lookups reads rows of lookups; where is the rest of the query after FROM lookups.
func (t *readTx) lookups(where string, args ...any) ([]*lookupRow, error) {
	return collect(t, scanned(func() *lookupRow { return new(lookupRow) }), selectLookups()+where, args...)
}

// purgeLookups deletes the payments that were looked up last before a time.
func (t *writeTx) purgeLookups(before time.Time) error {
	return t.exec("DELETE FROM lookups WHERE answered < ?", unixNano(before))
}

// A lookupRow is a payment that was looked up, as it is stored.
type lookupRow struct {
	n int64
	Lookup
}

func (r *lookupRow) events() (*eventTable, int64) { return lookupEvents, r.n }

// columns are n and every other column but checksum, in the order of the table.
func (r *lookupRow) columns() []column {
	return []column{
		{"n", &r.n}, {"at", &r.At}, {"answered", &r.AnsweredAt},
		{"user", &r.By.User}, {"host", &r.By.Host}, {"ssh", &r.By.SSH},
		{"profile", &r.Profile}, {"environment", &r.Environment}, {"service", &r.Host}, {"fingerprint", &r.Fingerprint},
		{"reference", (*string)(&r.Reference)}, {"minor", &r.Amount.Minor}, {"currency", &r.Amount.Currency},
		{"status", documentedStatus{&r.Status, &r.StatusAt}}, {"status_text", &r.Status.Text}, {"seen_at", &r.StatusAt},
	}
}

var (
	selectLookups = sync.OnceValue(func() string { return "SELECT " + columnNames(new(lookupRow)) + " FROM lookups " })
	insertLookup  = sync.OnceValue(func() string { return insertSQL("lookups", new(lookupRow)) })
	updateLookup  = sync.OnceValue(func() string { return updateSQL("lookups", new(lookupRow)) })
)
