// Package timely is for tests with a limit on real time, on machines that may be busy, and for those that need no disk.
package timely

import (
	"testing"
	"time"
)

// patience limits how long a slow function is retried.
const patience = time.Minute

// Within fails unless do takes no longer than most. A slow run is repeated: a busy machine is slow
// now and then, a defect every time. do returns how long it took.
func Within(t testing.TB, most time.Duration, do func() (took time.Duration)) {
	t.Helper()
	begun := time.Now()
	best := do()
	for best > most && time.Since(begun) < patience {
		t.Logf("it took %v, the limit is %v: trying again", best.Round(time.Millisecond), most)
		best = min(best, do())
	}
	if best > most {
		t.Fatalf("it never took less than %v, the limit is %v", best, most)
	}
	t.Logf("it took %v", best.Round(time.Microsecond))
}

// Took wraps a function for [Within] and measures it.
func Took(do func()) func() time.Duration {
	return func() time.Duration {
		begun := time.Now()
		do()
		return time.Since(begun)
	}
}
