package listing

import (
	"cmp"
	"slices"

	"paydesk/api"
	"paydesk/api/money"
)

// Totals are rows by currency and status.
type Totals struct {
	Rows     int
	Statuses []StatusTotal // in all currencies, without sums: money of different ones is never added
	// Currencies are those that are known, and then the words for others as they came; in both parts those with the most
	// rows first.
	Currencies []CurrencyTotal
}

// A CurrencyTotal is the rows in one currency.
type CurrencyTotal struct {
	Currency money.Currency // zero for one that is not known
	Text     api.Text       // as it came, of one that is not known
	StatusTotal
	Statuses []StatusTotal
}

// A StatusTotal is the rows with one status.
type StatusTotal struct {
	Class
	Rows   int
	Sum    money.Sum // of the rows with a known amount
	Unread int       // rows with none, which are not in the sum
}

// A Class is what rows are counted as: what their status means, its word where it is not recognised, and whether an
// answer about the payment differed, which counts before its status as it does in all of the console.
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

// A cellKey is a currency and a status by their numbers, and whether an answer differed.
type cellKey struct {
	currency, status uint32
	differs          bool
}

// Totals adds up the rows. differ are the ids of the payments about which an answer differed.
func (s Selection) Totals(differ []string) Totals {
	chunks, statuses, currencies := s.columns()
	numbers := s.Rows.numbers(differ)
	cells := map[cellKey]*StatusTotal{}
	var last cellKey
	var cell *StatusTotal
	s.each(chunks, func(c *chunk, k int, row int32) {
		key := cellKey{c.currency[k], c.status[k], len(numbers) > 0 && numbers[row]}
		if cell == nil || key != last {
			last = key
			if cell = cells[key]; cell == nil {
				cell = &StatusTotal{Sum: money.SumIn(currencies[key.currency].known)}
				cells[key] = cell
			}
		}
		cell.Rows++
		if c.form[k]&known != 0 {
			cell.Sum.Add(c.minor[k])
		} else {
			cell.Unread++
		}
	})
	t := tally{at: map[currency]*part{}}
	for key, cell := range cells {
		cell.Class = classOf(statuses[key.status], key.differs)
		t.add(currencies[key.currency], cell)
	}
	return t.totals()
}

func classOf(s api.Status, differs bool) Class {
	switch {
	case differs:
		return Class{Differs: true}
	case s.State == api.Unrecognised:
		return Class{Text: s.Text}
	}
	return Class{State: s.State}
}

// A tally puts together what has one currency, however it is spelled, and one classOf.
type tally struct {
	at    map[currency]*part
	whole part
}

// A part is the rows of one currency, or all.
type part struct {
	StatusTotal
	at map[Class]*StatusTotal
}

func (t *tally) add(in currency, cell *StatusTotal) {
	if !in.known.IsZero() {
		in.text = api.Text{}
	}
	p := t.at[in]
	if p == nil {
		p = &part{}
		p.Sum = money.SumIn(in.known)
		t.at[in] = p
	}
	p.add(cell, in.known)
	rows := *cell
	rows.Sum = money.Sum{}
	t.whole.add(&rows, money.Currency{})
}

func (p *part) add(cell *StatusTotal, in money.Currency) {
	if p.at == nil {
		p.at = map[Class]*StatusTotal{}
	}
	one := p.at[cell.Class]
	if one == nil {
		one = &StatusTotal{Class: cell.Class, Sum: money.SumIn(in)}
		p.at[cell.Class] = one
	}
	one.Add(*cell)
	p.StatusTotal.Add(*cell)
}

// totals puts everything into an order that is always the same.
func (t *tally) totals() Totals {
	all := Totals{Rows: t.whole.Rows, Statuses: t.whole.statuses()}
	for in, p := range t.at {
		all.Currencies = append(all.Currencies, CurrencyTotal{
			Currency: in.known, Text: in.text, StatusTotal: p.StatusTotal, Statuses: p.statuses(),
		})
	}
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
	for _, one := range p.at {
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

// last orders what is so behind what is not.
func last(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
