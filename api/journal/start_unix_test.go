//go:build unix

package journal_test

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"paydesk/api/journal"
)

// BenchmarkStart is what the start of a console costs with an empty journal and with 100,000 attempts,
// in the background as well.
func BenchmarkStart(b *testing.B) {
	dir, err := large()
	if err != nil {
		b.Fatal(err)
	}
	for name, dir := range map[string]string{"empty": newDir(b), "100000": filepath.Join(dir, "paydesk")} {
		b.Run(name, func(b *testing.B) {
			var used time.Duration
			for b.Loop() {
				before := processorTime()
				j, err := journal.Open(b.Context(), journal.Options{Dir: dir, Now: func() time.Time { return largeNow }, Retention: 1000 * 24 * time.Hour})
				if err != nil {
					b.Fatal(err)
				}
				j.WaitForIntegrityCheck()
				used += processorTime() - before
				b.StopTimer()
				j.Close()
				b.StartTimer()
			}
			b.ReportMetric(float64(used.Milliseconds())/float64(b.N), "cpu-ms/op")
		})
	}
}

func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
