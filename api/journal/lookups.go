package journal

import (
	"context"
	"sync"
	"time"

	"paydesk/api"
)

// Lookups returns at most n payments that were looked up at a destination, the last answered first.
// One that was found to be an attempt's since is not among them.
func (j *Journal) Lookups(ctx context.Context, d Destination, n int) ([]Lookup, error) {
	return ask(ctx, j, func(t *readTx) (all []Lookup, err error) {
		rows, err := t.lookups("WHERE "+atService+" ORDER BY answered DESC, n DESC", atArgs(d)...)
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
	if rejectCardNumber(string(got.Reference)) != nil {
		return nil
	}
	r, err := t.lookup(d, got.Reference)
	if err == ErrNotFound {
		r, err = t.beginLookup(d, got.Reference)
	}
	if err != nil {
		return err
	}
	events := r.Checked(got, t.now)
	if err := t.updateLookup(r); err != nil {
		return err
	}
	for _, e := range events {
		if err := t.addEvent(r, e); err != nil {
			return err
		}
	}
	if !r.Status.State.Final() {
		return nil
	}
	all, err := t.byReference(d, r.Reference)
	if err != nil {
		return err
	}
	return t.apply(all, t.console().Prove(r.Destination, r.Reference, r.Status, inRows(all))...)
}

// beginLookup adds the row of a payment that is looked up for the first time.
func (t *writeTx) beginLookup(d Destination, ref api.Reference) (*lookupRow, error) {
	r := &lookupRow{Lookup: Lookup{Destination: d.Stored(), Reference: ref, At: t.now, By: t.j.opts.Operator}}
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
	return first(t.lookups("WHERE reference = ? AND "+atService, append([]any{string(ref)}, atArgs(d)...)...))
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
