package terminal

import (
	"fmt"
	"io"
	"os/exec"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// The sequences that take the terminal and leave it. The kitty protocol is a stack for each screen.
const (
	takeBare  = ansi.SetModeAltScreenSaveCursor + ansi.ResetModeTextCursorEnable + ansi.SetModeBracketedPaste
	takeModes = takeBare + ansi.SetModifyOtherKeys2 + "\x1b[>1u"
	// The renderer stops the terminal from wrapping while it draws a line with wide characters, and a frame may end there.
	leaveBare  = ansi.ResetModeBracketedPaste + ansi.SetModeAutoWrap
	leaveModes = ansi.ResetModifyOtherKeys + "\x1b[<1u" + leaveBare
	// Some terminals have no alternate screen, and tmux may keep lines of it in its history after a
	// resize: it is erased first.
	leaveView = ansi.ResetStyle + ansi.CursorHomePosition + ansi.EraseScreenBelow +
		ansi.ResetModeAltScreenSaveCursor + ansi.SetModeTextCursorEnable
)

// Options configure a [Program].
type Options struct {
	Width, Height int                  // cells, of an Out that is not a terminal
	Profile       colorprofile.Profile // the colours of the terminal
	Slow          bool                 // the terminal is behind a slow line, as over SSH
	AskBackground bool                 // of the terminal, which answers with a [tea.BackgroundColorMsg] or not at all

	// [Run] sets these itself.
	In      io.Reader
	Out     io.Writer
	Environ []string
	Filter  func(tea.Model, tea.Msg) tea.Msg
	Loading func() bool // reports whether the first screen still reads what it shows; nil for no
	Guard   func()      // deferred where a frame is drawn, to recover a panic; nil for none

	// Only Run writes reports of crashes.
	Reports string // the folder for them, created when needed; "" for none
	Version string // of the program, for them
}

// An Exec is the message of a command that needs the terminal for itself. Command returns what to
// run, and End the message to deliver when it has ended.
type Exec interface {
	Command() *exec.Cmd
	End(error) tea.Msg
}

// A Program is a Bubble Tea program on a terminal that draws a frame when something changed.
type Program struct {
	tea     *tea.Program
	filter  func(tea.Model, tea.Msg) tea.Msg
	screen  *screen
	asked   atomic.Bool   // replies of the terminal are still to come
	leaving chan struct{} // closed when only the terminal is still to be left
}

// NewProgram returns a program that has not begun. Its model sends to the terminal with [tea.Raw]
// and [Exec] alone.
func NewProgram(model tea.Model, o Options) *Program {
	p := &Program{filter: o.Filter, leaving: make(chan struct{})}
	if p.filter == nil {
		p.filter = func(_ tea.Model, msg tea.Msg) tea.Msg { return msg }
	}
	options := []tea.ProgramOption{
		tea.WithOutput(o.Out), tea.WithEnvironment(o.Environ), tea.WithColorProfile(o.Profile),
		tea.WithoutSignalHandler(), tea.WithFilter(p.handle),
	}
	var more []tea.ProgramOption
	p.screen, model, more = newScreen(p, model, o)
	p.tea = tea.NewProgram(model, append(options, more...)...)
	return p
}

// Run runs the program until it ends, and leaves the terminal as it was, for which it waits until the
// terminal is read.
func (p *Program) Run() error {
	defer p.screen.end()
	defer close(p.leaving)
	p.asked.Store(true)
	if err := p.screen.begin(); err != nil {
		return err
	}
	_, err := p.tea.Run()
	return err
}

// Send delivers a message, and waits until it is taken.
func (p *Program) Send(msg tea.Msg) { p.tea.Send(msg) }

// Quit ends the program as a key of its model would.
func (p *Program) Quit() { p.tea.Quit() }

// Kill ends the program at once.
func (p *Program) Kill() { p.tea.Kill() }

// takeAgain takes the terminal again, which was left to another program, and draws everything. Only the event loop may call it.
func (p *Program) takeAgain() error {
	if err := p.screen.take(); err != nil {
		return err
	}
	go p.screen.measure()
	return nil
}

// handle is the filter of the program. It runs on the event loop.
func (p *Program) handle(model tea.Model, msg tea.Msg) tea.Msg {
	if _, last := msg.(uv.PrimaryDeviceAttributesEvent); last {
		p.asked.Store(false)
	}
	switch msg := p.filter(model, msg).(type) {
	case tea.RawMsg:
		return p.screen.raw(msg)
	case Exec:
		p.exec(msg)
		return nil
	default:
		return msg
	}
}

// exec gives the terminal to a command until it ends.
func (p *Program) exec(e Exec) {
	err := p.screen.leave()
	if err != nil {
		go p.screen.redraw() // what was written may still arrive
	} else {
		err = e.Command().Run()
		if lost := p.takeAgain(); lost != nil {
			err = fmt.Errorf("the terminal cannot be used again: %w", lost)
		}
	}
	end := e.End(err)
	go p.Send(end)
}
