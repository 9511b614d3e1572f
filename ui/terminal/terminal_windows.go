package terminal

import (
	"io"
	"os"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// A screen leaves drawing to Bubble Tea: the engine cannot draw on a console of Windows by itself.
type screen struct {
	program    *Program
	background bool // to be asked for
}

const (
	fps     = 60
	slowFPS = 10
)

func newScreen(p *Program, model tea.Model, o Options) (*screen, tea.Model, []tea.ProgramOption) {
	frames := fps
	if o.Slow {
		frames = slowFPS
	}
	options := []tea.ProgramOption{tea.WithInput(o.In), tea.WithFPS(frames)}
	if o.Width > 0 && o.Height > 0 { // otherwise the console is asked
		options = append(options, tea.WithWindowSize(o.Width, o.Height))
	}
	return &screen{p, o.AskBackground}, visibleCursor{model}, options
}

// A visibleCursor leaves out the cursor that is [Hidden]: Bubble Tea would show it.
type visibleCursor struct{ tea.Model }

// View implements [tea.Model].
func (m visibleCursor) View() tea.View {
	v := m.Model.View()
	if v.Cursor != nil && v.Cursor.Shape == Hidden {
		v.Cursor = nil
	}
	return v
}

// begin asks what every terminal answers, behind the questions of Bubble Tea: nothing is outstanding
// after that.
func (s *screen) begin() error {
	asked := ansi.RequestPrimaryDeviceAttributes
	if s.background {
		asked = ansi.RequestBackgroundColor + asked
	}
	go s.program.Send(tea.RawMsg{Msg: asked})
	return nil
}

func (s *screen) end()                       {}
func (s *screen) take() error                { return s.program.tea.RestoreTerminal() }
func (s *screen) leave() error               { return s.program.tea.ReleaseTerminal() }
func (s *screen) measure()                   {}
func (s *screen) redraw()                    { s.program.Send(tea.ClearScreen()) }
func (s *screen) raw(msg tea.RawMsg) tea.Msg { return msg }
func (s *screen) cut()                       {}
func (s *screen) farewell() string           { return leaveModes + leaveView }

// Shell is false: Windows has no job control.
func Shell() bool { return false }

const wholeGroup = 0

func (s *session) suspend(int) tea.Msg { return nil }

func (s *session) onStopSignal(os.Signal) {}

// endSignals end the program, as far as Windows has them. SIGTERM stands for a window that is
// closed, a person who logs off, and a shutdown: the process is ended 5 s later.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

// ExitOnDump does nothing: Windows has no such signals.
func ExitOnDump() {}

func notifyStops() <-chan os.Signal { return nil }

func writeNow(f *os.File, text string) { _, _ = io.WriteString(f, text) }

func discard(*os.File) {}

// guardedInput filters nothing: Windows delivers whole keys.
func guardedInput(f *terminalFile, _ bool) io.Reader { return f.file }
