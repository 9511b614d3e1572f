package listing

import (
	"context"
	"slices"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/money"
)

// rowsOf are the rows that have an ID, in exactly that spelling.
func (r *Reconciliation) rowsOf(id string) []int {
	return slices.DeleteFunc(r.rows.all(id), func(i int) bool { return i >= r.Rows })
}

// all are the rows with an ID.
func (r *Rows) all(id string) (all []int) {
	if r.Len() == 0 {
		return nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	first, is := r.find(id)
	if !is {
		return nil
	}
	all = append(all, first)
	for _, i := range r.index.others[int32(first)] {
		all = append(all, int(i))
	}
	return all
}

// claim notes that a row belongs to a payment.
func (r *Reconciliation) claim(i int) {
	if !r.isClaimed(i) {
		r.claims[i/64] |= 1 << (i % 64)
		r.Claimed++
	}
}

func (r *Reconciliation) isClaimed(i int) bool { return r.claims[i/64]&(1<<(i%64)) != 0 }

// CandidatesOf are the first rows that could be a payment, at most so many. It looks no further than these, or than until
// ctx ends.
func (r *Reconciliation) CandidatesOf(ctx context.Context, p journal.PaymentRecord, most int) (rows []int) {
	may := amounts(p)
	r.rows.eachAmount(r.Rows, func(i int, a money.Amount, s api.State) bool {
		if slices.Contains(may, a) && !r.isClaimed(i) && follows(p, s, r.Began) {
			rows = append(rows, i)
		}
		return len(rows) < most && (i%chunkRows != 0 || ctx.Err() == nil)
	})
	return rows
}

// Row is the i-th row that was compared.
func (r *Reconciliation) Row(i int) api.Row { return r.rows.At(i) }

// eachAmount calls f with the amount and the status of each of the first n rows; the amount has no currency where it is
// not known. It ends when f returns false.
func (r *Rows) eachAmount(n int, f func(i int, a money.Amount, s api.State) bool) {
	for from := 0; from < n && r.eachInChunk(from, min(from+chunkRows, n), f); from += chunkRows {
	}
}

// eachInChunk is that of the rows of one chunk, so that a scan that goes on waits no longer than for these.
func (r *Rows) eachInChunk(from, to int, f func(i int, a money.Amount, s api.State) bool) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	c := r.chunks[from/chunkRows]
	for i := from; i < to; i++ {
		k := i % chunkRows
		var a money.Amount
		if c.form[k]&known != 0 {
			a = money.Amount{Minor: c.minor[k], Currency: r.currencies.all[c.currency[k]].known}
		}
		if !f(i, a, r.statuses.all[c.status[k]].State) {
			return false
		}
	}
	return true
}
