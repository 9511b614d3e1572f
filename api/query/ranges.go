package query

import (
	"strings"

	"paydesk/api/text"
)

// An amount, and an amount or a range.
const (
	figure        = `-?[0-9][0-9,]*(?:\.[0-9]+)?`
	amountOrRange = `(?:(?:` + figure + `)?\.\.(?:` + figure + `)?|` + figure + `)`
)

// The forms in which people write an amount.
var (
	// digitRun is digits with single separators between them.
	digitRun = text.Pattern(`[0-9]+(?:[,.][0-9]+)*`)
	// groups is a number with commas between thousands.
	groups = text.Pattern(`^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`)
	// ambiguousComma is a comma that may separate thousands, decimals or two amounts. With a blank after it, it separates two.
	ambiguousComma = text.Pattern(`[0-9],[0-9]`)
	// ranges are amounts and ranges, where either end may be left out.
	ranges = text.Pattern(`^` + amountOrRange + `(?:,\s*` + amountOrRange + `)*$`)
	// number is one that only has too many digits when it is not parsed.
	number = text.Pattern(`^-?[0-9]+(\.[0-9]+)?$`)
	// dashed is a range as people write it elsewhere.
	dashed = text.Pattern(`^[0-9.]+[-–][0-9.]+$`)
	// withCurrency is an amount with a code or a sign of a currency.
	withCurrency = text.Pattern(`^\p{Sc}?[0-9.]+ ?(?:[A-Za-z]{3}|\p{Sc})$|^(?:[A-Za-z]{3}|\p{Sc})[0-9.]+$`)
)

const (
	writeAmount   = "Write an amount such as 12.50, >100 or 100..250."
	writeRange    = "Write a range with two dots, as in 100..250."
	writeCurrency = "Write the currency apart, as in >100 gbp."
	writeComma    = "Leave this comma out, or put a blank after it for either of two amounts, as in 100, 250."
	writeForward  = "Write the smaller amount first, as in 100..250."
	writeLess     = "No amount has so many digits. " + writeAmount
)

// amounts returns the amounts that a text may also mean: a whole number includes those with a fraction, as 31 does
// 31.50. ok is false for what is only text.
func (i item) amounts() (r Range, ok bool) {
	if i.quoted || i.head || i.tail || strings.HasPrefix(i.text, "-") || strings.Contains(i.text, ",") && !isGrouped(i.text) {
		return r, false
	}
	d, ok := ParseDecimal(strings.ReplaceAll(i.text, ",", ""))
	r.Low = Bound[Decimal]{At: d, Set: ok}
	if r.High = r.Low; ok && !strings.Contains(d.String(), ".") {
		r.High = Bound[Decimal]{At: d.next(), Set: true, Open: true}
	}
	return r, ok
}

// looksLikeRange reports whether a text without a field is meant as a range of amounts, among others or alone.
func looksLikeRange(s string) bool {
	return strings.Contains(s, "..") && strings.ContainsAny(s, "0123456789") && ranges().MatchString(s)
}

func isGrouped(s string) bool { return groups().MatchString(s) }

// parts divides the values of a token at its commas, whatever is in them.
func parts(t token) (all []item) {
	at := t.at
	for text := range strings.SplitSeq(t.text, ",") {
		trimmed := strings.TrimSpace(text)
		from := min(at+strings.Index(text, trimmed), t.end-1) // of an empty one, the comma before it
		all = append(all, item{text: trimmed, start: from, end: from + len(trimmed)})
		at += len(text) + 1
	}
	return all
}

// amounts reads the ranges of a token.
func (p *parser) amounts(t token) (ranges []Range) {
	all := parts(t)
	if len(all) > 1 && ambiguousComma().MatchString(t.text) && !twoPoints(all) {
		plain := digitRun().ReplaceAllStringFunc(t.text, func(s string) string {
			if isGrouped(s) && strings.Contains(s, ".") { // its commas can only separate thousands
				return strings.ReplaceAll(s, ",", "")
			}
			return s
		})
		if ambiguousComma().MatchString(plain) {
			p.problem(t.at, t.end, writeComma)
			return nil
		}
		t.text = plain
		all = parts(t)
		for i := range all { // what was left out moved them
			all[i].start, all[i].end = t.at, t.end
		}
	}
	for _, one := range all {
		r, wrong := readSpan(one.text, writeAmount, readAmount)
		if wrong == "" && r.Low.Set && r.High.Set && r.Low.At.Cmp(r.High.At) > 0 {
			wrong = writeForward
		}
		if wrong != "" {
			p.problem(one.start, one.end, wrong)
			continue
		}
		ranges = append(ranges, Range{r})
	}
	return ranges
}

// twoPoints reports whether every amount has decimals, so that no comma can be within one.
func twoPoints(all []item) bool {
	for _, one := range all {
		if d, ok := ParseDecimal(one.text); !ok || !strings.Contains(d.String(), ".") {
			return false
		}
	}
	return true
}

// readAmount reads an amount, or says what is wrong with it. An amount is its own first and last.
func readAmount(s string) (d, same Decimal, wrong string) {
	d, ok := ParseDecimal(s)
	switch {
	case ok:
		return d, d, ""
	case number().MatchString(s):
		return d, d, writeLess
	case dashed().MatchString(s):
		return d, d, writeRange
	case withCurrency().MatchString(s):
		return d, d, writeCurrency
	}
	return d, d, writeAmount
}

const (
	writeDay     = "Write a day as 2026-11-23, 2026-11, today, yesterday or 7d, or two as 2026-11-01..today."
	writeEarlier = "Write the earlier day first, as in 2026-11-20..2026-11-23."
)

// dayRanges reads the days of a token.
func (p *parser) dayRanges(t token) (all []DayRange) {
	for _, one := range parts(t) {
		r, wrong := readSpan(one.text, writeDay, func(s string) (first, last DayNumber, wrong string) {
			first, last, ok := p.l.days(s)
			return first, last, pick(ok, "", writeDay)
		})
		switch {
		case wrong != "":
		case r.Low.Open && r.Low.At == lastDay || r.High.Open && r.High.At == firstDay:
			wrong = writeDay
		case r.Low.Open:
			r.Low = Bound[DayNumber]{At: r.Low.At + 1, Set: true}
		case r.High.Open:
			r.High = Bound[DayNumber]{At: r.High.At - 1, Set: true}
		case r.Low.Set && r.High.Set && r.High.At < r.Low.At:
			wrong = writeEarlier
		}
		if wrong != "" {
			p.problem(one.start, one.end, wrong)
			continue
		}
		all = append(all, DayRange{r})
	}
	return all
}

// A Bound is an end of a range.
type Bound[T any] struct {
	At   T
	Set  bool // false for no bound
	Open bool // At itself is outside
}

// A span is a range of points in an order.
type span[T comparable] struct{ Low, High Bound[T] }

// readSpan reads a value, a comparison or a range, or says what is wrong with it; expected is said where nothing else is. A value is all
// from a first to a last, as a month is.
func readSpan[T comparable](s, expected string, value func(string) (first, last T, wrong string)) (r span[T], wrong string) {
	low, high, isRange := strings.Cut(s, "..")
	switch {
	case low == "" && high == "":
		return r, expected
	case isRange:
		if low != "" {
			r.Low.Set = true
			r.Low.At, _, wrong = value(low)
		}
		if high != "" && wrong == "" {
			r.High.Set = true
			_, r.High.At, wrong = value(high)
		}
		return r, wrong
	}
	text := strings.TrimLeft(s, compares)
	first, last, wrong := value(strings.TrimSpace(text))
	switch s[:len(s)-len(text)] {
	case "", "=", "==":
		r.Low, r.High = Bound[T]{At: first, Set: true}, Bound[T]{At: last, Set: true}
	case ">":
		r.Low = Bound[T]{At: last, Set: true, Open: true}
	case ">=", "=>":
		r.Low = Bound[T]{At: first, Set: true}
	case "<":
		r.High = Bound[T]{At: first, Set: true, Open: true}
	case "<=", "=<":
		r.High = Bound[T]{At: last, Set: true}
	default:
		return r, pick(wrong == "", expected, wrong)
	}
	return r, wrong
}

// single reports whether the range is one value.
func (r span[T]) single() bool {
	return r.Low.Set && r.High.Set && !r.Low.Open && !r.High.Open && r.Low.At == r.High.At
}
