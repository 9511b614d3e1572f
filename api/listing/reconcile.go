package listing

import (
	"cmp"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/money"
)

// A Standing is how a payment that was made from here, or may have been, stands to the rows that were read.
type Standing uint8

// The standings, those that somebody should look at first. The service does not document that the ID of a row is the
// reference of its payment. Where no reference is an ID, payments are compared by their amounts alone, and none is
// said to be absent.
const (
	Differs   Standing = iota // its row has another amount, currency or final status, or an answer that nobody decided to be right had
	Found                     // it is not known, or was denied, that it was made; but a row has the ID that was sent with it, or that an answer named
	Absent                    // the whole list was read, other references are IDs in it, and this one is not
	NoRow                     // the whole list was read, no reference is an ID in it, and no row could be this payment
	NotSeen                   // nothing that was read could be it, or has its reference, but there may be more to read
	InDoubt                   // it is not known whether it was made; rows of its amount may be it
	Moved                     // its row has a status that may follow the last one known here
	Alike                     // no reference is an ID in the list; rows of its amount may be it
	Unclear                   // no reference is an ID in the list, and its amount is not known here
	Behind                    // its row was read before its final status became known here
	Agrees                    // its row says the same
	Standings                 // how many there are
)

// Judge is how a payment stands to the row that has its reference, and how that differs. read is when reading the
// rows began: what was learned about a payment after that, the row need not have.
func Judge(p journal.PaymentRecord, row api.Row, read time.Time) (Standing, api.Difference) {
	d := row.Compare(p.Asked())
	behind := d.What&api.StatusDiffers != 0 && !row.Status.State.Final() && !p.StatusAt.Before(read)
	if behind {
		d.What, d.Status = d.What&^api.StatusDiffers, api.Text{}
	}
	decided := p.MismatchDecision == journal.AnswerRight && d.What&^p.Differed == 0 && d.Answered == p.Answered
	switch {
	case !d.IsZero() && !decided:
		return Differs, d
	case behind:
		return Behind, api.Difference{}
	case d.What&api.StatusDiffers == 0 && row.Status.State != p.Status.State:
		return Moved, api.Difference{}
	}
	return Agrees, api.Difference{}
}

// A Join is what the ID of a row is to the payment that it belongs to.
type Join uint8

// The joins.
const (
	NotJoined   Join = iota
	ByReference      // the service's reference
	ByOwn            // the reference that was sent with it
	ByName           // what an answer named that nothing else could be believed of
)

// A Case is a payment and how it stands.
type Case struct {
	journal.PaymentRecord
	Standing   Standing
	Difference api.Difference // of a payment that [Differs], or of one that is [Found]
	Join       Join
	Row        int // with its ID, or the one of them that differs; -1 for none
	Same       int // rows with that ID
	Candidates int // rows that could be it, by their amount, currency and status, and that are no other payment's
	Sharing    int // other payments without a row that have its amount
}

// mostCases are the payments without a row that are kept, the newest: more than anybody reads.
const mostCases = 10_000

// A Reconciler compares payments with rows. Give it all payments, and then take its result.
type Reconciler struct {
	done    Reconciliation
	apart   []Case // without a row, oldest first
	buckets map[money.Amount]*bucket
}

// A bucket counts what has an amount and no counterpart.
type bucket struct {
	payments int
	rows     [api.Claimed + 1]int // by status
}

// A Reconciliation is how payments stand to the rows that were read.
type Reconciliation struct {
	Rows    int       // that were read
	Trusted bool      // these are the whole list: see [Verdict]
	Began   time.Time // when reading them began
	// Payments are those that were compared; References those of them whose reference is known, and Joined those of
	// these whose reference is the ID of a row.
	Payments, References, Joined int
	// Later may have been made after reading began, and are in no row; OtherKey were made with another key, whose list
	// may be another one, and are in no row; Sending are not answered yet; Never were recorded as never made, and NotOurs
	// as somebody else's. None of these was compared.
	Later, OtherKey, Sending, Never, NotOurs int
	Claimed                                  int // rows that belong to a payment
	Unreadable                               int // rows whose amount is not known, and which no payment can be found by
	Cases                                    []Case
	Left                                     int // payments without a row that were left out of Cases: the oldest, where there are very many

	counts [Standings]int
	claims []uint64 // a bit for each row
	rows   *Rows
}

// Count is how many payments have a standing, all that are in Cases and others.
func (r *Reconciliation) Count(s Standing) int { return r.counts[s] }

// AreReferences reports whether IDs in the list were seen to be references; known is false where no reference is known
// that could be one.
func (r *Reconciliation) AreReferences() (are, known bool) { return r.Joined > 0, r.References > 0 }

// NewReconciler compares with what a scan has read.
func NewReconciler(st State) *Reconciler {
	n := min(st.Read, st.Rows.Len())
	return &Reconciler{buckets: map[money.Amount]*bucket{}, done: Reconciliation{
		Rows: n, Trusted: st.Phase == Done && st.Verdict.Trusted, Began: st.Began, rows: st.Rows, claims: make([]uint64, (n+63)/64),
	}}
}

// Add compares more payments. Its error is always nil.
func (r *Reconciler) Add(payments []journal.PaymentRecord) error {
	for _, p := range payments {
		r.add(p)
	}
	return nil
}

func (r *Reconciler) add(p journal.PaymentRecord) {
	d := &r.done
	switch {
	case p.MismatchDecision == journal.NotOurs:
		d.NotOurs++
		return
	case p.Outcome == journal.Sent:
		d.Sending++
		return
	}
	c := Case{PaymentRecord: p, Row: -1}
	same := d.rowsOf(string(p.Reference))
	if c.Join = ByReference; len(same) == 0 {
		same, c.Join = d.rowsOf(p.OwnReference), ByOwn
	}
	switch never := p.Outcome == journal.Unresolved && p.Decision == journal.NotFound; {
	case len(same) > 0:
		d.counted(p, c.Join)
		r.keep(r.joined(c, same))
	case never:
		d.Never++
	case p.OtherKey && (p.Named == "" || p.Reference != ""):
		d.OtherKey++
	case !p.LatestMade().Before(d.Began):
		d.Later++
	default:
		d.counted(p, NotJoined)
		r.setApart(c)
	}
}

// counted counts a payment that is compared.
func (r *Reconciliation) counted(p journal.PaymentRecord, by Join) {
	r.Payments++
	if p.Reference != "" {
		r.References++
	}
	if by == ByReference {
		r.Joined++
	}
}

// joined is a payment and the rows that have its ID: the worst of them counts.
func (r *Reconciler) joined(c Case, same []int) Case {
	c.Standing, c.Same = Standings, len(same)
	for _, i := range same {
		r.done.claim(i)
		if s, d := Judge(c.PaymentRecord, r.done.rows.At(i), r.done.Began); s < c.Standing {
			c.Standing, c.Difference, c.Row = s, d, i
		}
	}
	switch {
	case c.Outcome == journal.Unresolved && c.Reference == "":
		c.Standing = Found
	case c.InDoubt(): // the row may say what was asked for, but another answer did not
		c.Standing = Differs
	}
	return c
}

// keep keeps a case, of those that agree only the number.
func (r *Reconciler) keep(c Case) {
	r.done.counts[c.Standing]++
	if c.Standing != Agrees {
		r.done.Cases = append(r.done.Cases, c)
	}
}

// setApart keeps a payment without a row until all rows that belong to others are known.
func (r *Reconciler) setApart(c Case) {
	if r.apart = append(r.apart, c); len(r.apart) >= 2*mostCases {
		r.leave(mostCases)
	}
}

// leave leaves out the oldest payments without a row.
func (r *Reconciler) leave(n int) {
	r.done.Left += n
	r.apart = append(r.apart[:0], r.apart[n:]...)
}

// amounts are those that the row of a payment may have: the one requested, and that with the stated fees.
func amounts(p journal.PaymentRecord) []money.Amount {
	if p.Amount.Currency.IsZero() {
		return nil
	}
	all := []money.Amount{p.Amount}
	asked := p.Asked()
	asked.Status = api.Status{}
	for _, minor := range []int64{p.Total, p.Amount.Minor + p.Fees} {
		a := money.Amount{Minor: minor, Currency: p.Amount.Currency}
		if row := (api.Row{Amount: a, Known: true}); row.Compare(asked).IsZero() && !slices.Contains(all, a) {
			all = append(all, a)
		}
	}
	return all
}

// Result compares what has no row by amount, and ends the comparison.
func (r *Reconciler) Result() *Reconciliation {
	d := &r.done
	r.leave(max(len(r.apart)-mostCases, 0))
	r.apart = slices.DeleteFunc(r.apart, r.isNamed) // before amounts are compared: these rows are no other's
	r.apart = slices.DeleteFunc(r.apart, r.hasOtherKey)
	r.countCandidates()
	for _, c := range r.apart {
		c.Join = NotJoined
		c.Candidates, c.Sharing = r.candidates(c.PaymentRecord)
		c.Standing = d.standing(c)
		r.keep(c)
	}
	slices.SortStableFunc(d.Cases, func(a, b Case) int {
		return cmp.Or(cmp.Compare(a.Standing, b.Standing), b.At.Compare(a.At), cmp.Compare(a.ID, b.ID))
	})
	return d
}

// isNamed reports whether an answer named the ID of a row that is no other payment's, and then keeps the payment with
// it.
func (r *Reconciler) isNamed(c Case) bool {
	same := r.done.rowsOf(c.Named)
	if len(same) == 0 || c.Reference != "" || slices.ContainsFunc(same, r.done.isClaimed) {
		return false
	}
	c.Join = ByName
	r.keep(r.joined(c, same))
	return true
}

// hasOtherKey reports whether a payment was made with another key, and then takes it out of those compared: the row
// that an answer named is not in this list.
func (r *Reconciler) hasOtherKey(c Case) bool {
	if c.OtherKey {
		r.done.Payments--
		r.done.OtherKey++
	}
	return c.OtherKey
}

// countCandidates counts the payments without a row and the rows without a payment that have the same amounts.
func (r *Reconciler) countCandidates() {
	for _, c := range r.apart {
		for _, a := range amounts(c.PaymentRecord) {
			b := r.buckets[a]
			if b == nil {
				b = new(bucket)
				r.buckets[a] = b
			}
			b.payments++
		}
	}
	d := &r.done
	d.rows.eachAmount(d.Rows, func(i int, a money.Amount, s api.State) bool {
		if a.Currency.IsZero() {
			d.Unreadable++
		} else if b := r.buckets[a]; b != nil && !d.isClaimed(i) {
			b.rows[s]++
		}
		return true
	})
}

// standing is that of a payment without a row.
func (r *Reconciliation) standing(c Case) Standing {
	references, _ := r.AreReferences()
	switch {
	case c.Reference == "":
		return InDoubt
	case references && r.Trusted:
		return Absent
	case references:
		return NotSeen
	case c.Amount.Currency.IsZero():
		return Unclear
	case c.Candidates > 0:
		return Alike
	case r.Trusted:
		return NoRow
	}
	return NotSeen
}

// candidates counts the rows that could be a payment, and the payments that they could be besides.
func (r *Reconciler) candidates(p journal.PaymentRecord) (rows, sharing int) {
	for _, a := range amounts(p) {
		b := r.buckets[a]
		for s, n := range b.rows {
			if n > 0 && follows(p, api.State(s), r.done.Began) {
				rows += n
			}
		}
		sharing = max(sharing, b.payments-1)
	}
	return rows, sharing
}

// follows reports whether a row with a status could be a payment.
func follows(p journal.PaymentRecord, s api.State, read time.Time) bool {
	p = journal.PaymentRecord{Status: p.Status, StatusAt: p.StatusAt} // of any amount
	is, _ := Judge(p, api.Row{Status: api.Status{State: s}}, read)
	return is != Differs
}
