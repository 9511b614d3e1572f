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
	In            io.Reader
	Out           io.Writer
	Environ       []string
	Width, Height int                  // cells, of an Out that is not a terminal
	Profile       colorprofile.Profile // the colours of the terminal
	Filter        func(tea.Model, tea.Msg) tea.Msg
	Slow          bool        // Out is a slow line
	AskBackground bool        // of the terminal, which answers with a [tea.BackgroundColorMsg] or not at all
	Loading       func() bool // reports whether the first screen still reads what it shows; nil for no
	Guard         func()      // deferred where a frame is drawn, to recover a panic; nil for none
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

// ReleaseTerminal leaves the terminal to another program. It returns an error when the terminal is not
// read; [Program.Redraw] goes on as before then. Only the event loop may call it.
func (p *Program) ReleaseTerminal() error {
	return p.screen.leave()
}

// RestoreTerminal takes the terminal again and draws everything.
func (p *Program) RestoreTerminal() error {
	if err := p.screen.take(); err != nil {
		return err
	}
	go p.screen.measure()
	return nil
}

// RetakeTerminal takes the terminal from others that had it without its being released. Where it had it all along, what
// is typed in this moment, such as a card number, is not echoed. Only the event loop may call it.
func (p *Program) RetakeTerminal() error {
	if err := p.screen.pause(); err != nil {
		return err
	}
	return p.RestoreTerminal()
}

// Redraw draws everything, when others may have written to the terminal.
func (p *Program) Redraw() { p.screen.redraw() }

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
	err := p.ReleaseTerminal()
	if err != nil {
		go p.Redraw() // what was written may still arrive
	} else {
		err = e.Command().Run()
		if lost := p.RestoreTerminal(); lost != nil {
			err = fmt.Errorf("the terminal cannot be used again: %w", lost)
		}
	}
	end := e.End(err)
	go p.Send(end)
}
