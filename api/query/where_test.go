package query_test

import (
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"paydesk/api/money"
	"paydesk/api/query"
	"paydesk/api/query/querytest"
	"paydesk/api/statefile"
)

// table is a table with a column for each kind of field, and how it is searched.
const table = "CREATE TABLE rows (n INTEGER PRIMARY KEY, status TEXT, name TEXT, currency TEXT, minor INTEGER, at INTEGER, reference TEXT, email TEXT)"

var columns = query.Columns{
	"":          {Texts: []string{"fold(reference)", "fold(status)", "fold(name)", "lower(currency)"}, Minor: "minor", Currency: "currency"},
	"status":    {Texts: []string{"fold(status)"}, Word: func(name string) (string, []any) { return "name = ?", []any{name} }},
	"currency":  {Texts: []string{"lower(currency)"}},
	"amount":    {Minor: "minor", Currency: "currency"},
	"day":       {At: "at", Clock: time.Time.UnixMilli},
	"reference": {Texts: []string{"fold(reference)"}},
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

func TestAFieldThatATableDoesNotHaveIsAnError(t *testing.T) {
	q, _ := language().Parse("day:today")
	if _, _, err := (query.Columns{}).Where(q); err == nil || !strings.Contains(err.Error(), "day") {
		t.Error(err)
	}
}
