package listing

import (
	"context"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/query"
)

// Listed is a row as a list shows it, prints it and writes it to a file: with what is known of it elsewhere.
type Listed struct {
	api.Transaction
	Position int             // in the list, from 1; 0 for a row that is not in it
	Place    int             // in [Rows]
	Since    Known           // what is known of it since the scan that a query asks about, without its ID
	Differs  bool            // an answer about its payment differed
	Mismatch ledger.Mismatch // how
	// Unchecked is set where the journal could not be read: there may be a mismatch.
	Unchecked bool
}

// Gone reports whether the row was in an earlier scan, and is not in the last.
func (l Listed) Gone() bool { return l.Since.How == Gone }

// Differing has the payments about which an answer differed, and how.
type Differing interface {
	Differing(context.Context) (map[api.Reference]ledger.Mismatch, error)
}

// Mismatches holds the mismatch of each payment that has one: few do. Where the journal cannot be read it has what this run knows.
type Mismatches struct {
	of  map[api.Reference]ledger.Mismatch
	err error // the journal could not be read
}

// MismatchesOf reads them.
func MismatchesOf(ctx context.Context, payments Differing) (m Mismatches) {
	m.of, m.err = payments.Differing(ctx)
	return m
}

// Mark notes the mismatch of a row's payment.
func (m Mismatches) Mark(l *Listed) {
	if len(m.of) == 0 && m.err == nil {
		return
	}
	if payment, err := api.ParseReference(l.ID.Line(0)); err == nil && payment != "" {
		l.Mismatch, l.Differs = m.of[payment]
		l.Unchecked = m.err != nil && !l.Differs
	}
}

// Known tells what an earlier scan or the ledger knows of a row.
type Known struct {
	ID  string
	How string // New, Gone … of an earlier scan, Here, Differs … of the ledger
	Was string // the status in the earlier scan; "" for none
	// Seen is the end of the scan that found the row so; zero for what the ledger knows.
	Seen time.Time
}

// How a row stands to an earlier scan.
const (
	New    = "new"
	Moved  = "moved"  // its status differs
	Amount = "amount" // its amount or its currency differs, and its status does not
	Back   = "back"   // it was something else in between
	Passed = "passed" // it came and went in between
	Gone   = "gone"
)

// How a row stands to the payments of the ledger.
const (
	Here    = "here" // one of them, and nothing speaks against it
	Differs = "differs"
	Found   = "found"  // it is not known, or was denied, that it was made; but a row has the ID that was sent with it
	Absent  = "absent" // the whole list was read, other references are IDs in it, and this one is not
	notHere = "not-here"
)

// ofLedger stands for the ledger among the scans that are asked about.
const ofLedger = "ledger"

// beside is the place from which there are rows that are not in the list: those that are gone, or absent.
const beside = 1 << 30

// InList reports whether a place is one in the list.
func InList(n int) bool { return n < beside }

// Asked returns the scans that a query asks about, as its fields [FieldSince] and [FieldGone] name them.
func Asked(q query.Query) (all []string) {
	for _, t := range q.Terms {
		if t.Field == FieldSince || t.Field == FieldGone {
			for _, v := range t.Values {
				all = append(all, v.Text)
			}
		}
	}
	return all
}

// AsksLedger reports whether a query asks about the payments that were made from here.
func AsksLedger(q query.Query) bool { return q.Asks(FieldMade) || q.Asks(FieldLedger) }

// Forget forgets what is known since a scan that is asked about.
func (r *Rows) Forget(ctx context.Context, asked string) error {
	db, err := r.reader()
	if err != nil || db == nil {
		return err
	}
	_, err = db.ExecContext(ctx, `DELETE FROM odd WHERE n IN (SELECT n FROM beside WHERE asked = ?1);
		DELETE FROM beside WHERE asked = ?1; DELETE FROM known WHERE asked = ?1`, asked)
	return err
}

// Know puts beside the rows what is known of some since a scan that is asked about, besides what is known already. others are
// rows that are not in the list.
func (r *Rows) Know(ctx context.Context, asked string, all []Known, others []api.Transaction) error {
	r.adder.Lock()
	defer r.adder.Unlock()
	if err := r.begin(); err != nil {
		return err
	}
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, k := range all {
		if _, err := tx.Exec("INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?, ?)", asked, k.ID, k.How, k.Was, k.Seen.UnixMilli()); err != nil {
			return err
		}
	}
	var place int
	if err := tx.QueryRow("SELECT coalesce(max(n) + 1, ?1) FROM odd WHERE n >= ?1", beside).Scan(&place); err != nil {
		return err
	}
	for i := range others {
		one, kind, err := r.recordOf(tx, &others[i])
		if err == nil {
			err = r.insert(ctx, tx, "odd", place+i, one, kind)
		}
		if err == nil {
			_, err = tx.Exec("INSERT INTO beside VALUES (?, ?)", place+i, asked)
		}
		if err != nil {
			return err
		}
	}
	if err = tx.Commit(); err == nil && len(others) > 0 {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.odd = true
	}
	return err
}

// Payments calls f with the payments that may have been made from here, some at a time.
type Payments func(ctx context.Context, f func([]journal.PaymentRecord) error) error

// mostAbsent limits how many payments without a row are listed, the newest: more than a person reads.
const mostAbsent = 10_000

// A Ledger counts the payments that were compared with rows.
type Ledger struct {
	Payments   int // that were compared
	References int // those whose reference is known
	Joined     int // of these, those whose reference is the ID of a row
	LeftOut    int // made after reading began, with another key, or not at all; or still being sent
	Older      int // absent ones that are not listed
}

// KnowLedger marks the rows that are payments made from here, or may be, and notes how each compares with its payment.
// A payment is called absent only where the whole list was read, stood still meanwhile, and has other references.
func (r *Rows) KnowLedger(ctx context.Context, st State, payments Payments) (Ledger, error) {
	l := comparison{rows: r, st: st, claimed: map[string]string{}}
	if err := payments(ctx, func(some []journal.PaymentRecord) error { return l.add(ctx, some) }); err != nil {
		return l.Ledger, err
	}
	named, err := r.With(ctx, l.named...)
	if err != nil {
		return l.Ledger, err
	}
	for _, id := range l.named {
		if len(named[id]) > 0 && l.claimed[id] == "" {
			l.claimed[id] = Found
		}
	}
	var known []Known
	for id, how := range l.claimed {
		known = append(known, Known{ID: id, How: how})
	}
	var absent []api.Transaction
	if l.Joined > 0 && st.Phase == Done && st.Verdict.Trusted {
		l.Older = max(len(l.absent)-mostAbsent, 0)
		for _, p := range slices.Backward(l.absent[:len(l.absent)-l.Older]) {
			id := api.Clean(string(p.Reference))
			absent = append(absent, api.Transaction{
				ID: id, Amount: p.Amount, Known: !p.Amount.Currency.IsZero(), Raw: api.Clean(p.Amount.MinorText()),
				Currency: api.Clean(p.Amount.Currency.Code()), Status: p.Status,
			})
			known = append(known, Known{ID: id.Line(0), How: Absent})
		}
	}
	if err := r.Forget(ctx, ofLedger); err != nil {
		return l.Ledger, err
	}
	return l.Ledger, r.Know(ctx, ofLedger, known, absent)
}

// A comparison compares payments with rows.
type comparison struct {
	rows    *Rows
	st      State
	absent  []journal.PaymentRecord // whose reference is the ID of no row, newest first
	named   []string                // by an answer to payments whose reference is not known
	claimed map[string]string       // how rows that are payments stand to these, by their IDs
	Ledger
}

func (l *comparison) add(ctx context.Context, some []journal.PaymentRecord) error {
	var ids []string
	for _, p := range some {
		ids = append(ids, string(p.Reference), p.OwnReference)
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	found, err := l.rows.With(ctx, ids...)
	if err != nil {
		return err
	}
	for _, p := range some {
		if p.Mismatch.Decision == ledger.NotOurs || p.Outcome == ledger.Sent {
			l.LeftOut++
			continue
		}
		id := string(p.Reference)
		rows := found[id]
		if len(rows) > 0 {
			l.Joined++
		} else {
			id = p.OwnReference
			rows = found[id]
		}
		switch never := p.Outcome == ledger.Unresolved && p.Decision == ledger.NotFound; {
		case len(rows) > 0:
			// Of several payments that may have a row, one that differs counts first, and one in doubt last.
			if how, before := l.how(p, rows), l.claimed[id]; before == "" || how == Differs || before == Found {
				l.claimed[id] = how
			}
		case never || !p.LatestMade().Before(l.st.Began) || p.OtherKey && (p.Named == "" || p.Reference != ""):
			l.LeftOut++
			continue
		case p.Reference != "":
			l.absent = append(l.absent, p)
		case p.Named != "":
			l.named = append(l.named, p.Named)
		}
		if l.Payments++; p.Reference != "" {
			l.References++
		}
	}
	return nil
}

// how tells how a payment stands to the rows with its ID: the worst of them counts.
func (l *comparison) how(p journal.PaymentRecord, rows []api.Transaction) string {
	switch {
	case p.Outcome == ledger.Unresolved && p.Reference == "":
		return Found
	case p.Mismatch.InDoubt(): // the row may say what was asked for, but another answer did not
		return Differs
	}
	for _, row := range rows {
		if s, _ := Judge(p.Attempt, row, l.st.Began); s == RowDiffers {
			return Differs
		}
	}
	return Here
}

// A Standing tells how a payment that was made from here stands to its row.
type Standing uint8

// The standings.
const (
	RowAgrees  Standing = iota // its row says the same
	RowDiffers                 // its row, or an answer that no person decided to be right, has another amount, currency or final status
	RowMoved                   // its row has a status that may follow the last one known here
	RowBehind                  // its row was read before its final status became known here
)

// Judge returns how a payment stands to the row that has its reference, and how that row differs. read is the time at which
// reading the rows began: the row need not have what was learned about the payment after that.
func Judge(a ledger.Attempt, row api.Transaction, read time.Time) (Standing, api.Difference) {
	d := row.Compare(a.Asked())
	behind := d.What&api.StatusDiffers != 0 && !row.Status.State.Final() && !a.StatusAt.Before(read)
	if behind {
		d.What, d.Status = d.What&^api.StatusDiffers, api.Text{}
	}
	decided := a.Mismatch.Decision == ledger.AnswerRight && d.What&^a.Mismatch.What == 0 && d.Answered == a.Mismatch.Answered
	switch {
	case !d.IsZero() && !decided:
		return RowDiffers, d
	case behind:
		return RowBehind, api.Difference{}
	case d.What&api.StatusDiffers == 0 && row.Status.State != a.Status.State:
		return RowMoved, api.Difference{}
	}
	return RowAgrees, api.Difference{}
}
