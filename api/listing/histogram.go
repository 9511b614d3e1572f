package listing

import (
	"cmp"
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

const positive = 2 // bounds[positive] is 1

// binOf returns the bin of a number of minor units.
func binOf(minor int64) int {
	switch {
	case minor < 0:
		return 0
	case minor == 0:
		return 1
	}
	at, found := slices.BinarySearch(bounds[positive:], minor)
	if !found {
		at--
	}
	return positive + at
}

// histograms returns those of all known currencies, by their codes. Rows whose amount is not known are in none.
func histograms(bins map[money.Currency][]int) (all []Histogram) {
	some := func(n int) bool { return n > 0 }
	for in, count := range bins {
		if slices.ContainsFunc(count, some) {
			all = append(all, histogram(in, count))
		}
	}
	slices.SortFunc(all, func(a, b Histogram) int { return cmp.Compare(a.Currency.Code(), b.Currency.Code()) })
	return all
}

// histogram leaves out the empty bins before the first with a row and after the last.
func histogram(in money.Currency, count []int) Histogram {
	h := Histogram{Currency: in}
	some := func(n int) bool { return n > 0 }
	first, last := slices.IndexFunc(count, some), len(count)
	for count[last-1] == 0 {
		last--
	}
	for i := first; i < last; i++ {
		high := int64(math.MaxInt64)
		if i+1 < len(bounds) {
			high = bounds[i+1] - 1
		}
		h.Bins = append(h.Bins, Bin{money.Amount{Minor: bounds[i], Currency: in}, money.Amount{Minor: high, Currency: in}, count[i]})
		h.Rows += count[i]
	}
	return h
}
