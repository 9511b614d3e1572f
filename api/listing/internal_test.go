package listing

import (
	"context"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/statefile"
)

// A hash that came is known, and others are not taken for it.
func TestAHashIsKnownOnceItCame(t *testing.T) {
	var s seen
	for i := range uint64(400_000) { // each hash twice
		if s.add(i%200_000*0x9e3779b97f4a7c15) != (i >= 200_000) {
			t.Fatal("hash", i)
		}
	}
}

// InPages are rows as a scan adds them.
func InPages(all []api.Transaction, per int) *Rows {
	r := newRows()
	for len(all) > 0 {
		page := all[:min(per, len(all))]
		all = all[len(page):]
		if _, err := r.add(page, false); err != nil {
			panic(err)
		}
	}
	return r
}

// InFile is how many rows of what may be in a file have a text.
func InFile(r *Rows, text string) (n int, err error) {
	err = r.db.QueryRow("SELECT count(*) FROM main.list WHERE id LIKE '%'||?1||'%' OR raw LIKE '%'||?1||'%'", text).Scan(&n)
	return n, err
}

// OfKept is [Of] of rows that are kept.
func OfKept(rows ...api.Transaction) *Rows {
	r := newRows()
	r.parts = &parts{}
	_, _ = r.add(rows, true)
	return r
}

// Keep keeps a scan.
func (m *Mirror) Keep(ctx context.Context, place ledger.Destination, s State) (Summary, error) {
	return m.keep(ctx, place, s)
}

// Path is the path of the file.
func (m *Mirror) Path() string { return m.path }

// Impatient does not wait for the lock of another console.
func (m *Mirror) Impatient() { m.patience = 10 * time.Millisecond }

// Width is how many pages are asked for at once.
func (s *Scanner) Width() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.width
}

// OnNetwork takes the disk for a network disk.
func (m *Mirror) OnNetwork() { m.isLocal = func(string) bool { return false } }

// Changes calls f with each row that changed since a time, as it was and as it is.
func (m *Mirror) Changes(ctx context.Context, place ledger.Destination, at time.Time, f func(k Known, was, is api.Transaction)) (History, error) {
	return m.changes(ctx, place, at, func(some []change) error {
		for _, c := range some {
			f(c.Known, c.was, c.is)
		}
		return nil
	})
}

// Scans returns the scans of a service that are kept, newest first.
func (m *Mirror) Scans(ctx context.Context, place ledger.Destination) (all []Scan, err error) {
	err = m.read(ctx, func(q statefile.Querier) error {
		same, err := memories(ctx, q, place)
		if err != nil || len(same) == 0 {
			return err
		}
		all, err = scans(ctx, q, same[0].n, "ORDER BY n DESC")
		return err
	})
	return all, err
}

func TestTheListIsSearchedInWordsThatPeopleHave(t *testing.T) {
	for _, tt := range []struct{ typed, meaning string }{
		{"", ""},
		{"failed gbp >100", "status is FAILED; currency is GBP; amount over 100"},
		{"status:failed,pending", "status is FAILED or PENDING"},
		{"100..250", "amount from 100 to 250"},
		{"-100..", "amount known and not 100 or more"},
		{"250..100", "! 0-8 Write the smaller amount first, as in 100..250."},
		{"2026-11-01..today", "! 0-17 The service's list has no dates. since:2026-11-20 finds what changed; Activity has days."},
		{`"5e62 7a"`, "a field contains “5e62 7a”"},
		{"1,234.50", "a field contains “1,234.50” or the amount is 1,234.50"},
		{"status:bank", "! 7-11 This status is not known. Did you mean BANK-CHECK?"},
		{`status:"refunded"`, "status is “refunded” as it was sent"},
		{"status:fialed", "! 7-13 This status is not known. Did you mean FAILED?"},
		{"stauts:failed", "! 0-6 No such field. Did you mean status?"},
		{"since:last -gone:2026-11-20", "new or moved since the last scan; not gone since the scan before 2026-11-20"},
		{"since:soon", "! 6-10 Write last, or a day as 2026-11-20, today or 7d, as in since:last."},
		{"not-here absent,found", "payment is not made from here; payment is not in the list or in doubt here"},
		{"amount:100,250", "! 7-14 Leave this comma out, or put a blank after it for either of two amounts, as in 100, 250."},
		{"failed pending", "status is FAILED; ! 7-14 No row has two. A comma finds either, as in status:failed,pending."},
		{">100gbp", "! 0-7 Write the currency apart, as in >100 gbp."},
	} {
		q, problems := Language().Parse(tt.typed)
		var all []string
		for _, term := range q.Terms {
			all = append(all, term.Meaning())
		}
		for _, p := range problems {
			all = append(all, "! "+place(p.Start, p.End)+" "+p.Text)
		}
		if got := strings.Join(all, "; "); got != tt.meaning {
			t.Errorf("%s means\n%s, want\n%s", tt.typed, got, tt.meaning)
		}
	}
}

func place(start, end int) string { return strconv.Itoa(start) + "-" + strconv.Itoa(end) }

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
func totals(t fataler, r *Rows, s Search, differ ...api.Reference) Totals {
	t.Helper()
	s.Mismatches.of = map[api.Reference]ledger.Mismatch{}
	for _, payment := range differ {
		s.Mismatches.of[payment] = ledger.Mismatch{}
	}
	all, err := r.Totals(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func BenchmarkTheTotalsOf100000Rows(b *testing.B) {
	var all []api.Transaction
	for i := range 100_000 {
		all = append(all, listed(strconv.Itoa(i), strconv.Itoa(i%7_000), "GBP", []string{"SUCCESSFUL", "FAILED"}[i%2]))
	}
	r := InPages(all, 100)
	for b.Loop() {
		totals(b, r, Search{})
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
		all := totals(t, Of(rows...), Search{To: to}, differ...)
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
		for _, c := range all.Currencies {
			for _, b := range c.Bins {
				n := 0
				for _, row := range want {
					if row.Known && row.Amount.Currency == c.Currency && b.Low.Minor <= row.Amount.Minor && row.Amount.Minor <= b.High.Minor {
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
