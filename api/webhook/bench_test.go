package webhook

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
)

// BenchmarkKeep stores deliveries from twenty senders at once, in a file.
func BenchmarkKeep(b *testing.B) {
	s := New(Options{Dir: b.TempDir() + "/state"})
	defer s.Close()
	var n atomic.Int64
	b.SetParallelism(10)
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if _, err := s.Keep(context.Background(), "shop", nil, body(fmt.Sprint("R", n.Add(1)), "SUCCESSFUL")); err != nil {
				b.Error(err)
			}
		}
	})
}
