package journal

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"paydesk/api"
	"paydesk/api/ledger"
)

// Record returns how the payment with a reference stands at a destination, and its history, oldest first: that of the
// attempt that made it, or of a payment that was made elsewhere what was looked up, with its finalizes and whether it is
// pinned. The error is [ledger.ErrNotFound] where the journal has nothing of it.
func (j *Journal) Record(ctx context.Context, d ledger.Destination, ref api.Reference) (e ledger.Entry, history []ledger.Event, err error) {
	err = j.read(ctx, func(t *readTx) error {
		var of []ledger.Entry
		if e, of, err = t.payment(d, ref); err == nil {
			history, err = t.historyOf(finalizePrefix, of...)
		}
		return err
	})
	return e, history, err
}

// Standing returns, as [Journal.Record] does, how payments stand at a destination, without those unknown to the journal.
func (j *Journal) Standing(ctx context.Context, d ledger.Destination, payments []api.Reference) (map[api.Reference]ledger.Entry, error) {
	read, err := ask(ctx, j, func(t *readTx) ([]ledger.Entry, error) { return t.recorded(d, payments) })
	all := map[api.Reference]ledger.Entry{}
	for _, e := range read {
		all[e.Reference] = e
	}
	return all, err
}

// View returns what a console follows at a destination, each once: what needs attention, as [Journal.Unfinished] lists it, and
// how the payments that are pinned there and some others stand, as [Journal.Record] has them. A finalize of a payment that needs
// attention is part of that payment.
func (j *Journal) View(ctx context.Context, d ledger.Destination, payments []api.Reference) ([]ledger.Entry, error) {
	return ask(ctx, j, func(t *readTx) (all []ledger.Entry, err error) {
		open, err := t.unfinished(d)
		pinned, failed := t.pinned(d)
		if err = cmp.Or(err, failed); err != nil {
			return nil, err
		}
		has := map[api.Reference]bool{} // these were read
		for _, a := range open {
			has[a.Reference] = has[a.Reference] || a.Kind == ledger.Initiate
		}
		for _, a := range open {
			if a.Kind != ledger.Finalize || !has[a.Reference] {
				all = append(all, ledger.Entry{Attempt: a})
			}
		}
		pins := map[api.Reference]ledger.Entry{}
		for _, p := range pinned {
			pins[p.Reference], payments = p, append(slices.Clip(payments), p.Reference)
		}
		others, err := t.recorded(d, slices.DeleteFunc(slices.Clone(payments), func(r api.Reference) bool { return has[r] }))
		all = append(all, others...)
		for i, e := range all {
			if p, is := pins[e.Reference]; is && e.Kind != ledger.Finalize {
				all[i].PinnedAt, all[i].PinnedBy = p.PinnedAt, p.PinnedBy
			}
		}
		return all, err
	})
}

// recorded returns how payments stand, each once, without those unknown to the journal.
func (t *readTx) recorded(d ledger.Destination, payments []api.Reference) (all []ledger.Entry, err error) {
	of, err := t.ofPayments(d, payments...)
	for _, ref := range payments {
		if rows := of[ref]; len(rows) > 0 {
			all = append(all, t.standing(d, ref, rows))
			delete(of, ref)
		}
	}
	return all, err
}

// Payment returns the initiation that has a reference, or [ledger.ErrNotFound].
func (j *Journal) Payment(ctx context.Context, d ledger.Destination, ref api.Reference) (ledger.Attempt, error) {
	return ask(ctx, j, func(t *readTx) (ledger.Attempt, error) {
		e, _, err := t.payment(d, ref)
		if err == nil && e.Kind != ledger.Initiate {
			err = ledger.ErrNotFound
		}
		return e.Attempt, err
	})
}

// payment returns how a payment stands, and all that has its reference; [ledger.ErrNotFound] where nothing has.
func (t *readTx) payment(d ledger.Destination, ref api.Reference) (e ledger.Entry, of []ledger.Entry, err error) {
	all, err := t.ofPayments(d, ref)
	if of = all[ref]; err == nil && len(of) == 0 {
		err = ledger.ErrNotFound
	}
	return t.standing(d, ref, of), of, err
}

// ofPayments returns all that has one of some references: of each what was looked up, and then the attempts, oldest first.
func (t *readTx) ofPayments(d ledger.Destination, payments ...api.Reference) (map[api.Reference][]ledger.Entry, error) {
	all := map[api.Reference][]ledger.Entry{}
	for some := range slices.Chunk(payments, attemptsAtOnce) {
		in := oneOf("reference", some).and("reference <> '' AND "+atService, atArgs(d)...)
		rows, err := t.entries("entries", "WHERE "+in.sql+" ORDER BY kind <> 'payment', at, n", in.args...)
		if err != nil {
			return nil, err
		}
		of := map[api.Reference][]ledger.Entry{}
		for _, e := range rows {
			of[e.Reference] = append(of[e.Reference], e)
		}
		maps.Copy(all, of) // one that was asked for twice has its rows once
	}
	return all, nil
}

// standing returns a payment as it stands, from all its rows; it may be known by its finalizes alone.
func (t *readTx) standing(d ledger.Destination, ref api.Reference, of []ledger.Entry) ledger.Entry {
	e := ledger.Entry{Attempt: ledger.Attempt{Kind: ledger.Known, Destination: d, Reference: ref}}
	var pin ledger.Entry
	seen := slices.Clone(of)
	for i, r := range of {
		seen[i] = t.asSeen(r)
		switch r.Kind {
		case ledger.Known:
			e, pin = seen[i], r
		case ledger.Initiate:
			e = seen[i]
		}
	}
	e.FinalizedBy(pointers(seen))
	e.PinnedAt, e.PinnedBy = pin.PinnedAt, pin.PinnedBy
	return e
}

// pinned returns the payments that are pinned at a destination, the first pinned first.
func (t *readTx) pinned(d ledger.Destination) ([]ledger.Entry, error) {
	return t.entries("payments", "WHERE pinned <> 0 AND "+atService+" ORDER BY pinned, n", atArgs(d)...)
}

// Recent returns at most n payments that were made or found at a destination, newest first, whatever became of them, and
// then at most n that were made elsewhere and looked up, the last answered first.
func (j *Journal) Recent(ctx context.Context, d ledger.Destination, n int) ([]ledger.Entry, error) {
	return ask(ctx, j, func(t *readTx) ([]ledger.Entry, error) {
		at := atArgs(d)
		made, err := t.entries("attempts", "WHERE kind = 'initiate' AND reference <> '' AND "+atService+newestFirst+" LIMIT ?", append(at, n)...)
		if err != nil {
			return nil, err
		}
		for i := range made {
			made[i] = t.asSeen(made[i])
		}
		// In the inner query the columns that atService names are those of the payment that was made, o.
		looked, err := t.entries("payments", "WHERE answered <> 0 AND "+atService+" AND NOT EXISTS (SELECT 1 FROM attempts AS o WHERE o.reference = a.reference AND o.reference <> '' AND o.kind = 'initiate' AND "+
			atService+") ORDER BY answered DESC, n DESC LIMIT ?", slices.Concat(at, at, []any{n})...)
		return append(made, looked...), err
	})
}

// A PaymentRecord is an attempt to be compared with what others list: with the payment that it made, or may have made.
type PaymentRecord struct {
	ledger.Attempt
	// OtherKey is set where it was sent with a key that is known to differ from the key of the destination asked for:
	// at the same address that may be another account, with a list of its own.
	OtherKey bool
}

// mayHaveMade is the condition of a request that the service carried out, or may have.
const mayHaveMade = "outcome NOT IN ('refused', 'not sent')"

// EachPayment calls each with the payments that were made, or may have been made, at a destination, newest first: the
// initiations that were accepted, may still be answered, or are unresolved, whatever was decided about those, and of a
// payment that was made elsewhere its last finalize. It reads a few of them at a time, between which others can read
// and write. What is recorded after it began is left out.
func (j *Journal) EachPayment(ctx context.Context, d ledger.Destination, each func([]PaymentRecord) error) error {
	asked := func(*readTx) (quest, error) { return paymentQuest(d), nil }
	// An attempt whose console has ended is unresolved even where that cannot be written.
	read := func(t *readTx, rows []ledger.Entry) (all []PaymentRecord, err error) {
		for _, r := range rows {
			all = append(all, PaymentRecord{t.console().AsSeen(r).Attempt, d.HasOtherKey(r.Destination)})
		}
		return all, nil
	}
	var p Page[PaymentRecord]
	for from := 0; !p.Complete || from < p.Count; from += len(p.Rows) {
		var err error
		if p, err = find(ctx, j, asked, p.Search, from, attemptsAtOnce, from+attemptsAtOnce, read); err == nil && len(p.Rows) > 0 {
			err = each(p.Rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// paymentQuest is the search of [Journal.EachPayment].
func paymentQuest(d ledger.Destination) quest {
	at := atArgs(d)
	return quest{[]condition{{mayHaveMade + " AND " + atService + ` AND (
		kind = 'initiate' OR kind = 'finalize' AND reference <> '' AND NOT EXISTS (
			SELECT 1 FROM attempts AS o WHERE o.reference = a.reference AND o.reference <> '' AND ` + mayHaveMade + " AND " + atService + `
				AND (o.kind = 'initiate' OR o.kind = 'finalize' AND o.n > a.n)))`, slices.Concat(at, at)}}, condition{sql: "TRUE"}}
}

// EachPayment calls each with the payments that were made, or may have been made, at this service, as
// [Journal.EachPayment] does.
func (rec *Recorder) EachPayment(ctx context.Context, each func([]PaymentRecord) error) error {
	return rec.journal.EachPayment(ctx, rec.Place(ctx), each)
}
