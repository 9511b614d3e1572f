package terminal

import (
	"errors"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// Hangup is the exit status when the terminal is gone, the same as for SIGHUP.
const Hangup = 128 + 1

// ExitCrash is the exit status after a panic.
const ExitCrash = 4

const (
	// quitTimeout limits how long the program may take to quit by itself. A terminal that is not
	// read blocks the event loop; after this time Run restores the terminal without it.
	quitTimeout = 1200 * time.Millisecond
	// exitDeadline ends the process in any case, counted from the same moment.
	exitDeadline = 1900 * time.Millisecond
	// drainTimeout limits how long the program may take to quit once unread output was dropped.
	drainTimeout = 200 * time.Millisecond
	// writeTimeout limits a write to a terminal that may not be read.
	writeTimeout = 100 * time.Millisecond
)

// A run shorter than shortRun may end before the terminal has replied to the queries of the start;
// replyWait limits the wait for the replies.
const (
	shortRun  = time.Second
	replyWait = 250 * time.Millisecond
)

// A session is one run of a program on a terminal.
type session struct {
	in, out *os.File
	clock   clocked // nil for a model without one
	program *Program
	saved   *term.State
	guard   *crashGuard

	status    atomic.Int32
	endOnce   sync.Once
	ending    chan struct{} // closed once there is a reason to end
	abandoned chan struct{} // closed when Run must not wait for the program
	abandon   func()        // closes abandoned
	exit      func(status int)
	paused    atomic.Bool   // the shell has the terminal while the process is stopped
	continued chan struct{} // after that
}

// Run runs a model on the terminal until it quits, a signal ends it, the terminal is gone, or
// something panics. The status is 0, 128 plus the signal's number, [Hangup], or [ExitCrash] with
// a [Crash]; the terminal is restored in each case. After a signal, a hangup or a panic the
// process exits within 2 s, even if Run has not returned; so does one that gets a signal afterwards.
func Run(model tea.Model, in, out *os.File, o Options) (status int, err error) {
	saved, err := term.GetState(in.Fd())
	if err != nil {
		return 0, err
	}
	s := &session{in: in, out: out, saved: saved, ending: make(chan struct{}), abandoned: make(chan struct{}), exit: os.Exit,
		continued: make(chan struct{}, 1)}
	s.clock, _ = model.(clocked)
	s.abandon = sync.OnceFunc(func() { close(s.abandoned) })
	s.guard = &crashGuard{folder: func() string { return o.Reports }, version: o.Version, end: func() { s.end(ExitCrash) }}
	lost := func() { s.end(Hangup) }
	o.In, o.Out, o.Environ = guardedInput(&terminalFile{in, lost}, o.Slow), &terminalFile{out, lost}, os.Environ()
	o.Filter, o.Guard = s.filter, s.guard.catch
	if m, is := model.(interface{ Loading() bool }); is {
		o.Loading = m.Loading
	}
	s.program = NewProgram(&guardedModel{inner: model, guard: s.guard}, o)
	over := make(chan struct{})
	s.watchSignals()
	go s.waitForEnd(over)

	begun := time.Now()
	ended := make(chan error, 1)
	go func() {
		ended <- s.program.Run()
	}()
	select {
	case err = <-ended:
		close(over)
		if s.program.asked.Load() && time.Since(begun) < shortRun {
			s.discardReplies()
		}
	case <-s.abandoned:
		err = nil
	}
	return s.outcome(err)
}

func (s *session) outcome(err error) (int, error) {
	if crash := s.guard.crash.Load(); crash != nil {
		return ExitCrash, crash
	}
	status := int(s.status.Load())
	switch {
	case errors.Is(err, tea.ErrProgramPanic): // recovered by Bubble Tea, outside of the model
		return ExitCrash, &Crash{Type: "unknown", Code: "none"}
	case status != 0 || errors.Is(err, tea.ErrInterrupted):
		err = nil // the status is enough
	}
	return status, err
}

// watchSignals handles signals from now on, and not only until the run ends: a signal ends whatever
// the process still has to do.
func (s *session) watchSignals() {
	ends := make(chan os.Signal, 8)
	signal.Notify(ends, endSignals...)
	go s.follow(ends, notifyStops())
}

// follow handles the signals that arrive.
func (s *session) follow(ends, stops <-chan os.Signal) {
	for {
		select {
		case n := <-ends:
			s.end(128 + int(n.(syscall.Signal)))
		case n := <-stops:
			s.onStopSignal(n)
		}
	}
}

// end requests the end of the run, and limits what is left of the process; the first status counts.
func (s *session) end(status int) {
	s.endOnce.Do(func() {
		s.status.Store(int32(status))
		time.AfterFunc(exitDeadline, func() { s.exit(status) })
		close(s.ending)
	})
}

// waitForEnd waits for a reason to end and then quits the program, by force if necessary. A program that
// quits by itself is forced only to leave a terminal that is not read, which loses what was still to be
// written: the last frame, a copied text.
func (s *session) waitForEnd(over <-chan struct{}) {
	select {
	case <-over:
		return
	case <-s.program.leaving:
	case <-s.ending:
		go s.program.Quit() // it blocks while the event loop does
	}
	select {
	case <-over:
	case <-s.abandoned:
	case <-time.After(quitTimeout):
		s.force(over)
		s.abandon()
	}
}

// force restores the terminal when the program has not. Dropping unread output may let the program
// do so itself, which is waited for first: resetting twice would pop the keyboard modes of other
// programs, which are a stack.
func (s *session) force(over <-chan struct{}) {
	if s.paused.Load() {
		return // the shell has the terminal
	}
	s.program.screen.cut()
	discard(s.out)
	_ = term.Restore(s.in.Fd(), s.saved) // also wakes writers that wait for room
	select {
	case <-over:
	case <-time.After(drainTimeout):
		s.writeWithLimit(s.program.screen.farewell())
	}
}

// writeWithLimit writes to a terminal that may not be read. It bypasses [os.File], whose lock a
// blocked write holds. It does not make the terminal non-blocking, which would last for the shell.
func (s *session) writeWithLimit(text string) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		writeNow(s.out, text)
	}()
	select {
	case <-done:
	case <-time.After(writeTimeout):
	}
}

// discardReplies reads late replies of the terminal, which the shell would treat as typed.
func (s *session) discardReplies() {
	if _, err := term.MakeRaw(s.in.Fd()); err != nil {
		return
	}
	go func() { // until the process exits
		b := make([]byte, 256)
		for {
			if _, err := s.in.Read(b); err != nil {
				return
			}
		}
	}()
	time.Sleep(replyWait)
	_ = term.Restore(s.in.Fd(), s.saved)
}

// Reported sizes are limited to max; absurd ones are replaced by a default.
const (
	maxColumns, maxLines         = 500, 200
	absurdColumns, absurdLines   = 1000, 1000
	defaultColumns, defaultLines = 80, 24
)

// plausibleSize returns the size to draw for a reported size. A serial line has none.
func plausibleSize(m tea.WindowSizeMsg) tea.WindowSizeMsg {
	if m.Width <= 0 || m.Height <= 0 {
		return tea.WindowSizeMsg{Width: defaultColumns, Height: defaultLines}
	}
	if m.Width > absurdColumns || m.Height > absurdLines {
		return tea.WindowSizeMsg{Width: min(m.Width, defaultColumns), Height: min(m.Height, defaultLines)}
	}
	return tea.WindowSizeMsg{Width: min(m.Width, maxColumns), Height: min(m.Height, maxLines)}
}

// A clocked model reads the clock in its filter, see [ui.Clock].
type clocked interface {
	Filter(tea.Model, tea.Msg) tea.Msg
}

// An onLoop is a message that carries to the event loop what the session does there.
type onLoop func() tea.Msg

// filter handles the session's own messages, and lets the model's filter see what becomes of
// each. It runs on the event loop.
func (s *session) filter(m tea.Model, msg tea.Msg) tea.Msg {
	msg = s.handle(msg)
	if s.clock != nil {
		msg = s.clock.Filter(m, msg)
	}
	return msg
}

func (s *session) handle(msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return plausibleSize(msg)
	case tea.SuspendMsg:
		return s.suspend(wholeGroup)
	case onLoop:
		return msg()
	}
	return msg
}

// A terminalFile is the terminal to read from or to write to. A failed write means that the
// terminal is gone; Bubble Tea ignores the error and would run forever.
type terminalFile struct {
	file *os.File // not embedded: its other methods would bypass Read and Write
	lost func()   // called when the terminal is gone
}

func (f *terminalFile) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	if err != nil {
		f.lost()
	}
	return n, err
}

func (f *terminalFile) Read(p []byte) (int, error) { return f.file.Read(p) }
func (f *terminalFile) Close() error               { return nil } // the caller owns the file
func (f *terminalFile) Fd() uintptr                { return f.file.Fd() }
func (f *terminalFile) Name() string               { return f.file.Name() }
