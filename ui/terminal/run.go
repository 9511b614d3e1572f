package terminal

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// Settings are where and how the console runs.
type Settings struct {
	In, Out *os.File
	Getenv  func(string) string
	// Slow asks for few frames, as over SSH.
	Slow bool
	// Reports is the folder for the report of a panic; "" for none. It is made when it is
	// needed.
	Reports string
	// Version goes into such a report.
	Version string
}

// Hangup is the status when the terminal is gone, as if by SIGHUP.
const Hangup = 128 + 1

// ExitCrash is the status when the console ended by a defect of its own.
const ExitCrash = 4

const (
	// stalled is how long the program may take to end itself. A terminal that is not
	// read holds up the event loop; then it is left by force.
	quitTimeout = 1200 * time.Millisecond
	// lastMoment is when the process ends whatever it still does, counted like stalled.
	exitDeadline = 1900 * time.Millisecond
	// yet is how long a program gets whose terminal was made to take more.
	drainTimeout = 200 * time.Millisecond
	// A write to a terminal that may not be read gets this long.
	writeTimeout = 100 * time.Millisecond
)

// resetModes is what takes the terminal out of every mode the console puts it in:
// keyboard enhancements, bracketed paste, alternate screen, hidden cursor.
const resetModes = "\x1b[>4m\x1b[<1u\x1b[?2004l\x1b[?1049l\x1b[?25h"

// A run shorter than quick may end before the terminal has answered the questions
// Bubble Tea asks at its start; late is how long the answers are then waited for.
const (
	shortRun  = time.Second
	replyWait = 250 * time.Millisecond
)

// A session is one run of a program on a terminal.
type session struct {
	Settings
	program *tea.Program
	saved   *term.State
	guard   *crashGuard

	status    atomic.Int32
	endOnce   sync.Once
	ending    chan struct{} // closed once there is a reason to end
	abandoned chan struct{} // closed when the program is not to be waited for
	abandon   func()        // closes left
	paused    atomic.Bool   // the terminal is given back: the process is being stopped
}

// Run runs a model on the terminal until it quits, a signal ends it, the terminal is gone,
// or something panics. The status is 0, 128 and the signal's number, [Hangup], or
// [ExitCrash] with a [Crash]; the terminal is as it was in each case. Once there is a
// reason to end from outside, the process ends within 2 s, even if Run has not returned.
func Run(model tea.Model, set Settings) (status int, err error) {
	saved, err := term.GetState(set.In.Fd())
	if err != nil {
		return 0, err
	}
	s := &session{Settings: set, saved: saved, ending: make(chan struct{}), abandoned: make(chan struct{})}
	s.abandon = sync.OnceFunc(func() { close(s.abandoned) })
	s.guard = &crashGuard{folder: set.Reports, version: set.Version, end: func() { s.end(ExitCrash) }}
	s.program = tea.NewProgram(&guardedModel{inner: model, guard: s.guard}, s.options()...)
	over := make(chan struct{})
	unwatch := s.watchSignals()
	go s.waitForEnd(over)

	begun := time.Now()
	ended := make(chan error, 1)
	go func() {
		_, err := s.program.Run()
		ended <- err
	}()
	select {
	case err = <-ended:
		close(over)
		if time.Since(begun) < shortRun {
			s.discardReplies() // while signals are still watched for: the terminal is raw
		}
	case <-s.abandoned:
		err = nil
	}
	unwatch()
	return s.outcome(err)
}

func (s *session) options() []tea.ProgramOption {
	frames := fps
	if s.Slow {
		frames = slowFPS
	}
	lost := func() { s.end(Hangup) }
	options := []tea.ProgramOption{
		tea.WithoutSignalHandler(),
		tea.WithFPS(frames),
		tea.WithFilter(s.filter),
		tea.WithOutput(&output{file: s.Out, lost: lost}),
	}
	if in := guardedInput(s.In, lost); in != nil {
		options = append(options, tea.WithInput(in))
	}
	if p := colorProfile(s.Getenv); p != nil {
		options = append(options, tea.WithColorProfile(*p))
	}
	return options
}

// outcome is the status, and the error that says what the status does not.
func (s *session) outcome(err error) (int, error) {
	if b := s.guard.crash.Load(); b != nil {
		return ExitCrash, b
	}
	status := int(s.status.Load())
	switch {
	case errors.Is(err, tea.ErrProgramPanic): // caught by the last net, that of the library
		return ExitCrash, &Crash{Type: "unknown", Code: "none"}
	case status != 0 || errors.Is(err, tea.ErrInterrupted):
		err = nil // the status says it all
	}
	return status, err
}

// end asks for the end, for the first reason that comes.
func (s *session) end(status int) {
	s.endOnce.Do(func() {
		s.status.Store(int32(status))
		close(s.ending)
	})
}

// waitForEnd brings the program to its end once there is a reason, by force if need be.
func (s *session) waitForEnd(over <-chan struct{}) {
	select {
	case <-over:
		return
	case <-s.ending:
	}
	status := int(s.status.Load())
	time.AfterFunc(exitDeadline, func() { os.Exit(status) })
	go s.program.Quit() // it blocks while the event loop does
	select {
	case <-over:
	case <-s.abandoned:
	case <-time.After(quitTimeout):
		s.force(over)
		s.abandon()
	}
}

// force restores the terminal when the program has not. With what is unread out of the way
// it may yet do so itself; it must not be done twice, since the keyboard's modes are a stack
// that others use too.
func (s *session) force(over <-chan struct{}) {
	if s.paused.Load() {
		return // the shell has it
	}
	discard(s.Out)
	_ = term.Restore(s.In.Fd(), s.saved) // which wakes who waits for room
	select {
	case <-over:
	case <-time.After(drainTimeout):
		s.writeWithLimit(resetModes)
	}
}

// writeWithLimit writes to a terminal that may not be read. It goes around [os.File], whose lock
// the write that is stuck holds; the terminal is not made non-blocking, since it would
// stay so for the shell.
func (s *session) writeWithLimit(text string) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		writeNow(s.Out, text)
	}()
	select {
	case <-done:
	case <-time.After(writeTimeout):
	}
}

// discardReplies reads the answers that come late, which the shell would take for typed.
func (s *session) discardReplies() {
	if _, err := term.MakeRaw(s.In.Fd()); err != nil {
		return
	}
	go func() { // for as long as the program lasts
		b := make([]byte, 256)
		for {
			if _, err := s.In.Read(b); err != nil {
				return
			}
		}
	}()
	time.Sleep(replyWait)
	_ = term.Restore(s.In.Fd(), s.saved)
}

// The sizes a terminal may say it has. What is beyond any screen is not believed.
const (
	maxColumns, maxLines               = 500, 200
	beyondColumns, beyondLines         = 1000, 1000
	unbelievedColumns, unbelievedLines = 80, 24
)

// plausibleSize is the size to draw for the size that was reported (R113).
func plausibleSize(m tea.WindowSizeMsg) tea.WindowSizeMsg {
	if m.Width > beyondColumns || m.Height > beyondLines {
		return tea.WindowSizeMsg{Width: min(m.Width, unbelievedColumns), Height: min(m.Height, unbelievedLines)}
	}
	return tea.WindowSizeMsg{Width: min(max(m.Width, 0), maxColumns), Height: min(max(m.Height, 0), maxLines)}
}

// filter takes what is for the session out of the messages of the program. It runs on the
// event loop.
func (s *session) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return plausibleSize(msg)
	case tea.SuspendMsg:
		return s.suspend(wholeGroup)
	case halt:
		if msg.taken.CompareAndSwap(false, true) {
			return s.suspend(thisProcess)
		}
		return nil
	}
	return msg
}
