package listing_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
)

// A counter is a service with a list, and the payments that are sent to it.
type counter struct {
	list
	place ledger.Destination
	asks  int // how often it was asked whether a payment is being sent
	from  int // a payment is being sent from that often on, until quiet is closed
	quiet chan struct{}
}

func (c *counter) Place(context.Context) ledger.Destination {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.place
}

func (c *counter) move(to ledger.Destination) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.place = to
}

func (c *counter) Sending() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asks++
	select {
	case <-c.quiet:
		return false
	default:
		return c.asks > c.from
	}
}

func (c *counter) Quiet(ctx context.Context) error {
	select {
	case <-c.quiet:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// keeping begins a scan of the counter that is kept.
func keeping(t *testing.T, m *listing.Mirror, c *counter) *listing.Scanner {
	scans := listing.NewScanner(t.Context(), c)
	listing.NewKeeper(m, scans, c.Place, c)
	scans.Start()
	return scans
}

// reach waits for a step.
func reach(t *testing.T, scans *listing.Scanner, step listing.Step) listing.Progress {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for since := -1; ; {
		s, err := scans.Changed(ctx, since)
		if err != nil || s.Kept.Step == listing.NotKept && step != listing.NotKept {
			t.Fatalf("%v; %v", err, s.Kept.Err)
		}
		if since = s.N; s.Kept.Step == step {
			return s.Kept
		}
	}
}

func TestAScanIsKeptUnderTheKeyThatReadIt(t *testing.T) {
	c := &counter{place: shop, quiet: make(chan struct{}), list: list{rows: []api.Transaction{row(t, "a PENDING 1 GBP")}}}
	m := open(t, "", 0)
	k := keeping(t, m, c)
	reach(t, k, listing.Held)
	other := shop
	other.Fingerprint = "key two"
	c.move(other)
	close(c.quiet)
	reach(t, k, listing.Kept)
	if h := since(t, m, shop, time.Time{}); h.To.N == 0 || h.OtherKey {
		t.Errorf("the account that was read: %+v", h)
	}
	if h := since(t, m, other, time.Time{}); !h.OtherKey {
		t.Errorf("the account of the new key: %+v", h)
	}
}

func TestNothingWaitsForAScanThatWaitsForAPayment(t *testing.T) {
	for name, dir := range map[string]string{"in memory": "", "in a file": t.TempDir() + "/state"} {
		t.Run(name, func(t *testing.T) {
			c := &counter{place: shop, from: 3, quiet: make(chan struct{})}
			for i := range 2000 {
				c.rows = append(c.rows, row(t, fmt.Sprintf("ORD-%d PENDING 1 GBP", i)))
			}
			m := open(t, dir, 0)
			other := ledger.Destination{Environment: "LIVE", Host: "live.example", Fingerprint: "key two"}
			keep(t, m, other, scan(t, true, morning, "x PENDING 1 GBP"))
			k := keeping(t, m, c)
			reach(t, k, listing.Held)
			second := m
			if dir != "" {
				second = open(t, dir, 0)
			}
			keep(t, second, other, scan(t, true, morning.Add(time.Hour), "x FAILED 1 GBP"))
			if h := since(t, m, other, time.Time{}); h.Counts[listing.Moved] != 1 {
				t.Errorf("%+v", h)
			}
			if err := m.Forget(t.Context(), other); err != nil {
				t.Error(err)
			}
			close(c.quiet)
			if p := reach(t, k, listing.Kept); p.Summary.Rows != 2000 {
				t.Errorf("%+v", p.Summary)
			}
		})
	}
}

// Whoever reads the list again and again while a payment is being sent has the last reading kept, beside the one whose turn it was.
func TestAScanThatWaitsMakesWayForANewerOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &counter{place: shop, quiet: make(chan struct{}), list: list{rows: []api.Transaction{row(t, "a PENDING 1 GBP")}}}
		m := open(t, "", 0)
		scans := keeping(t, m, c)
		reach(t, scans, listing.Held)
		for range 3 {
			time.Sleep(time.Second) // no two end at once
			scans.Again(0)
			reach(t, scans, listing.Held)
		}
		time.Sleep(time.Second)
		close(c.quiet)
		reach(t, scans, listing.Kept)
		if n := len(must(m.Scans(t.Context(), shop))); n != 2 {
			t.Errorf("%d scans are kept", n)
		}
	})
}
