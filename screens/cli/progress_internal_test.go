package cli

import (
	"testing"
	"time"
)

// ProgressEvery makes lines of progress come so often.
func ProgressEvery(t testing.TB, d time.Duration) {
	was := progressEvery
	progressEvery = d
	t.Cleanup(func() { progressEvery = was })
}
