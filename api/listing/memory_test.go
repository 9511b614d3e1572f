package listing_test

import (
	"fmt"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/statefile"
)

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
		keep(t, m, shop, numbered(t, morning.Add(time.Duration(i)*time.Hour), 2000, []string{"PENDING", "FAILED"}[i%2]))
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
	if sum := keep(t, m, shop, numbered(t, morning.Add(9*time.Hour), 10, "FAILED")); !sum.First {
		t.Errorf("%+v", sum)
	}
}

// The journal is written while the mirror is: they share no lock.
func TestThePaymentsAreRecordedWhileAScanIsKept(t *testing.T) {
	dir := t.TempDir() + "/state"
	m := open(t, dir, 0)
	j, err := journal.Open(t.Context(), journal.Options{Dir: dir})
	noError(t, err)
	defer j.Close()
	if m.Path() == j.Path() {
		t.Fatal("they are one file")
	}
	begun := 0
	_, err = m.KeepWaiting(t.Context(), shop, numbered(t, morning, 3000, "PENDING"), func() {
		a := ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: api.Reference(fmt.Sprint("REF", begun))}
		if _, err := j.Begin(t.Context(), a, ledger.Payer{}, nil); err != nil {
			t.Error(err)
		}
		begun++
	})
	if err != nil || begun < 3 {
		t.Errorf("%v; %d were recorded", err, begun)
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
