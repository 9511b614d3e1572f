package query_test

import (
	"database/sql"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"paydesk/api/journal"
	"paydesk/api/listing"
	"paydesk/api/money"
	"paydesk/api/query"
	"paydesk/api/query/querytest"
	"paydesk/api/statefile"
	"paydesk/api/webhook"
)

// table is a table with a column for each kind of field, and how it is searched.
const table = "CREATE TABLE rows (n INTEGER PRIMARY KEY, status TEXT, name TEXT, currency TEXT, minor INTEGER, at INTEGER, reference TEXT, email TEXT)"

var columns = query.Columns{
	"":          {Texts: []string{"paydesk_fold(reference)", "paydesk_fold(status)", "paydesk_fold(name)", "lower(currency)"}, Minor: "minor", Currency: "currency"},
	"status":    {Texts: []string{"paydesk_fold(status)"}, Word: func(name string) (string, []any) { return "name = ?", []any{name} }},
	"currency":  {Texts: []string{"lower(currency)"}},
	"amount":    {Minor: "minor", Currency: "currency"},
	"day":       {At: "at", Clock: time.Time.UnixMilli},
	"reference": {Texts: []string{"paydesk_fold(reference)"}},
	"since":     {Word: func(name string) (string, []any) { return "? = 'last'", []any{name} }},
	"email":     {Texts: []string{"email"}, Hash: func(s query.Secret) string { return "hash of " + s.Expose() }},
}

// A stored row is a row of the table, and what a plain matcher sees of it.
type stored struct {
	values []any
	plain  querytest.Row
}

func drawnRow(t *rapid.T) stored {
	word := func(name string, all ...string) string { return rapid.SampledFrom(all).Draw(t, name) }
	status := word("status", "FAILED", "failed", "PENDING", "It’s 50%_\\ off", "É", "", "x'); DROP TABLE rows; --")
	name := map[string]string{"FAILED": "FAILED", "failed": "FAILED", "PENDING": "PENDING"}[status]
	currency := word("currency", "GBP", "JPY", "KWD", "CLF")
	reference := rapid.OneOf(rapid.SampledFrom([]string{"5e62", "a_b%c\\", "Ähre", "", "a\nb"}), rapid.StringMatching(`[0-9a-f]{1,4}`)).Draw(t, "reference")
	day := query.DayOf(time.Date(2026, 11, rapid.IntRange(1, 30).Draw(t, "day"), 0, 0, 0, 0, time.UTC))
	r := querytest.Row{
		Names: map[string]string{"status": name, "currency": currency}, Sent: map[string]string{"status": status, "currency": currency},
		Texts: map[string]string{"reference": reference, "since": "last"}, Day: day, Anywhere: []string{reference, status, name, currency},
		Secrets: map[string]string{"email": "ada@example.org"},
	}
	minor := sql.NullInt64{Int64: rapid.OneOf(rapid.Int64Range(-300, 300_000), rapid.Int64()).Draw(t, "minor"), Valid: rapid.IntRange(0, 3).Draw(t, "known") > 0}
	if minor.Valid {
		c, _ := money.ParseCurrency(currency)
		r.Amount = querytest.Major(minor.Int64, c.Exponent())
	}
	return stored{[]any{status, name, currency, minor, day.In(time.Local).UnixMilli() + 1, reference, "hash of ada@example.org"}, r}
}

// What is typed is found in the table as a plain matcher finds it, whatever is typed: it never becomes SQL.
func TestTheConditionIsWhatTheQueryMeans(t *testing.T) {
	l := language()
	db := statefile.Open(statefile.Source("where", "memory"))
	defer db.Close()
	if _, err := db.Exec(table); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(drawnRow), 0, 20).Draw(t, "rows")
		typed := rapid.OneOf(querytest.Typed(l), rapid.String(), rapid.SampledFrom([]string{
			`"50%"`, "*%_*", `"' OR 1=1 --"`, "-amount:>0", "-reference:*", `"\x00"`, "é", `*"\\"`, "day:2026-11-23 -failed", "-email:ada@example.org",
			strings.Repeat("a,", 3000) + "5e62", strings.Repeat("-b ", 1500), "reference:" + strings.Repeat("x", 60_000),
		})).Draw(t, "query")
		q, _ := l.Parse(typed)
		var want, got []int
		if _, err := db.Exec("DELETE FROM rows"); err != nil {
			t.Fatal(err)
		}
		for i, r := range rows {
			if _, err := db.Exec("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)", append([]any{i}, r.values...)...); err != nil {
				t.Fatal(err)
			}
			if querytest.Match(q, r.plain) {
				want = append(want, i)
			}
		}
		where, args, err := columns.Where(q)
		if err != nil {
			t.Fatal(err)
		}
		err = statefile.ForEach(t.Context(), db, func(rows *sql.Rows) error {
			var n int
			err := rows.Scan(&n)
			got = append(got, n)
			return err
		}, "SELECT n FROM rows WHERE "+where+" ORDER BY n", args...)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%q found %v, want %v: %v\n%s %v", typed, got, want, err, where, args)
		}
	})
}

// A row has one status, so that two that are asked for find nothing; two that are left out find the others.
func TestTwoWordsOfAFieldMayBeLeftOut(t *testing.T) {
	l := language()
	for text, want := range map[string]struct{ terms, problems int }{
		"-failed -pending":               {2, 0},
		"-status:failed -status:pending": {2, 0},
		"-failed pending":                {2, 0},
		"pending -failed":                {2, 0},
		"failed pending":                 {1, 1},
		"failed failed,pending":          {2, 0},
		"+44 (0)20 7946 0958 failed":     {2, 0}, // a telephone number as people write it
		"-tel:+44 20 7946 0958 failed":   {2, 0},
		"+442079460958 100 failed":       {3, 0},
		"reference:+44 20 failed":        {3, 0},
	} {
		if q, problems := journal.AttemptLanguage(l.Today).Parse(text); len(q.Terms) != want.terms || len(problems) != want.problems {
			t.Errorf("%s: %v, %v", text, q, problems)
		}
	}
}

// Seven days are today and the six before it.
func TestDaysEndToday(t *testing.T) {
	l := language()
	today := l.Today()
	for text, days := range map[string][2]query.DayNumber{
		"7d": {today - 6, today}, "1d": {today, today}, "0d": {today, today}, "30d": {today - 29, today}, "today": {today, today}, "2026-11": {today - 22, today + 7},
	} {
		q, problems := l.Parse("day:" + text)
		if len(problems) > 0 || len(q.Terms) != 1 || len(q.Terms[0].Days) != 1 {
			t.Errorf("%s: %v, %v", text, q, problems)
			continue
		}
		if r := q.Terms[0].Days[0]; !r.Low.Set || !r.High.Set || r.Low.At != days[0] || r.High.At != days[1] {
			t.Errorf("%s is %s to %s", text, r.Low.At, r.High.At)
		}
		if _, _, err := (query.Columns{}).Where(q); err == nil || !strings.Contains(err.Error(), "day") { // a table without days
			t.Error(err)
		}
	}
}

// An address that a person pastes is text, though it has a colon.
func TestAnAddressIsText(t *testing.T) {
	l := language()
	q, problems := l.Parse("https://pay.example/l/5e62")
	want := query.Value{Text: "https://pay.example/l/5e62", How: query.Contains}
	if len(problems) > 0 || len(q.Terms) != 1 || q.Terms[0].Field != "" || len(q.Terms[0].Values) != 1 || q.Terms[0].Values[0] != want {
		t.Errorf("%v, %v", q, problems)
	}
	if q, problems := l.Parse("https:x"); len(q.Terms) > 0 || len(problems) != 1 { // no such field
		t.Errorf("%v, %v", q, problems)
	}
}

// A part that is empty is in every text, and also where there is none: what asks for it asks for some text.
func TestAnEmptyPartAsksForSomeText(t *testing.T) {
	l := language()
	want, _ := l.Parse("ref:*")
	for _, text := range []string{`ref:*""*`, `ref:""*`, `ref:*""`} {
		if q, problems := l.Parse(text); len(problems) > 0 || q.String() != want.String() {
			t.Errorf("%s: %s, %v", text, q, problems)
		}
	}
}

// language has a field of each kind.
func language() *query.Language {
	return &query.Language{
		Fields: []query.Field{
			{Name: "status", Kind: query.Words, Bare: true, Example: "status:failed,pending", Words: []query.Word{
				{Name: "FAILED"}, {Name: "PENDING"}, {Name: "not sent"}, {Name: "SUCCESSFUL"}, {Name: "REQUIRE_BANK_AUTH", Shown: "BANK CHECK", Spellings: []string{"bank check needed"}},
			}},
			{Name: "currency", Aliases: []string{"cur"}, Kind: query.Words, Bare: true, Words: query.Currencies(), Example: "currency:gbp"},
			{Name: "amount", Kind: query.Amount, Bare: true, Example: "amount:100..250"},
			{Name: "day", Aliases: []string{"date"}, Kind: query.Day, Bare: true, Example: "day:2026-11-23"},
			{Name: "reference", Aliases: []string{"ref"}, Example: "reference:abc*"},
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

// holds checks what holds for every text: it is read without panic, places are within it, and each term has a meaning.
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
}

// Any text is read, whoever typed it, and any text that is chosen as a value is a term that finds it alone. What is shown as an example
// is one in each list.
func TestAnyTextIsReadAsAQuery(t *testing.T) {
	l := language()
	for _, f := range slices.Concat(l.Fields, listing.Language().Fields, journal.AttemptLanguage(nil).Fields, journal.LinkLanguage(nil).Fields, webhook.Language(nil).Fields) {
		if f.Missing == "" && !strings.HasPrefix(f.Example, f.Name+":") {
			t.Errorf("the example of %s is %q", f.Name, f.Example)
		}
	}
	reference := &query.Field{Name: "reference"}
	rapid.Check(t, func(t *rapid.T) { holds(t, l, querytest.Typed(l).Draw(t, "query")) })
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		holds(t, l, text)
		q, problems := l.Parse(reference.Typed(text))
		if len(problems) > 0 || len(q.Terms) != 1 || !slices.Equal(q.Terms[0].Values, []query.Value{{Text: text, How: query.Whole}}) {
			t.Fatalf("%q is %s: %v, %v", text, reference.Typed(text), q, problems)
		}
	})
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
