package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"paydesk/api"
	"paydesk/api/money"
)

// rowsOf are rows that are read without an error.
func rowsOf[T any](rows ...T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func exported[T any](t rapid.TB, f Format, table Table[T], rows ...T) string {
	t.Helper()
	var b bytes.Buffer
	told := 0
	n, err := Write(&b, f, table, rowsOf(rows...), func(n int) { told = n })
	if err != nil || n != len(rows) || told != n {
		t.Fatalf("%d rows of %d, told %d: %v", n, len(rows), told, err)
	}
	return b.String()
}

// RFC 4180 counts blanks as part of a cell, but some readers drop those at its beginning.
func TestACellThatBeginsWithABlankIsInQuotes(t *testing.T) {
	for in, want := range map[string]string{" a": `" a"`, "  ": `"  "`, "a b": "a b", "a,b": `"a,b"`, `a"b`: `"a""b"`} {
		if got := exported(t, CSV, Table[string]{Columns: []Column[string]{{"x", func(s *string) any { return *s }}}}, in); got != "x\r\n"+want+"\r\n" {
			t.Errorf("%q is written as %q", in, got)
		}
	}
}

func TestAHarmlessTextIsWrittenAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if s := draws.Draw(t, "text"); isHarmless(s) && api.Clean(s).Line(0) != s {
			t.Fatalf("%q is cleaned to %q", s, api.Clean(s).Line(0))
		}
	})
}

// A sample has a column of every kind.
type sample struct {
	text  string
	exact string
	whole int64
	yes   bool
	at    time.Time
}

var samples = Table[sample]{Columns: []Column[sample]{
	{"text", func(s *sample) any { return s.text }},
	{"exact", func(s *sample) any { return Decimal(s.exact) }},
	{"whole", func(s *sample) any { return s.whole }},
	{"yes", func(s *sample) any { return s.yes }},
	{"at", func(s *sample) any { return s.at }},
}}

// draws are texts that attack the reader of a file, and plain ones.
var draws = rapid.OneOf(rapid.String(), rapid.StringMatching(`[=+@＝＋－＠,;"'a1 \t\r\-]{0,6}`), rapid.StringMatching(`[a-z]{0,9}`))

// What is read from a file is what was written into it.
func TestRowsReadBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sample {
			minor := rapid.Int64().Draw(t, "minor")
			gbp, _ := money.ParseCurrency("GBP")
			return sample{
				draws.Draw(t, "text"), money.Amount{Minor: minor, Currency: gbp}.Major(), minor, rapid.Bool().Draw(t, "yes"),
				time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "at"), 0),
			}
		}), 0, 20).Draw(t, "rows")
		records, err := csv.NewReader(strings.NewReader(exported(t, CSV, samples, rows...))).ReadAll()
		if err != nil || len(records) != len(rows)+1 {
			t.Fatal(len(records), err)
		}
		var array []map[string]any
		if err := decode(exported(t, JSON, samples, rows...), &array); err != nil || len(array) != len(rows) {
			t.Fatal(len(array), err)
		}
		lines := slices.Collect(strings.Lines(exported(t, Lines, samples, rows...)))
		for i, r := range rows {
			cells := []string{escapeFormula(r.text), r.exact, fmt.Sprint(r.whole), fmt.Sprint(r.yes), r.at.Local().Format(time.RFC3339)}
			if diff := cmp.Diff(cells, records[i+1]); diff != "" {
				t.Fatal(diff)
			}
			text := any(r.text)
			if r.text == "" {
				text = nil
			}
			want := map[string]any{"text": text, "exact": cells[1], "whole": json.Number(cells[2]), "yes": r.yes, "at": cells[4]}
			var line map[string]any
			if err := decode(lines[i], &line); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, array[i]) + cmp.Diff(want, line); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func decode(text string, into any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

var number = regexp.MustCompile(`^-[0-9.]*[0-9][0-9.]*$`)

// No cell of any text begins a formula, in files that are split at semicolons too.
func TestNoTextIsAFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := exported(t, CSV, samples, sample{exact: "1.00", text: draws.Draw(t, "text")}, sample{text: "x"})
		text += exported(t, CSV, samples, sample{text: draws.Draw(t, "id"), exact: draws.Draw(t, "amount")})
		for _, comma := range []rune{',', ';'} {
			r := csv.NewReader(strings.NewReader(text))
			r.Comma, r.LazyQuotes, r.FieldsPerRecord = comma, true, -1
			records, err := r.ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for _, cell := range slices.Concat(records...) {
				first, _ := utf8.DecodeRuneInString(strings.TrimLeft(cell, ` "`))
				if strings.ContainsRune("=+-@＝＋－＠\t\r", first) && !number.MatchString(cell) {
					t.Fatalf("%q is a formula in %q", cell, text)
				}
			}
		}
	})
}

type fullDisk struct{ left int }

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func TestAFullDiskIsReported(t *testing.T) {
	rows := make([]sample, 1000)
	for _, f := range Formats() {
		for _, left := range []int{0, 10, 10_000} {
			if n, err := Write(&fullDisk{left}, f, samples, rowsOf(rows...), nil); err == nil || n == 1000 {
				t.Errorf("%s after %d bytes: %d rows, %v", f, left, n, err)
			}
		}
	}
}

func TestNoRowsAreAFileToo(t *testing.T) {
	for f, want := range map[Format]string{CSV: "text,exact,whole,yes,at\r\n", JSON: "[]\n", Lines: ""} {
		if got := exported(t, f, samples); got != want {
			t.Errorf("%s: %q, want %q", f, got, want)
		}
	}
}

func TestAnErrorOfARowEndsTheWriting(t *testing.T) {
	broken := errors.New("broken")
	rows := func(yield func(sample, error) bool) {
		_ = yield(sample{}, nil) && yield(sample{}, broken) && yield(sample{}, nil)
	}
	for _, f := range Formats() {
		if n, err := Write(new(bytes.Buffer), f, samples, rows, nil); n != 1 || !errors.Is(err, broken) {
			t.Errorf("%s: %d rows, %v", f, n, err)
		}
	}
}
