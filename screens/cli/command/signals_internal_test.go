package command

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// A window that Windows closes ends the wait for an answer before Windows ends the process. Elsewhere SIGTERM waits for it.
func TestASignalWaitsForAnAnswerAsLongAsTheSystemDoes(t *testing.T) {
	const systemLimit, never = 5 * time.Second, time.Hour
	for name, c := range map[string]struct {
		closes      bool // it is Windows that ends it
		after, ends time.Duration
	}{
		"a window and no answer": {true, never, closeGrace}, "a window and an answer": {true, closeGrace - time.Second, closeGrace - time.Second},
		"elsewhere": {false, time.Minute, time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			said, begun := &strings.Builder{}, time.Now()
			p := &Program{Env: Env{Err: said, Getenv: func(string) string { return "" }}}
			p.Stop = &interrupts{p: p, cancel: cancel, closes: c.closes}
			got, err := Send(ctx, p, func(sending context.Context) (int, error) {
				p.Stop.receive(syscall.SIGTERM)
				select {
				case <-sending.Done():
					return 0, context.Cause(sending)
				case <-time.After(c.after):
					return 7, nil
				}
			})
			if answered := c.after < never; answered != (got == 7 && err == nil) || !answered && !IsSignal(err) {
				t.Errorf("%s: %d, %v", name, got, err)
			}
			if took := time.Since(begun); took != c.ends || c.closes && took > systemLimit-time.Second {
				t.Errorf("%s: it took %s", name, took)
			}
			if by := context.Cause(ctx); by != (Signalled{syscall.SIGTERM}) || strings.Contains(said.String(), "Waiting for the answer") == c.closes {
				t.Errorf("%s: %v, %q", name, by, said)
			}
			<-time.After(closeGrace) // nothing is left to stop
		})
	}
}
