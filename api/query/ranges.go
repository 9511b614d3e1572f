package query

import (
	"strings"

	"paydesk/api/pattern"
)

// An amount, and an amount or a range.
const (
	figure        = `-?[0-9][0-9,]*(?:\.[0-9]+)?`
	amountOrRange = `(?:(?:` + figure + `)?\.\.(?:` + figure + `)?|` + figure + `)`
)

// The forms in which people write an amount.
var (
	// digitRun is digits with single separators between them.
	digitRun = pattern.Lazy(`[0-9]+(?:[,.][0-9]+)*`)
	// thousands is a number whose commas can only separate thousands.
	thousands = pattern.Lazy(`^[0-9]{1,3}(,[0-9]{3})+\.[0-9]+$`)
	// groups is a number with commas between thousands.
	groups = pattern.Lazy(`^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`)
	// ambiguousComma is a comma that may separate thousands, decimals or two amounts. With a blank after it, it separates two.
	ambiguousComma = pattern.Lazy(`[0-9],[0-9]`)
	// ranges are amounts and ranges, where either end may be left out.
	ranges = pattern.Lazy(`^` + amountOrRange + `(?:,\s*` + amountOrRange + `)*$`)
	// decimalOrGrouped is a number, perhaps with decimals or with commas between thousands.
	decimalOrGrouped = pattern.Lazy(`^[0-9]+(\.[0-9]+)?$|^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`)
	// number is one that only has too many digits when it is not parsed.
	number = pattern.Lazy(`^-?[0-9]+(\.[0-9]+)?$`)
	// dashed is a range as people write it elsewhere.
	dashed = pattern.Lazy(`^[0-9.]+[-–][0-9.]+$`)
	// withCurrency is an amount with a code or a sign of a currency.
	withCurrency = pattern.Lazy(`^\p{Sc}?[0-9.]+ ?(?:[A-Za-z]{3}|\p{Sc})$|^(?:[A-Za-z]{3}|\p{Sc})[0-9.]+$`)
)

const (
	writeAmount   = "Write an amount such as 12.50, >100 or 100..250."
	writeRange    = "Write a range with two dots, as in 100..250."
	writeCurrency = "Write the currency apart, as in >100 gbp."
	writeComma    = "Leave this comma out, or put a blank after it for either of two amounts, as in 100, 250."
	writeForward  = "Write the smaller amount first, as in 100..250."
	writeLess     = "No amount has so many digits. " + writeAmount
)

// amounts are those that a text is as well: of a whole number it and those with a fraction, as 31 stands for 31.50. ok is
// false for one that is only text.
func (i item) amounts() (r Range, ok bool) {
	if i.quoted || i.head || i.tail || !decimalOrGrouped().MatchString(i.text) {
		return r, false
	}
	d, ok := ParseDecimal(strings.ReplaceAll(i.text, ",", ""))
	r.Low = Bound{At: d, Set: ok}
	if r.High = r.Low; ok && !strings.Contains(d.String(), ".") {
		r.High = Bound{At: d.next(), Set: true, Open: true}
	}
	return r, ok
}

// looksLikeRange reports whether a text without a field is meant as a range of amounts, among others or alone.
func looksLikeRange(s string) bool {
	return strings.Contains(s, "..") && strings.ContainsAny(s, "0123456789") && ranges().MatchString(s)
}

func isGrouped(s string) bool { return groups().MatchString(s) }

// A part is a piece of the values of a token.
type part struct {
	text    string
	at, end int // where it stands, in bytes
}

// parts divides the values of a token at its commas.
func parts(t token) (all []part) {
	at := t.at
	for text := range strings.SplitSeq(t.text, ",") {
		trimmed := strings.TrimSpace(text)
		from := min(at+strings.Index(text, trimmed), t.end-1) // of an empty one, the comma before it
		all = append(all, part{trimmed, from, from + len(trimmed)})
		at += len(text) + 1
	}
	return all
}

// amounts reads the ranges of a token.
func (p *parser) amounts(t token) (ranges []Range) {
	all := parts(t)
	if len(all) > 1 && ambiguousComma().MatchString(t.text) && !twoPoints(all) {
		plain := digitRun().ReplaceAllStringFunc(t.text, func(s string) string {
			if thousands().MatchString(s) {
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
			all[i].at, all[i].end = t.at, t.end
		}
	}
	for _, one := range all {
		r, wrong := readRange(one.text)
		if wrong != "" {
			p.problem(one.at, one.end, wrong)
			continue
		}
		ranges = append(ranges, r)
	}
	return ranges
}

// twoPoints reports whether every amount has decimals, so that no comma can be within one.
func twoPoints(all []part) bool {
	for _, one := range all {
		if d, ok := ParseDecimal(one.text); !ok || !strings.Contains(d.String(), ".") {
			return false
		}
	}
	return true
}

// readRange reads an amount, a comparison or a range, or says what is wrong with it.
func readRange(s string) (r Range, wrong string) {
	low, high, isRange := strings.Cut(s, "..")
	if !isRange {
		return readComparison(s)
	}
	if low == "" && high == "" {
		return r, writeAmount
	}
	if r.Low.Set = low != ""; r.Low.Set {
		if r.Low.At, wrong = readAmount(low); wrong != "" {
			return r, wrong
		}
	}
	if r.High.Set = high != ""; r.High.Set {
		if r.High.At, wrong = readAmount(high); wrong != "" {
			return r, wrong
		}
	}
	if r.Low.Set && r.High.Set && r.Low.At.Cmp(r.High.At) > 0 {
		return r, writeForward
	}
	return r, ""
}

func readComparison(s string) (r Range, wrong string) {
	number := strings.TrimLeft(s, compares)
	sign := s[:len(s)-len(number)]
	d, wrong := readAmount(strings.TrimSpace(number))
	if wrong != "" {
		return r, wrong
	}
	r.Low, r.High, wrong = compared(sign, d)
	return r, wrong
}

// compared is the range of a comparison.
func compared(sign string, d Decimal) (low, high Bound, wrong string) {
	at := Bound{At: d, Set: true}
	beyond := Bound{At: d, Set: true, Open: true}
	switch sign {
	case "", "=", "==":
		return at, at, ""
	case ">":
		return beyond, high, ""
	case ">=", "=>":
		return at, high, ""
	case "<":
		return low, beyond, ""
	case "<=", "=<":
		return low, at, ""
	}
	return low, high, writeAmount
}

func readAmount(s string) (d Decimal, wrong string) {
	d, ok := ParseDecimal(s)
	switch {
	case ok:
		return d, ""
	case number().MatchString(s):
		return d, writeLess
	case dashed().MatchString(s):
		return d, writeRange
	case withCurrency().MatchString(s):
		return d, writeCurrency
	}
	return d, writeAmount
}

// dayRanges reads the days of a token.
func (p *parser) dayRanges(t token) (all []DayRange) {
	for _, one := range parts(t) {
		if r, wrong := p.l.dayRange(one.text); wrong != "" {
			p.problem(one.at, one.end, wrong)
		} else {
			all = append(all, r)
		}
	}
	return all
}

// dayRange reads a day, a comparison or a range of days, or says what is wrong with it.
func (l *Language) dayRange(s string) (r DayRange, wrong string) {
	const expected = "Write a day as 2026-11-23, 2026-11, today, yesterday or 7d, or two as 2026-11-01..today."
	first, last, isRange := strings.Cut(s, "..")
	if !isRange {
		if r, ok := l.comparedDay(s); ok {
			return r, ""
		}
		return r, expected
	}
	from, okFrom := l.days(first)
	to, okTo := l.days(last)
	switch {
	case first == "" && last == "", first != "" && !okFrom, last != "" && !okTo:
		return r, expected
	case first == "":
		return DayRange{To: to.To, HasTo: true}, ""
	case last == "":
		return DayRange{From: from.From, HasFrom: true}, ""
	case to.To < from.From:
		return r, "Write the earlier day first, as in 2026-11-20..2026-11-23."
	}
	return DayRange{From: from.From, To: to.To, HasFrom: true, HasTo: true}, ""
}

// comparedDay reads a day or a comparison.
func (l *Language) comparedDay(s string) (r DayRange, ok bool) {
	day := strings.TrimLeft(s, compares)
	if r, ok = l.days(strings.TrimSpace(day)); !ok {
		return r, false
	}
	switch s[:len(s)-len(day)] {
	case "", "=":
		return r, true
	case ">":
		return DayRange{From: r.To + 1, HasFrom: true}, r.To < lastDay
	case ">=", "=>":
		return DayRange{From: r.From, HasFrom: true}, true
	case "<":
		return DayRange{To: r.From - 1, HasTo: true}, r.From > firstDay
	case "<=", "=<":
		return DayRange{To: r.To, HasTo: true}, true
	}
	return r, false
}
