// Package querytest helps tests of whatever matches queries: a naive evaluator to compare with, and queries
// as people may type them.
package querytest

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"paydesk/api/query"
)

// A Row is a row as the evaluator sees it. What it has nothing of is empty.
type Row struct {
	Names    map[string]string // by field of words: the name of its word, "" for one that is not known
	Sent     map[string]string // by field of words: the word as it was sent
	Texts    map[string]string // by field of text
	Amount   *big.Rat          // in major units; nil where it is not known
	Anywhere []string          // the texts in which text without a field is looked for
	Day      query.DayNumber
	Secrets  map[string]string // by exact field
}

// Match reports whether a row meets a query. It is slow, and follows the words of the language.
func Match(q query.Query, r Row) bool {
	return !slices.ContainsFunc(q.Terms, func(t query.Term) bool { return !meets(t, r) })
}

func meets(t query.Term, r Row) bool {
	if t.Kind == query.Amount && r.Amount == nil {
		return false // it is not known, so that neither a term nor its negation is true
	}
	return fits(t, r) != t.Not
}

func fits(t query.Term, r Row) bool {
	switch {
	case t.Kind == query.Words:
		return slices.ContainsFunc(t.Values, func(v query.Value) bool {
			if v.How == query.Known {
				return r.Names[t.Field] == v.Text
			}
			sent, is := r.Sent[t.Field]
			return is && Text(v, sent)
		})
	case t.Kind == query.Amount:
		return slices.ContainsFunc(t.Amounts, func(a query.Range) bool { return within(a, r.Amount) })
	case t.Kind == query.Day:
		return slices.ContainsFunc(t.Days, func(d query.DayRange) bool {
			return OnDay(d, r.Day)
		})
	case t.Kind == query.Exact:
		return slices.ContainsFunc(t.Secrets, func(s query.Secret) bool { return s.Expose() == r.Secrets[t.Field] })
	case t.Field == "":
		return slices.ContainsFunc(t.Values, func(v query.Value) bool {
			return slices.ContainsFunc(r.Anywhere, func(s string) bool { return Text(v, s) })
		}) || r.Amount != nil && slices.ContainsFunc(t.Amounts, func(a query.Range) bool { return within(a, r.Amount) })
	}
	return slices.ContainsFunc(t.Values, func(v query.Value) bool { return Text(v, r.Texts[t.Field]) })
}

// OnDay reports whether a day is in a range.
func OnDay(r query.DayRange, day query.DayNumber) bool {
	return !(r.Low.Set && day < r.Low.At) && !(r.High.Set && day > r.High.At)
}

// Text reports whether a text fits a value that is no name of a word.
func Text(v query.Value, s string) bool {
	s, part := strings.ToLower(s), strings.ToLower(v.Text)
	switch v.How {
	case query.Begins:
		return len(s) >= len(part) && s[:len(part)] == part
	case query.Ends:
		return len(s) >= len(part) && s[len(s)-len(part):] == part
	case query.Whole:
		return s == part
	case query.Filled:
		return s != ""
	}
	return len(strings.SplitN(s, part, 2)) == 2
}

func within(r query.Range, amount *big.Rat) bool {
	compare := func(b query.Bound[query.Decimal]) int {
		at, _ := new(big.Rat).SetString(b.At.String())
		return amount.Cmp(at)
	}
	if r.Low.Set && (compare(r.Low) < 0 || r.Low.Open && compare(r.Low) == 0) {
		return false
	}
	return !r.High.Set || compare(r.High) < 0 || !r.High.Open && compare(r.High) == 0
}

// Major is an amount of minor units in major units.
func Major(minor int64, exponent int) *big.Rat {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(exponent)), nil)
	return new(big.Rat).SetFrac(big.NewInt(minor), unit)
}

// Typed generates queries in a language, with mistakes in some.
func Typed(l *query.Language) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(term(l), 0, 5).Draw(t, "terms"), rapid.SampledFrom([]string{" ", "  "}).Draw(t, "blanks"))
	})
}

func term(l *query.Language) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		f := rapid.SampledFrom(l.Fields).Draw(t, "field")
		value := value(t, f)
		values := strings.Join(rapid.SliceOfN(value, 1, 3).Draw(t, "values"), rapid.SampledFrom([]string{",", ",", ", "}).Draw(t, "comma"))
		name := rapid.SampledFrom([]string{f.Name + ":", strings.ToUpper(f.Name) + ":", f.Name + "=", ""}).Draw(t, "name")
		return rapid.SampledFrom([]string{"", "", "-"}).Draw(t, "not") + name + values
	})
}

func value(t *rapid.T, f query.Field) *rapid.Generator[string] {
	part := rapid.StringMatching(`[0-9a-f]{1,4}`)
	free := rapid.Custom(func(t *rapid.T) string {
		s := rapid.OneOf(part, rapid.StringN(0, 8, -1)).Draw(t, "text")
		if rapid.Bool().Draw(t, "quoted") {
			s = strconv.Quote(s)
		}
		return rapid.SampledFrom([]string{"", "*"}).Draw(t, "head") + s + rapid.SampledFrom([]string{"", "*"}).Draw(t, "tail")
	})
	switch f.Kind {
	case query.Words:
		return rapid.Custom(func(t *rapid.T) string {
			if len(f.Words) == 0 || rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
				return free.Draw(t, "word")
			}
			name := rapid.SampledFrom(f.Words).Draw(t, "word").Name
			return rapid.SampledFrom([]string{name, strings.ToLower(name)}).Draw(t, "case")
		})
	case query.Amount:
		number := rapid.StringMatching(`-?[0-9]{1,4}(\.[0-9]{1,4})?|9223372036854775807|-9223372036854775808|92233720368547758\.0[78]`)
		return rapid.Custom(func(t *rapid.T) string {
			if rapid.Bool().Draw(t, "range") {
				return number.Draw(t, "low") + ".." + rapid.OneOf(number, rapid.Just("")).Draw(t, "high")
			}
			return rapid.SampledFrom([]string{"", "=", ">", ">=", "<", "<=", ".."}).Draw(t, "sign") + number.Draw(t, "amount")
		})
	case query.Scan:
		return rapid.SampledFrom([]string{"last", "LAST", "2026-11-20", "today", "7d", "now"})
	case query.Day:
		day := rapid.SampledFrom([]string{"2026-11-23", "2026-11", "today", "yesterday", "7d", "0001-01-01", "9999-12-31", "2026-02-30"})
		return rapid.Custom(func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"", "", ">", ">=", "<", "<=", "..", "2026-01-01.."}).Draw(t, "sign") + day.Draw(t, "day")
		})
	}
	return free
}
