package session

import (
	"math/rand/v2"
	"testing"
	"time"
)

// The waits of ten thousand watches of a payment that stays pending.
func TestAQuarterOfAnHourTakesFortyOneToFiftyRequests(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	total := 0
	for range 10_000 {
		p := backoff{jitter: func(d time.Duration) time.Duration { return time.Duration(r.Int64N(int64(d))) }}
		n := 0
		for at := time.Duration(0); at < watchLimit; at += p.next(0, false) {
			n++
		}
		if n < 41 || n > 50 {
			t.Fatalf("%d requests", n)
		}
		total += n
	}
	if mean := float64(total) / 10_000; mean < 44 || mean > 47 {
		t.Errorf("%.1f requests on average", mean)
	}
}

func TestWaitsGrowByHalfToThirtySeconds(t *testing.T) {
	shortest := backoff{jitter: func(time.Duration) time.Duration { return 0 }}
	longest := backoff{jitter: func(d time.Duration) time.Duration { return d - 1 }}
	for i, want := range []time.Duration{2000, 3000, 4500, 6750, 10125, 15187, 22781, 30000, 30000, 30000} {
		low, high := shortest.next(0, false), longest.next(0, false)
		want *= time.Millisecond
		if d := want/2 - low; d.Abs() > time.Millisecond {
			t.Errorf("wait %d is at least %v, want %v", i+1, low, want/2)
		}
		if d := want - high; d.Abs() > time.Millisecond {
			t.Errorf("wait %d is at most %v, want %v", i+1, high, want)
		}
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	p := backoff{jitter: func(d time.Duration) time.Duration { return d - 1 }}
	p.next(0, false)
	if got := p.next(7*time.Second, true); got != 7*time.Second {
		t.Errorf("Retry-After 7: %v", got)
	}
	if got := p.next(time.Hour, false); got != 5*time.Minute {
		t.Errorf("Retry-After of an hour: %v", got)
	}
	before := p.next(0, false)
	if got := p.next(0, true); got.Round(time.Millisecond) != (2 * before).Round(time.Millisecond) {
		t.Errorf("after too many requests %v, before %v", got, before)
	}
}
