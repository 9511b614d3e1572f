package session

import (
	"testing"
	"time"
)

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
