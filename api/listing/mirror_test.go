package listing_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/statefile"
	"paydesk/api/timely"
)

// shop names where the lists of these tests are read.
var shop = ledger.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example", Fingerprint: "key one"}

// morning is when the first scan of a test begins.
var morning = time.Date(2026, 3, 2, 9, 10, 0, 0, time.UTC)

// open is a mirror in a folder; "" for one in memory.
func open(t testing.TB, dir string, limit int64) *listing.Mirror {
	m := listing.NewMirror(statefile.Options{Dir: dir, Limit: limit})
	t.Cleanup(m.Close)
	return m
}

// whileKeeping is a mirror that does something while it keeps a scan after the first: its file is locked then.
func whileKeeping(t testing.TB, dir string, do func()) *listing.Mirror {
	m := listing.NewMirror(statefile.Options{Dir: dir, Now: func() time.Time { do(); return time.Now() }})
	t.Cleanup(m.Close)
	return m
}

// row is a row from "ID status amount currency".
func row(t testing.TB, text string) api.Transaction {
	f := strings.Fields(text)
	minor, err := strconv.ParseInt(f[2], 10, 64)
	noError(t, err)
	return rowOf(f[0], minor, f[3], f[1])
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
	if sum.Unkept != 3 || sum.Rows != 6 {
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

var noError = timely.Must

// Whatever a list becomes from one scan to the next, what is counted, listed and kept is what a plain comparison of the two
// says.
func TestWhatChangedIsWhatAPlainComparisonSays(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 1))
		m, kept := open(t, map[bool]string{true: t.TempDir() + "/state"}[seed%2 == 0], 0), map[string]string{}
		for i := range 5 {
			read, want := map[string][]string{}, listing.Summary{First: i == 0, Scan: listing.Scan{Trusted: random.IntN(3) > 0}}
			var list []string
			add := func(id, value string) {
				list, read[id] = append(list, id+" "+value), append(read[id], value)
			}
			for range random.IntN(300) {
				id := fmt.Sprintf([]string{"%x", "00%x", "%08X-0000-4000-8000-000000000001"}[random.IntN(3)], random.IntN(120))
				if i%2 > 0 && kept[id] != "" && random.IntN(4) > 0 {
					add(id, kept[id])
				} else {
					add(id, fmt.Sprintf("%s %d GBP", []string{"PENDING", "FAILED", "ODD"}[random.IntN(3)], random.IntN(3)))
				}
			}
			changes := plainly(kept, read, &want)
			got := keep(t, m, shop, scan(t, want.Trusted, morning.Add(time.Duration(i)*time.Hour), strings.Join(list, "\n")))
			if i == 0 {
				want.New, changes = 0, map[string]string{}
			}
			want.N, want.Began, want.Ended, want.Rows = got.N, got.Began, got.Ended, len(list)
			if fmt.Sprint(got.Scan, got.First, got.New, got.Moved, got.Gone, got.Missing, got.Doubled) != fmt.Sprint(want.Scan, want.First, want.New, want.Moved, want.Gone, want.Missing, want.Doubled) {
				t.Fatalf("seed %d, scan %d: %+v, want %+v", seed, i, got, want)
			}
			told := map[string]string{}
			h, err := m.Changes(t.Context(), shop, time.Time{}, func(k listing.Known, _, _ api.Transaction) { told[k.ID] = k.How })
			if err != nil || h.Kept != len(kept) || i > 0 && h.Doubtful > 0 == want.Trusted || !maps.Equal(told, changes) {
				t.Fatalf("seed %d, scan %d: %v; %d kept, want %d; %d changes, want %d", seed, i, err, h.Kept, len(kept), len(told), len(changes))
			}
		}
	}
}

// plainly compares what is kept with what was read, and keeps it.
func plainly(kept map[string]string, read map[string][]string, sum *listing.Summary) map[string]string {
	changes := map[string]string{}
	for id := range kept {
		switch _, is := read[id]; {
		case is:
		case sum.Trusted:
			sum.Gone++
			changes[id] = listing.Gone
			delete(kept, id)
		default:
			sum.Missing++
		}
	}
	for id, values := range read {
		was, is := kept[id]
		now := values[0]
		for _, v := range values {
			if v != now {
				now = ""
			}
		}
		switch {
		case now == "":
			sum.Doubled++
			continue
		case !is:
			sum.New++
			changes[id] = listing.New
		case was != now:
			sum.Moved++
			changes[id] = listing.Moved
			if strings.Fields(was)[0] == strings.Fields(now)[0] {
				changes[id] = listing.Amount
			}
		}
		kept[id] = now
	}
	return changes
}

func TestAListIsRecognisedByItsAddress(t *testing.T) {
	for name, c := range map[string]struct {
		to   func(*ledger.Destination)
		same bool
	}{
		"renamed profile":           {func(d *ledger.Destination) { d.Profile = "renamed" }, true},
		"address spelled otherwise": {func(d *ledger.Destination) { d.Host = "Payments.Example:443" }, true},
		"other address, same key":   {func(d *ledger.Destination) { d.Host = "other.example" }, false},
		"key not known":             {func(d *ledger.Destination) { d.Fingerprint = "" }, true},
		"other key, same rows":      {func(d *ledger.Destination) { d.Fingerprint = "key two" }, true},
		"other environment":         {func(d *ledger.Destination) { d.Environment = "LIVE" }, false},
		"other address and key":     {func(d *ledger.Destination) { d.Host, d.Fingerprint = "other.example", "key two" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := open(t, "", 0)
			keep(t, m, shop, scan(t, true, morning, "a PENDING 1 GBP\nb PENDING 1 GBP"))
			place := shop
			c.to(&place)
			sum := keep(t, m, place, scan(t, true, morning.Add(time.Hour), "b FAILED 1 GBP\nc PENDING 1 GBP"))
			if sum.First == c.same || c.same && (sum.New != 1 || sum.Moved != 1 || sum.Gone != 1) {
				t.Errorf("%+v", sum)
			}
		})
	}
}

// Two accounts may be at one address: nothing of one is said to be gone because the other was read.
func TestTwoAccountsAtOneAddressHaveEachTheirOwn(t *testing.T) {
	m := open(t, "", 0)
	other := shop
	other.Profile, other.Fingerprint = "other", "key two"
	for i := range 3 {
		at := morning.Add(time.Duration(i) * time.Hour)
		for place, list := range map[ledger.Destination]string{shop: "a PENDING 1 GBP", other: "b PENDING 1 GBP"} {
			if sum := keep(t, m, place, scan(t, true, at, list)); sum.First != (i == 0) || sum.New+sum.Gone != 0 {
				t.Errorf("%s: %+v", place.Profile, sum)
			}
		}
	}
	if n := len(must(m.Scans(t.Context(), other))); n != 3 {
		t.Errorf("%d scans", n)
	}
	third := shop
	third.Fingerprint = "key three"
	if h := since(t, m, third, time.Time{}); !h.OtherKey || h.To.N == 0 {
		t.Errorf("the address is the same, and the key is another: %+v", h)
	}
}

func TestWhatIsKeptOfAServiceCanBeForgotten(t *testing.T) {
	m := open(t, t.TempDir()+"/state", 0)
	other := ledger.Destination{Environment: "LIVE", Host: "live.example", Fingerprint: "key two"}
	keep(t, m, other, scan(t, true, morning, "x PENDING 1 GBP"))
	for i := range 3 {
		keep(t, m, shop, numbered(morning.Add(time.Duration(i)*time.Hour), 2000, []string{"PENDING", "FAILED"}[i%2]))
	}
	before := sizeOf(t, m)
	noError(t, m.Forget(t.Context(), shop))
	if after := sizeOf(t, m); after > before/5 {
		t.Errorf("%d bytes, of %d", after, before)
	}
	if n := len(must(m.Scans(t.Context(), shop))); n != 0 {
		t.Errorf("%d scans", n)
	}
	if n := len(must(m.Scans(t.Context(), other))); n != 1 {
		t.Errorf("%d scans of the other service", n)
	}
	if sum := keep(t, m, shop, numbered(morning.Add(9*time.Hour), 10, "FAILED")); !sum.First {
		t.Errorf("%+v", sum)
	}
}

// The journal is written while the mirror is: they share no lock.
func TestThePaymentsAreRecordedWhileAScanIsKept(t *testing.T) {
	dir := t.TempDir() + "/state"
	j := journal.New(journal.Options{Dir: dir})
	defer j.Close()
	begun := 0
	m := whileKeeping(t, dir, func() {
		_, err := j.Begin(t.Context(), ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: "REF"}, ledger.Payer{}, nil)
		noError(t, err)
		begun++
	})
	keep(t, m, shop, numbered(morning, 10, "PENDING"))
	keep(t, m, shop, numbered(morning.Add(time.Hour), 10, "FAILED"))
	if begun != 1 || m.Path() == j.Path() {
		t.Errorf("%d were recorded; in %s", begun, j.Path())
	}
}

// A scan with an end that has not come yet was written beside a clock that was wrong: it holds up no other.
func TestAScanOfAWrongClockDoesNotKeepOutTheNext(t *testing.T) {
	m := listing.NewMirror(statefile.Options{Now: func() time.Time { return morning.Add(2 * time.Hour) }})
	t.Cleanup(m.Close)
	keep(t, m, shop, scan(t, true, morning.Add(24*time.Hour), "a PENDING 1 GBP"))
	keep(t, m, shop, scan(t, true, morning.Add(time.Hour), "a FAILED 1 GBP"))
	if _, err := m.Keep(t.Context(), shop, scan(t, true, morning, "a PENDING 1 GBP")); err != listing.ErrOlder {
		t.Error(err)
	}
}
