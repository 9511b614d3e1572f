package listing

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"math"
	"slices"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/api/statefile"
)

// Totals count rows by currency and status.
type Totals struct {
	Rows int
	// Unchecked is set where the journal could not be read: rows of payments with a mismatch may be counted by their status.
	Unchecked bool
	Statuses  []StatusTotal // in all currencies, without sums: money of different ones is never added
	// Currencies lists those that are known, and then the words for others as they came; in both parts those with the most
	// rows first.
	Currencies []CurrencyTotal
}

// A CurrencyTotal is the rows in one currency.
type CurrencyTotal struct {
	Currency money.Currency // zero for one that is not known
	Text     api.Text       // as it came, of one that is not known
	StatusTotal
	Statuses []StatusTotal
	// Bins show how the known amounts are spread, on a logarithmic scale: three to each power of ten, from the lowest amount to
	// the highest, with those between them that are empty.
	Bins []Bin
}

// A StatusTotal is the rows with one status.
type StatusTotal struct {
	Class
	Rows   int
	Sum    money.Sum // of the rows with a known amount
	Unread int       // rows with none, which are not in the sum
}

// A Class groups rows in a count: by what their status means, its word where it is not recognised, and whether an answer
// about the payment differed, which counts before its status as it does in all of the console.
type Class struct {
	State   api.State
	Text    api.Text // of [api.Unrecognised] alone
	Differs bool
}

// Add adds the rows of another total in the same currency.
func (t *StatusTotal) Add(o StatusTotal) {
	t.Rows, t.Unread = t.Rows+o.Rows, t.Unread+o.Unread
	t.Sum.Join(o.Sum)
}

// totalled limits how many places one statement adds up, so that nothing waits for long.
const totalled = 100_000

// Totals adds up the rows that a search finds.
func (r *Rows) Totals(ctx context.Context, s Search) (Totals, error) {
	u := adding{}
	differs, before := "0", []any(nil)
	if len(s.Mismatches.of) > 0 {
		ids, err := json.Marshal(slices.Collect(maps.Keys(s.Mismatches.of)))
		if err != nil {
			return Totals{}, err
		}
		differs, before = "id IN (SELECT value FROM json_each(?))", []any{string(ids)}
	}
	if n := r.Len(); s.To <= 0 || s.To > n {
		s.To = n
	}
	for part := s; ; part.From = part.To {
		if part.To = min(part.From+totalled, s.To); s.besides() != "" {
			part.To = s.To
		}
		db, err := r.reader()
		if err != nil || db == nil {
			return Totals{}, err
		}
		meets, args, err := part.where()
		if err != nil {
			return Totals{}, err
		}
		err = statefile.ForEach(ctx, db, func(rows *sql.Rows) error { return u.row(r, rows) },
			"SELECT kind, "+differs+", minor FROM "+r.from()+" WHERE "+meets, slices.Concat(before, args)...)
		if err != nil {
			return Totals{}, err
		}
		if part.To == s.To {
			all := u.totals()
			all.Unchecked = s.Mismatches.err != nil
			return all, nil
		}
	}
}

// adding adds up rows. Grouping them takes SQLite three times as long, and its sums may not pass 2^63.
type adding map[kind]*part // by a code, or the word for a currency that is not known

func (u adding) row(r *Rows, rows *sql.Rows) error {
	var at int
	var differs bool
	var minor sql.NullInt64
	if err := rows.Scan(&at, &differs, &minor); err != nil {
		return err
	}
	r.mu.Lock()
	k := r.kinds[at]
	r.mu.Unlock()
	in := u.part(k)
	to := in.cell(classOf(k, differs))
	if to.Rows++; !k.known {
		to.Unread++
		return nil
	}
	to.Sum.Add(minor.Int64)
	in.bins[binOf(minor.Int64)]++
	return nil
}

func classOf(k kind, differs bool) Class {
	switch {
	case differs:
		return Class{Differs: true}
	case k.status.State == api.Unrecognised:
		return Class{Text: k.status.Text}
	}
	return Class{State: k.status.State}
}

// A part is the rows of one currency, however it is spelled, or all.
type part struct {
	in    money.Currency
	cells map[Class]*StatusTotal
	bins  map[int]int // how many known amounts are in a bin
}

// part returns the part to which rows of a kind are added.
func (u adding) part(k kind) *part {
	of := kind{in: k.in}
	if k.in.IsZero() {
		of.currency = k.currency
	}
	if u[of] == nil {
		u[of] = &part{k.in, map[Class]*StatusTotal{}, map[int]int{}}
	}
	return u[of]
}

func (p *part) cell(c Class) *StatusTotal {
	if p.cells[c] == nil {
		p.cells[c] = &StatusTotal{Class: c, Sum: money.SumIn(p.in)}
	}
	return p.cells[c]
}

// totals puts everything into an order that is always the same.
func (u adding) totals() (all Totals) {
	whole := part{cells: map[Class]*StatusTotal{}}
	for of, p := range u {
		c := CurrencyTotal{Currency: p.in, Text: of.currency, StatusTotal: StatusTotal{Sum: money.SumIn(p.in)}, Statuses: p.statuses(), Bins: p.histogram()}
		for _, s := range c.Statuses {
			c.Add(s)
			s.Sum = money.Sum{}
			whole.cell(s.Class).Add(s)
		}
		all.Currencies, all.Rows = append(all.Currencies, c), all.Rows+c.Rows
	}
	all.Statuses = whole.statuses()
	slices.SortStableFunc(all.Currencies, func(a, b CurrencyTotal) int {
		return cmp.Or(last(a.Currency.IsZero(), b.Currency.IsZero()), b.Rows-a.Rows,
			cmp.Compare(a.Currency.Code(), b.Currency.Code()), cmp.Compare(a.Text.Line(0), b.Text.Line(0)))
	})
	return all
}

// classStates are the states in the order in which they are listed. An answer that differs comes behind them, and then what
// is not recognised.
var classStates = [...]api.State{
	api.Successful, api.Failed, api.Pending, api.Claimed, api.Initiated, api.BankAuthRequired, api.ActionRequired, api.Unrecognised,
}

func (p *part) statuses() []StatusTotal {
	var all []StatusTotal
	for _, one := range p.cells {
		all = append(all, *one)
	}
	place := func(s Class) int {
		if s.Differs {
			return 2*len(classStates) - 3
		}
		return 2 * slices.Index(classStates[:], s.State)
	}
	slices.SortStableFunc(all, func(a, b StatusTotal) int {
		return cmp.Or(place(a.Class)-place(b.Class), b.Rows-a.Rows, cmp.Compare(a.Text.Line(0), b.Text.Line(0)))
	})
	return all
}

// last orders those for which it is true behind the others.
func last(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// A Bin covers the amounts from Low to High, both included.
type Bin struct {
	Low, High money.Amount
	Rows      int
}

// bounds holds the amounts at which bins begin, in minor units: below zero, at zero, and from 1, 2 and 5 times each power of
// ten. Those are the same steps in major units, whatever decimals a currency has.
var bounds = func() (all []int64) {
	all = []int64{math.MinInt64, 0}
	for power := int64(1); ; power *= 10 {
		all = append(all, power, 2*power, 5*power)
		if power > math.MaxInt64/10 {
			return all
		}
	}
}()

// binOf returns the bin of a number of minor units.
func binOf(minor int64) int {
	at, found := slices.BinarySearch(bounds, minor)
	if !found {
		at--
	}
	return at
}

// histogram has the bins from the first with a row to the last.
func (p *part) histogram() (all []Bin) {
	some := slices.Sorted(maps.Keys(p.bins))
	if len(some) == 0 {
		return nil
	}
	for i := some[0]; i <= some[len(some)-1]; i++ {
		high := int64(math.MaxInt64)
		if i+1 < len(bounds) {
			high = bounds[i+1] - 1
		}
		all = append(all, Bin{money.Amount{Minor: bounds[i], Currency: p.in}, money.Amount{Minor: high, Currency: p.in}, p.bins[i]})
	}
	return all
}
