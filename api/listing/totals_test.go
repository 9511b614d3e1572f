package listing

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"paydesk/api"
	"paydesk/api/money"
)

// listed is a row as the client reads it.
func listed(id, raw, code, word string) api.Transaction {
	r := api.Transaction{ID: api.Clean(id), Raw: api.Clean(raw), Currency: api.Clean(code), Status: api.ParseStatus(word)}
	if c, err := money.ParseCurrency(code); err == nil {
		if a, err := money.FromMinor(raw, c); err == nil {
			r.Amount, r.Known = a, true
		}
	}
	return r
}

// told is totals in words.
func told(all Totals) (lines []string) {
	name := func(s Class) string {
		switch {
		case s.Differs:
			return "differs"
		case s.State == api.Unrecognised:
			return "?" + s.Text.Line(0)
		}
		return s.State.String()
	}
	for _, s := range all.Statuses {
		lines = append(lines, fmt.Sprintf("%s %d", name(s.Class), s.Rows))
	}
	for _, c := range all.Currencies {
		lines = append(lines, fmt.Sprintf("%s%s %d: %s, %d apart", c.Currency, c.Text.Line(0), c.Rows, c.Sum, c.Unread))
		for _, s := range c.Statuses {
			lines = append(lines, fmt.Sprintf("  %s %d: %s, %d apart", name(s.Class), s.Rows, s.Sum, s.Unread))
		}
	}
	return lines
}

type fataler interface {
	Helper()
	Fatal(...any)
}

// totals adds up rows.
func totals(t fataler, r *Rows, s Search, differ ...api.Reference) (Totals, []Histogram) {
	t.Helper()
	all, histograms, err := r.Totals(context.Background(), s, differ)
	if err != nil {
		t.Fatal(err)
	}
	return all, histograms
}

func TestTotalsAreByWhatAStatusMeansAndByCurrency(t *testing.T) {
	rows := []api.Transaction{
		listed("a", "1250", "GBP", "SUCCESSFUL"),
		listed("b", "50", "gbp", "Successfull"),
		listed("c", "900719925474099", "GBP", "FAILED"),
		listed("d", "900719925474099", "GBP", "FAILED"),
		listed("e", "12.5", "GBP", "PENDING"), // no whole number of pence
		listed("f", "700", "JPY", "InProgress"),
		listed("g", "1234567", "KWD", "inprogress"),
		listed("h", "5", "XQX", "FAILED"),
		listed("i", "6", "xqx", "SUCCESSFUL"),
		listed("j", "7", "", ""),
		listed("a", "1250", "GBP", "SUCCESSFUL"), // listed twice
		listed("k", "100", "GBP", "SUCCESSFUL"),  // an answer about it differed
	}
	want := []string{
		"SUCCESSFUL 4", "FAILED 3", "PENDING 1", "differs 1", "? 1", "?InProgress 1", "?inprogress 1",
		"GBP 7: 18,014,398,509,508.48 GBP, 1 apart",
		"  SUCCESSFUL 3: 25.50 GBP, 0 apart", "  FAILED 2: 18,014,398,509,481.98 GBP, 0 apart", "  PENDING 1: 0.00 GBP, 1 apart",
		"  differs 1: 1.00 GBP, 0 apart",
		"JPY 1: 700 JPY, 0 apart", "  ?InProgress 1: 700 JPY, 0 apart",
		"KWD 1: 1,234.567 KWD, 0 apart", "  ?inprogress 1: 1,234.567 KWD, 0 apart",
		" 1: 0 minor units, 1 apart", "  ? 1: 0 minor units, 1 apart",
		"XQX 1: 0 minor units, 1 apart", "  FAILED 1: 0 minor units, 1 apart",
		"xqx 1: 0 minor units, 1 apart", "  SUCCESSFUL 1: 0 minor units, 1 apart",
	}
	all, _ := totals(t, Of(rows...), Search{}, "k", "nobody's")
	if diff := cmp.Diff(want, told(all)); diff != "" {
		t.Error(diff)
	}
	if all, histograms := totals(t, Of(), Search{}, "k"); all.Rows != 0 || len(all.Statuses)+len(all.Currencies)+len(histograms) != 0 {
		t.Errorf("of nothing: %+v", all)
	}
}

func TestAHistogramHasTheStepsOfItsCurrency(t *testing.T) {
	bins := func(rows ...api.Transaction) (lines []string) {
		_, all := totals(t, Of(rows...), Search{})
		for _, h := range all {
			for _, b := range h.Bins {
				lines = append(lines, fmt.Sprintf("%s to %s: %d", b.Low.Grouped(), b.High, b.Rows))
			}
		}
		return lines
	}
	for name, c := range map[string]struct{ got, want []string }{
		"at the bounds": {
			bins(listed("", "99", "GBP", ""), listed("", "100", "GBP", ""), listed("", "199", "GBP", ""), listed("", "200", "GBP", ""), listed("", "500", "GBP", "")),
			[]string{"0.50 to 0.99 GBP: 1", "1.00 to 1.99 GBP: 2", "2.00 to 4.99 GBP: 1", "5.00 to 9.99 GBP: 1"},
		},
		"no decimals, three and four": {
			bins(listed("", "700", "JPY", ""), listed("", "1", "KWD", ""), listed("", "12345", "CLF", "")),
			[]string{"1.0000 to 1.9999 CLF: 1", "500 to 999 JPY: 1", "0.001 to 0.001 KWD: 1"},
		},
		"nothing, and less": {
			bins(listed("", "0", "JPY", ""), listed("", "-5", "JPY", ""), listed("", "1", "JPY", "")),
			[]string{"-9,223,372,036,854,775,808 to -1 JPY: 1", "0 to 0 JPY: 1", "1 to 1 JPY: 1"},
		},
		"larger than any": {
			bins(api.Transaction{Currency: api.Clean("JPY"), Known: true, Amount: money.Amount{Minor: math.MaxInt64, Currency: listed("", "1", "JPY", "").Amount.Currency}}),
			[]string{"5,000,000,000,000,000,000 to 9,223,372,036,854,775,807 JPY: 1"},
		},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Whatever is read, each row is in one total and, if its amount is known, in the one bin that it lies in, and the sums are
// what unlimited integers say.
func TestTotalsAreThoseOfANaiveCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []api.Transaction
		for i := range rapid.IntRange(0, 60).Draw(t, "rows") {
			minor := rapid.OneOf(rapid.Int64Range(0, 30), rapid.Int64Range(-999_999_999_999_999, 999_999_999_999_999)).Draw(t, "minor")
			rows = append(rows, listed(strconv.Itoa(i), rapid.SampledFrom([]string{strconv.FormatInt(minor, 10), "1.5", ""}).Draw(t, "raw"),
				rapid.SampledFrom([]string{"GBP", "gbp", "JPY", "XQX", ""}).Draw(t, "currency"),
				rapid.SampledFrom([]string{"SUCCESSFUL", "Successfull", "FAILED", "odd", "Odd", ""}).Draw(t, "status")))
		}
		to := rapid.IntRange(1, 60).Draw(t, "to")
		want := rows[:min(to, len(rows))]
		var differ []api.Reference
		for _, row := range want {
			if rapid.IntRange(0, 5).Draw(t, "differs") == 0 {
				differ = append(differ, api.Reference(row.ID.Line(0)))
			}
		}
		all, histograms := totals(t, Of(rows...), Search{To: to}, differ...)
		counted := 0
		for _, c := range all.Currencies {
			for _, st := range c.Statuses {
				sum, rows, unread := naive(want, differ, c, st.Class)
				if st.Sum.MinorText() != sum.String() || st.Rows != rows || st.Unread != unread {
					t.Fatalf("%v: %+v, not %s of %d, %d apart", c.Currency, st, sum, rows, unread)
				}
				counted += st.Rows
			}
		}
		if counted != len(want) || all.Rows != len(want) {
			t.Fatalf("%d of %d rows were counted", counted, len(want))
		}
		binned := 0
		for _, h := range histograms {
			for _, b := range h.Bins {
				n := 0
				for _, row := range want {
					if row.Known && row.Amount.Currency == h.Currency && b.Low.Minor <= row.Amount.Minor && row.Amount.Minor <= b.High.Minor {
						n++
					}
				}
				if n != b.Rows {
					t.Fatalf("%d rows from %s to %s, not %d", b.Rows, b.Low, b.High, n)
				}
				binned += n
			}
		}
		if known := len(slices.DeleteFunc(slices.Clone(want), func(r api.Transaction) bool { return !r.Known })); binned != known {
			t.Fatalf("%d of %d known amounts are in bins", binned, known)
		}
	})
}

// naive counts the rows of one total one by one.
func naive(rows []api.Transaction, differ []api.Reference, in CurrencyTotal, as Class) (sum *big.Int, n, unread int) {
	sum = new(big.Int)
	for _, row := range rows {
		c, status := currencyOf(&row), kind{status: row.Status.Text.Line(0), state: row.Status.State}
		if c != in.Currency || c.IsZero() && row.Currency != in.Text || classOf(status, slices.Contains(differ, api.Reference(row.ID.Line(0)))) != as {
			continue
		}
		if n++; row.Known {
			sum.Add(sum, big.NewInt(row.Amount.Minor))
		} else {
			unread++
		}
	}
	return sum, n, unread
}
