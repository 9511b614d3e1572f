package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"paydesk/api/ledger"
	"paydesk/screens/present"
)

// closeGrace bounds the wait for an answer once the window was closed on Windows, which ends the process
// 5 s later: a request without an answer by then has to be recorded as UNRESOLVED.
const closeGrace = 3 * time.Second

// interrupts decide what a signal does: it ends the command, but a request that is being sent is
// waited for, because it may have arrived.
type interrupts struct {
	p      *Program
	cancel context.CancelCauseFunc // ends the command
	got    chan os.Signal
	closes bool // SIGTERM says that the window was closed, as on Windows

	mu      sync.Mutex
	sending context.CancelCauseFunc // stops waiting for the answer; nil while nothing is sent
	pending syscall.Signal          // arrived meanwhile
}

// WatchSignals returns a context that a signal cancels, with the signal as its cause. A signal must
// not end the program at once, because hidden input would leave the terminal without echo.
func (p *Program) WatchSignals() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	got := make(chan os.Signal, 1)
	p.Stop = &interrupts{p: p, cancel: cancel, got: got, closes: runtime.GOOS == "windows"}
	watched := []os.Signal{
		syscall.SIGPIPE, // which would end the program at once: see [Program.Stdout]
		os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT,
		// Sent by another process, these would print every goroutine with its arguments.
		syscall.SIGABRT, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGSEGV,
	}
	// A program that nohup, or a script's &, has started goes on without its terminal. [signal.Notify] would end that.
	signal.Notify(got, slices.DeleteFunc(watched, signal.Ignored)...)
	go func() {
		for s := range got {
			if s != syscall.SIGPIPE { // also of a connection that was closed
				p.Stop.receive(s.(syscall.Signal))
			}
		}
	}()
	return ctx, func() {
		signal.Stop(got) // after which nothing is sent on it
		close(got)
		cancel(nil)
	}
}

// Release leaves signals to whoever handles them next.
func (i *interrupts) Release() { signal.Stop(i.got) }

func (i *interrupts) receive(s syscall.Signal) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.sending == nil:
		i.cancel(Signalled{s})
	case i.pending == 0:
		i.pending = s
		if i.closes && s == syscall.SIGTERM {
			time.AfterFunc(closeGrace, func() { i.receive(s) })
			return
		}
		i.p.Warn("Waiting for the answer to what was sent: it may have arrived already. Press ctrl+c again to stop waiting; it is then UNRESOLVED.")
	default:
		i.sending(Signalled{s})
	}
}

// begin returns the context of a request that is being sent, and the function that ends the sending.
func (i *interrupts) begin(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	i.mu.Lock()
	i.sending = cancel
	i.mu.Unlock()
	return ctx, func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.sending = nil
		cancel(nil)
		if i.pending != 0 {
			i.cancel(Signalled{i.pending})
		}
	}
}

// Send runs a request that changes something, once. A signal meanwhile does not stop it: the first
// says that the answer is waited for, the second stops waiting.
func Send[T any](ctx context.Context, p *Program, do func(context.Context) (T, error)) (T, error) {
	if ctx.Err() != nil {
		var none T
		return none, context.Cause(ctx)
	}
	ctx, end := p.Stop.begin(ctx)
	defer end()
	got, err := do(ledger.WithNotedID(ctx, &p.About.Attempt))
	p.About.sending(err)
	return got, err
}

// IsSignal reports whether an error is only that a signal ended the command.
func IsSignal(err error) bool {
	return errors.As(err, &Signalled{}) || errors.Is(err, context.Canceled)
}

// A pipe is stdout. What cannot be written to it ends the command: once its reader has gone as SIGPIPE would, without a word. What is
// being sent is waited for.
type pipe struct {
	io.Writer
	p *Program
}

// Stdout takes the data of commands.
func (p *Program) Stdout() io.Writer { return pipe{p.Out, p} }

// Print prints lines of what a command without an object has done, each made safe to show. With --json stdout has objects alone, and
// they go to stderr.
func (p *Program) Print(format string, of ...any) {
	p.endProgress()
	for line := range strings.SplitSeq(fmt.Sprintf(format, of...), "\n") {
		if p.Global.JSON {
			fmt.Fprintln(p.Err, present.Plain(line))
		} else {
			p.Printed(fmt.Fprintln(p.Out, present.Plain(line)))
		}
	}
}

// Printed notes that something could not be written to stdout: the command does what is left to be done, and then fails.
func (p *Program) Printed(_ int, err error) {
	switch {
	case err == nil || p.Unprinted != nil:
	case unread(err):
		p.Unprinted = Signalled{syscall.SIGPIPE}
	default:
		p.Unprinted = &Refusal{Reason: WhyFailed, Err: fmt.Errorf("the output could not be written: %w", err)}
	}
}

// Write writes to stdout.
func (w pipe) Write(b []byte) (int, error) {
	w.p.endProgress()
	n, err := w.Writer.Write(b)
	if err != nil {
		w.p.Printed(n, err)
		err = w.p.Unprinted
		if w.p.Stop != nil { // else nothing runs yet
			w.p.Stop.cancel(err)
		}
	}
	return n, err
}
