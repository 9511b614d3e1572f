package listing

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"paydesk/api/money"
)

// A Histogram shows how the amounts in one currency are spread, on a logarithmic scale: three bins to each power of ten.
type Histogram struct {
	Currency money.Currency
	Bins     []Bin // from the lowest amount to the highest; those between them that are empty too
	Rows     int   // in the bins
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

// histograms returns those of all known currencies, by their codes. Rows whose amount is not known are in none.
func (u adding) histograms() (all []Histogram) {
	for _, p := range u {
		if len(p.bins) > 0 {
			all = append(all, p.histogram())
		}
	}
	slices.SortFunc(all, func(a, b Histogram) int { return cmp.Compare(a.Currency.Code(), b.Currency.Code()) })
	return all
}

// histogram has the bins from the first with a row to the last.
func (p *part) histogram() Histogram {
	h, some := Histogram{Currency: p.in}, slices.Sorted(maps.Keys(p.bins))
	for i := some[0]; i <= some[len(some)-1]; i++ {
		high := int64(math.MaxInt64)
		if i+1 < len(bounds) {
			high = bounds[i+1] - 1
		}
		h.Bins = append(h.Bins, Bin{money.Amount{Minor: bounds[i], Currency: p.in}, money.Amount{Minor: high, Currency: p.in}, p.bins[i]})
		h.Rows += p.bins[i]
	}
	return h
}
