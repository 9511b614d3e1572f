package listing_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/money"
	"paydesk/api/statefile"
)

// shop is where the lists of these tests are read.
var shop = ledger.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example", Fingerprint: "key one"}

// morning is when the first scan of a test begins.
var morning = time.Date(2026, 3, 2, 9, 10, 0, 0, time.UTC)

// open is a mirror in a folder; "" for one in memory.
func open(t testing.TB, dir string, limit int64) *listing.Mirror {
	m := listing.NewMirror(statefile.Options{Dir: dir, Limit: limit})
	t.Cleanup(m.Close)
	return m
}

// row is a row from "ID status amount currency".
func row(t testing.TB, text string) api.Transaction {
	f := strings.Fields(text)
	r := api.Transaction{ID: api.Clean(f[0]), Status: api.ParseStatus(f[1]), Raw: api.Clean(f[2]), Currency: api.Clean(f[3])}
	if c, err := money.ParseCurrency(f[3]); err == nil {
		var minor int64
		if _, err := fmt.Sscan(f[2], &minor); err != nil {
			t.Fatal(err)
		}
		r.Amount, r.Known = money.Amount{Minor: minor, Currency: c}, true
	}
	return r
}

// scan is a scan that ended, of a list whose rows are the lines of a text. It took a minute.
func scan(t testing.TB, trusted bool, at time.Time, list string) listing.State {
	var rows []api.Transaction
	for line := range strings.Lines(strings.TrimSpace(list)) {
		if strings.TrimSpace(line) != "" {
			rows = append(rows, row(t, line))
		}
	}
	return listing.State{
		Phase: listing.Done, Rows: listing.OfKept(rows...), Began: at, Ended: at.Add(time.Minute), Verdict: listing.Verdict{Trusted: trusted},
	}
}

func keep(t testing.TB, m *listing.Mirror, place ledger.Destination, s listing.State) listing.Summary {
	t.Helper()
	sum, err := m.Keep(t.Context(), place, s)
	noError(t, err)
	return sum
}

func since(t testing.TB, m *listing.Mirror, place ledger.Destination, at time.Time) listing.History {
	t.Helper()
	h, err := m.Changes(t.Context(), place, at, nothing)
	noError(t, err)
	return h
}

func nothing(listing.Known, api.Transaction, api.Transaction) {}

// told are the rows that changed since a time, and how.
func told(t testing.TB, m *listing.Mirror, at time.Time) string {
	t.Helper()
	var lines []string
	h, err := m.Changes(t.Context(), shop, at, func(k listing.Known, was, is api.Transaction) {
		lines = append(lines, fmt.Sprintf("%s %s: %s → %s", k.How, k.ID, value(was), value(is)))
	})
	noError(t, err)
	slices.Sort(lines)
	counted := 0
	for _, n := range h.Counts {
		counted += n
	}
	if counted != len(lines) {
		t.Errorf("%d rows are counted, %d listed", counted, len(lines))
	}
	return strings.Join(lines, "\n")
}

func value(r api.Transaction) string {
	if r.Currency.Empty() {
		return "-"
	}
	amount := cmp.Or(r.Raw.Line(0), r.Amount.MinorText())
	return strings.Join([]string{r.Status.Text.Line(0), amount, r.Currency.Line(0)}, " ")
}

func TestSinceATimeCountsWhereARowEndedUp(t *testing.T) {
	m := open(t, "", 0)
	lists := []string{"a INITIATED 1 GBP\nb PENDING 1 GBP\nc PENDING 1 GBP",
		"a PENDING 1 GBP\nb FAILED 1 GBP\nc PENDING 1 GBP\nd PENDING 1 GBP",
		"a SUCCESSFUL 1 GBP\nb PENDING 1 GBP\nc FAILED 1 GBP\ne PENDING 1 GBP",
		"a SUCCESSFUL 1 GBP\nb PENDING 1 GBP\nc FAILED 1 GBP\ne FAILED 1 GBP"}
	for i, list := range lists {
		keep(t, m, shop, scan(t, true, morning.Add(time.Duration(i)*time.Hour), list))
	}
	for _, c := range []struct {
		at    time.Time
		short bool
		want  string
	}{
		{time.Time{}, false, "moved e: PENDING 1 GBP → FAILED 1 GBP"},
		{morning.Add(30 * time.Minute), false, "back b: PENDING 1 GBP → PENDING 1 GBP\nmoved a: INITIATED 1 GBP → SUCCESSFUL 1 GBP\n" +
			"moved c: PENDING 1 GBP → FAILED 1 GBP\nnew e: - → FAILED 1 GBP\npassed d: - → -"},
		{morning.Add(-24 * time.Hour), true, "back b: PENDING 1 GBP → PENDING 1 GBP\nmoved a: INITIATED 1 GBP → SUCCESSFUL 1 GBP\n" +
			"moved c: PENDING 1 GBP → FAILED 1 GBP\nnew e: - → FAILED 1 GBP\npassed d: - → -"},
		{morning.Add(90 * time.Minute), false, "gone d: PENDING 1 GBP → -\nmoved a: PENDING 1 GBP → SUCCESSFUL 1 GBP\nmoved b: FAILED 1 GBP → PENDING 1 GBP\n" +
			"moved c: PENDING 1 GBP → FAILED 1 GBP\nnew e: - → FAILED 1 GBP"},
		{morning.Add(48 * time.Hour), false, ""},
	} {
		h := since(t, m, shop, c.at)
		if got := told(t, m, c.at); got != c.want || h.Short != c.short {
			t.Errorf("since %s: %s\nwant\n%s", c.at.Format(time.TimeOnly), got, c.want)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestAScanThatDidNotReachTheEndIsNotKept(t *testing.T) {
	m := open(t, "", 0)
	for _, phase := range []listing.Phase{listing.Idle, listing.Reading, listing.Waiting, listing.Paused} {
		s := scan(t, true, morning, "a PENDING 1 GBP")
		s.Phase = phase
		if _, err := m.Keep(t.Context(), shop, s); err != listing.ErrIncomplete {
			t.Errorf("phase %d: %v", phase, err)
		}
	}
}

func TestRowsThatCannotBeToldApartAreCounted(t *testing.T) {
	dir := t.TempDir() + "/state"
	m := open(t, dir, 0)
	s := scan(t, false, morning, "a PENDING 1 GBP\n4111111111111111 PENDING 1 GBP\na FAILED 1 GBP\n"+strings.Repeat("x", 300)+" FAILED 1 GBP")
	alike := row(t, "b PENDING 1 GBP")
	alike.IDHash = 1
	s.Rows = listing.OfKept(append(kept(t, s), api.Transaction{Status: api.ParseStatus("PENDING")}, alike)...)
	sum := keep(t, m, shop, s)
	if sum.Nameless != 1 || sum.Unkept != 3 || sum.Rows != 6 {
		t.Errorf("%+v", sum)
	}
	keep(t, m, shop, scan(t, true, morning.Add(time.Hour), "a SUCCESSFUL 1 GBP"))
	if got := told(t, m, time.Time{}); got != "new a: - → SUCCESSFUL 1 GBP" {
		t.Error("neither of the two values was kept:", got)
	}
}

func TestTextsOfTheServiceAreStoredWithoutCardNumbers(t *testing.T) {
	m := open(t, "", 0)
	odd := api.Transaction{ID: api.Clean("a\x1b[2J"), Raw: api.Clean("4111 1111 1111 1111"), Currency: api.Clean("4111111111111111"), Status: api.ParseStatus("PAID\x1b]0;x\x07")}
	s := scan(t, true, morning, "b PENDING 1 GBP")
	keep(t, m, shop, s)
	s = scan(t, true, morning.Add(time.Hour), "b PENDING 1 GBP")
	s.Rows = listing.OfKept(append(kept(t, s), odd)...)
	keep(t, m, shop, s)
	got := told(t, m, time.Time{})
	if strings.Contains(got, "4111111") || strings.Contains(got, "4111 1111") || strings.ContainsRune(got, '\x1b') || !strings.Contains(got, "<pan …1111>") {
		t.Errorf("%q", got)
	}
	keep(t, m, shop, func() listing.State { s.Began, s.Ended = s.Began.Add(time.Hour), s.Ended.Add(time.Hour); return s }())
	if h := since(t, m, shop, time.Time{}); len(h.Counts) != 0 {
		t.Errorf("the same rows are no change: %+v", h.Counts)
	}
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
