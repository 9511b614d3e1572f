package listing

import (
	"context"
	"math/big"
	"slices"
	"strconv"
	"testing"

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
		c, _ := money.ParseCurrency(row.Currency.Line(0))
		class := Class{State: row.Status.State}
		switch {
		case slices.Contains(differ, api.Reference(row.ID.Line(0))):
			class = Class{Differs: true}
		case class.State == api.Unrecognised:
			class = Class{Text: row.Status.Text}
		}
		if c != in.Currency || c.IsZero() && row.Currency != in.Text || class != as {
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
