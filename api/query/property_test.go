package query_test

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"paydesk/api/query"
	"paydesk/api/query/querytest"
)

// language has a field of each kind.
func language() *query.Language {
	return &query.Language{
		Fields: []query.Field{
			{Name: "status", Kind: query.Words, Bare: true, Example: "status:failed,pending", Words: []query.Word{
				{Name: "FAILED"}, {Name: "PENDING"}, {Name: "not sent"}, {Name: "SUCCESSFUL"}, {Name: "REQUIRE_BANK_AUTH", Shown: "BANK CHECK", Spellings: []string{"bank check needed"}},
			}},
			{Name: "currency", Aliases: []string{"cur"}, Kind: query.Words, Bare: true, Words: query.Currencies()},
			{Name: "amount", Kind: query.Amount, Bare: true},
			{Name: "day", Aliases: []string{"date"}, Kind: query.Day, Bare: true},
			{Name: "reference", Aliases: []string{"ref"}},
			{Name: "email", Label: "e-mail", Kind: query.Exact, Example: "email:ada@example.com"},
			{Name: "since", Kind: query.Scan, Label: "new since", Example: "since:last"},
			{Name: "phone", Missing: "No telephone number is kept."},
		},
		Today: func() query.DayNumber { return query.DayOf(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)) },
	}
}

type fataler interface {
	Fatalf(format string, args ...any)
	Helper()
}

// holds checks what holds for every text: it is read without panic, places are within it, and what was
// understood is printed so that it is understood the same way.
func holds(t fataler, l *query.Language, text string) {
	t.Helper()
	q, problems := l.Parse(text)
	within := func(what string, start, end int) {
		if start < 0 || start >= end || end > len(text) || utf8.ValidString(text) && (start < len(text) && !utf8.RuneStart(text[start]) || end < len(text) && !utf8.RuneStart(text[end])) {
			t.Fatalf("%q: %s stands at %d to %d", text, what, start, end)
		}
	}
	for _, p := range problems {
		within("the problem "+p.Text, p.Start, p.End)
		if !strings.HasSuffix(p.Text, ".") && !strings.HasSuffix(p.Text, "?") {
			t.Fatalf("%q: %q is no sentence", text, p.Text)
		}
		if utf8.RuneCountInString(p.Text) > 106 {
			t.Fatalf("%q: %q does not fit two lines of a small window", text, p.Text)
		}
	}
	for _, term := range q.Terms {
		within("the term "+term.Meaning(), term.Start, term.End)
		if n := len(term.Values) + len(term.Amounts) + len(term.Days) + len(term.Secrets); n == 0 || term.Meaning() == "" {
			t.Fatalf("%q: a term with %d values means %q", text, n, term.Meaning())
		}
	}
	again, wrong := l.Parse(q.Source())
	if len(wrong) > 0 || !again.Equal(q) {
		t.Fatalf("%q is printed as %q, which is %v with %v", text, q.Source(), again, wrong)
	}
	if again.Source() != q.Source() {
		t.Fatalf("%q is printed as %q, and then as %q", text, q.Source(), again.Source())
	}
}

func TestAQueryIsPrintedSoThatItParsesToAnEqualOne(t *testing.T) {
	l := language()
	rapid.Check(t, func(t *rapid.T) { holds(t, l, querytest.Typed(l).Draw(t, "query")) })
}

func TestAnyTextIsReadAsAQuery(t *testing.T) {
	l := language()
	rapid.Check(t, func(t *rapid.T) { holds(t, l, rapid.String().Draw(t, "text")) })
	for _, text := range []string{
		"", " ", "-", "--", "- -", ":", "::", "a:", "status:", "status:,", "status:failed,", ",", ",,", `"`, `"\`, `""`, `-""`, `*`, `**`, `***`, `id:`,
		"ref:", "ref:*", `ref:""`, "ref:a*b", `ref:"a*b"*`, "ref:>a", "ref:a,,b", "ref:a ,b", "ref:a, b", "> 100", ">", "> ", "amount:..", "amount:...", "amount:1..2..3",
		"amount:-5", "amount:-5..-2", "amount:5-2", "email:", "email:a*", `email:"a b"`, "“smart quotes”", "“a", `a"b`, `"a"b`, "phone:1", "day:2026-11-31",
		"day:<0001-01-01", "day:>9999-12-31", "day:9999d", "status!=failed", "amount!=5", "status = failed", "amount > 5 , < 3", "\u2007", "ref:\u2007a", "\xff", `ref:"` + "\xff" + `*"`,
	} {
		holds(t, l, text)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"failed gbp >100", `-status:failed,pending ref:"a \" b"* amount:1..2,=3`, "day:today email:a@b.c", "1,234.50 amount:1,234.50"} {
		f.Add(seed)
	}
	l := language()
	f.Fuzz(func(t *testing.T, text string) { holds(t, l, text) })
}

// An amount in minor units is in a range exactly when it is in major units.
func TestRangesInMinorUnitsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := language()
		q, problems := l.Parse("amount:" + rapid.StringMatching(`(>|>=|<|<=|)-?([0-9]{1,3}|[0-9]{17,19})(\.[0-9]{1,6})?|-?[0-9]{1,2}(\.[0-9]{1,5})?\.\.[0-9]{2,19}`).Draw(t, "range"))
		if len(problems) > 0 {
			t.Skip("a range that ends before it begins")
		}
		r := q.Terms[0].Amounts[0]
		for exponent := range 5 {
			low, high, any := r.Minor(exponent)
			near := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64, rapid.Int64().Draw(t, "minor")}
			if any {
				near = append(near, low, high, max(low, math.MinInt64+1)-1, min(high, math.MaxInt64-1)+1)
			}
			for _, minor := range near {
				row := querytest.Row{Amount: querytest.Major(minor, exponent)}
				if got, want := any && low <= minor && minor <= high, querytest.Match(q, row); got != want {
					t.Fatalf("%s with %d decimals: %d to %d, %v; %d is in it: %v, want %v", q, exponent, low, high, any, minor, got, want)
				}
			}
		}
	})
}

func TestDecimalsAreComparedExactly(t *testing.T) {
	number := rapid.StringMatching(`-?[0-9]{1,19}(\.[0-9]{1,9})?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		x, ok1 := query.ParseDecimal(a)
		y, ok2 := query.ParseDecimal(b)
		p, _ := new(big.Rat).SetString(a)
		q, _ := new(big.Rat).SetString(b)
		if !ok1 || !ok2 || x.Cmp(y) != p.Cmp(q) {
			t.Fatalf("%s and %s: %v, %v, %d", a, b, ok1, ok2, x.Cmp(y))
		}
		if again, ok := query.ParseDecimal(x.String()); !ok || again != x || strings.ReplaceAll(x.Grouped(), ",", "") != x.String() {
			t.Fatalf("%s is %s, grouped %s", a, x, x.Grouped())
		}
	})
}
