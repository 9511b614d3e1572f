package command

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// atWindow returns a program whose window Windows can close, the context of its command, and what it says.
func atWindow(t *testing.T) (*Program, context.Context, *strings.Builder) {
	ctx, cancel := context.WithCancelCause(t.Context())
	said := &strings.Builder{}
	p := &Program{Env: Env{Err: said, Getenv: func(string) string { return "" }}}
	p.Stop = &interrupts{p: p, cancel: cancel, closes: true}
	return p, ctx, said
}

func TestAClosedWindowEndsTheWaitForAnAnswerBeforeWindowsDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const systemLimit = 5 * time.Second
		p, ctx, said := atWindow(t)
		begun := time.Now()
		_, err := Send(ctx, p, func(sending context.Context) (int, error) {
			p.Stop.receive(syscall.SIGTERM)
			<-sending.Done() // nothing answers
			return 0, context.Cause(sending)
		})
		if took := time.Since(begun); !IsSignal(err) || took != closeGrace || took > systemLimit-time.Second {
			t.Errorf("after %s: %v", took, err)
		}
		if by, is := StoppedBy(ctx); !is || by != syscall.SIGTERM || said.Len() > 0 {
			t.Errorf("%v, %q", by, said)
		}
	})
}

func TestAnAnswerThatComesWhileAWindowClosesIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ctx, _ := atWindow(t)
		got, err := Send(ctx, p, func(sending context.Context) (int, error) {
			p.Stop.receive(syscall.SIGTERM)
			select {
			case <-sending.Done():
				return 0, context.Cause(sending)
			case <-time.After(closeGrace - time.Second):
				return 7, nil
			}
		})
		if got != 7 || err != nil || !errors.As(context.Cause(ctx), &Signalled{}) {
			t.Errorf("%d, %v, %v", got, err, context.Cause(ctx))
		}
		<-time.After(closeGrace) // nothing is left to stop
	})
}

func TestElsewhereSIGTERMWaitsForTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ctx, said := atWindow(t)
		p.Stop.closes = false
		got, err := Send(ctx, p, func(sending context.Context) (int, error) {
			p.Stop.receive(syscall.SIGTERM)
			select {
			case <-sending.Done():
				return 0, context.Cause(sending)
			case <-time.After(time.Minute):
				return 7, nil
			}
		})
		if got != 7 || err != nil || !strings.Contains(said.String(), "Waiting for the answer") {
			t.Errorf("%d, %v, %q", got, err, said)
		}
	})
}
