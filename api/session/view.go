package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
)

// All lists the attempts of this run, what was left open and the latest payments, newest first, then the other payments that
// are pinned, and then those that were looked up.
func (t *Tracker) All() (all []Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var looked []Entry
	for _, e := range slices.Backward(t.entries) {
		switch {
		case e.IsElsewhere() && e.latest && !e.IsPinned():
			looked = append(looked, e)
		case !e.IsElsewhere() && (e.listed || e.latest || e.Open() || e.IsPinned()):
			all = append(all, e)
		}
	}
	pins := slices.DeleteFunc(t.pinned(), func(e Entry) bool { return !e.IsElsewhere() })
	return slices.Concat(all, pins, looked)
}

// Find returns the payment with a reference, and whether it was made here. The entry is zero where nothing is known of it.
func (t *Tracker) Find(r api.Reference) (e Entry, ours bool) {
	e, known := t.find(r)
	return e, known && !e.IsElsewhere()
}

func (t *Tracker) find(r api.Reference) (e Entry, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := t.index(r); i >= 0 {
		return t.entries[i], true
	}
	return Entry{}, false
}

// index returns where the payment with a reference is; -1 where it is not known.
func (t *Tracker) index(r api.Reference) int {
	return slices.IndexFunc(t.entries, func(e Entry) bool { return r != "" && e.Reference == r && e.IsPayment() })
}

// MismatchOf tells how the service answered something else about a payment than was asked: as it was recorded, else as
// the answers of its watch have it.
func MismatchOf(e Entry, s WatchState) ledger.Mismatch {
	if e.Mismatch.IsZero() {
		return ledger.Mismatch{Difference: s.Difference}
	}
	return e.Mismatch
}

// Recall reads what the journal has of a payment, wherever it was made. It does I/O: call it in a
// command.
func (t *Tracker) Recall(ctx context.Context, r api.Reference) error {
	err := t.recall(ctx, r)
	if errors.Is(err, ledger.ErrNotFound) {
		t.change(r, func(*Entry) {}) // it was asked for
		err = nil
	}
	return err
}

func (t *Tracker) recall(ctx context.Context, r api.Reference) error {
	t.reading.Lock()
	defer t.reading.Unlock()
	e, history, err := t.rec.Journal().Record(ctx, t.rec.Place(ctx), r)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.put(e, history).isLostIn(e) {
		return ledger.ErrNotFound
	}
	return nil
}

// isLostIn reports whether what the journal has of a payment cannot be all of one that was accepted here: the journal was
// lost, or an older one was put in its place. What is known here then stays.
func (e *Entry) isLostIn(read ledger.Entry) bool {
	return e.Kind == ledger.Initiate && e.Outcome == ledger.Accepted && (e.ID != read.ID || e.Reference != read.Reference)
}

// put takes what the journal has in place of what was known of an attempt, or of a payment; history is nil where that was
// not read.
func (t *Tracker) put(read ledger.Entry, history []ledger.Event) *Entry {
	i := slices.IndexFunc(t.entries, func(e Entry) bool { return e.Is(Entry{Entry: read}) })
	if i < 0 {
		i, t.entries = len(t.entries), append(t.entries, Entry{Sent: t.asSent(read.Attempt)})
	}
	e := &t.entries[i]
	if e.isLostIn(read) {
		return e
	}
	if e.ID != "" && e.ID != read.ID || e.Reference != "" && e.Reference != read.Reference { // a person decided otherwise
		*e = Entry{Sent: t.asSent(read.Attempt), listed: e.listed}
	}
	if e.Entry = read; history != nil {
		e.History = history
	}
	for _, f := range e.unwritten {
		if e.lacks(f) {
			e.History = e.Add(slices.Clone(e.History), f)
		}
	}
	return e
}

// lacks reports whether a fact says something that the entry does not have. An answer does if it is newer, or of whatever
// time if only it is final: nothing is asked after such an answer.
func (e *Entry) lacks(f ledger.Fact) bool {
	switch f.What.(type) {
	case ledger.Checked:
		after := e.Entry
		after.Add(nil, f)
		return f.At.After(e.StatusAt) || after.Status.State.Final() && !e.Status.State.Final()
	case ledger.Challenged:
		return !e.Challenged
	case ledger.CustomerDone:
		return !e.CustomerDone
	}
	return false
}

// see adds what happened to a payment now, which no journal has.
func (e *Entry) see(what ledger.Happening) {
	f := ledger.Console{Now: time.Now(), Operator: e.By}.Fact(e.ID, what)
	e.unwritten = append(slices.Clip(e.unwritten), f)
	e.History = e.Add(slices.Clone(e.History), f)
}

// change changes what is known of a payment.
func (t *Tracker) change(r api.Reference, f func(*Entry)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := t.index(r)
	if i < 0 {
		a := ledger.Attempt{Kind: ledger.Known, Reference: r, Destination: t.rec.Here()}
		i, t.entries = len(t.entries), append(t.entries, Entry{Entry: ledger.Entry{Attempt: a}})
	}
	f(&t.entries[i])
}

// said brings a payment up to date with what the service has just said of it. The journal has it too, unless it cannot be
// written, or does not keep what may be a card number.
func (t *Tracker) said(ctx context.Context, r api.Reference, what ledger.Happening) {
	err := t.recall(context.WithoutCancel(ctx), r)
	t.change(r, func(e *Entry) {
		// Where this answer could not be written, another may have been since, and no trouble is left.
		if err != nil || t.rec.Trouble() != nil || e.lacks(ledger.Fact{What: what}) {
			e.see(what)
		}
	})
}

// sent adds a payment that was sent in this run: as the journal has it, or where that cannot be read as it was answered.
func (t *Tracker) sent(ctx context.Context, id ledger.ID, in api.Initiation, p api.Payment) {
	t.reading.Lock()
	defer t.reading.Unlock()
	a, history, err := t.rec.Journal().History(context.WithoutCancel(ctx), id)
	read := ledger.Entry{Attempt: a}
	if err != nil || a.Outcome == ledger.Sent { // the answer is not written yet
		read, history = answered(id, in, p, t.rec.Here())
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.put(read, history)
	e.Sent, e.Answer, e.listed = withoutCard(in), p, true
}

// answered is a payment as it was sent and answered; it has no reference where that is not known.
func answered(id ledger.ID, in api.Initiation, p api.Payment, to ledger.Destination) (e ledger.Entry, history []ledger.Event) {
	now := time.Now()
	result := ledger.Result{Outcome: ledger.Unresolved}
	if p.Reference != "" {
		result = ledger.Result{Outcome: ledger.Accepted, Payment: &p}
	}
	e.Attempt = ledger.Attempt{
		ID: id, Kind: ledger.Initiate, At: now, Destination: to,
		Amount: in.Amount, Channel: in.Channel, Link: in.Link, OwnReference: in.OwnReference,
	}
	if in.Card != nil {
		e.Card = in.Card.PAN.LastFour()
	}
	facts := []ledger.Fact{{Of: id, At: now, What: ledger.Sending(e)}, {Of: id, At: now, What: ledger.Answered{Result: result, Source: ledger.FromInitiation}}}
	return ledger.Fold(facts)
}
