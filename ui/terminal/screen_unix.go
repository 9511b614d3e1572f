//go:build !windows

package terminal

import (
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// A screen shows the pictures of a model. It does what Bubble Tea's renderer does: it prepares the
// terminal, knows its size and modes, and draws.
type screen struct {
	program *Program
	painter *painter
	keys    *keyboard
	in, out term.File // nil when they are no terminals
	saved   *term.State
	over    chan struct{}
	resized chan os.Signal
	first   firstFrame
}

// A firstFrame is drawn once where it waits a little: on a slow line for what it shows, else for the colours to show it in.
type firstFrame struct {
	begun, asked time.Time   // when the program began, and when the terminal was asked
	loading      func() bool // nil for no
	colours      bool        // are still to come
	drawn        bool
}

const (
	// answerHold sets how long the first frame waits for the answer of the terminal, from when that is asked. A terminal on this machine
	// answers sooner, unless the machine is busy; then little is drawn again.
	answerHold = 600 * time.Microsecond
	// loadHold sets how long the first frame waits for what it shows, from the start.
	loadHold = 20 * time.Millisecond
)

// due returns when it is drawn; zero for now.
func (f *firstFrame) due() time.Time {
	switch {
	case f.loading != nil && f.loading():
		return f.begun.Add(loadHold)
	case f.colours:
		return f.asked.Add(answerHold)
	}
	return time.Time{}
}

func newScreen(p *Program, model tea.Model, o Options) (*screen, tea.Model, []tea.ProgramOption) {
	s := &screen{program: p, in: terminalOf(o.In), out: terminalOf(o.Out), over: make(chan struct{}), resized: make(chan os.Signal, 1)}
	getenv := uv.Environ(o.Environ).Getenv
	s.keys = &keyboard{program: p, in: o.In, termType: getenv("TERM")}
	c := &canvas{environ: o.Environ, queries: queries(getenv, o.AskBackground), bare: Bare(getenv("TERM"))}
	if w, h, err := s.size(); err == nil {
		o.Width, o.Height, c.w, c.h = w, h, w, h
	}
	s.painter = newPainter(o.Out, c, modes{profile: o.Profile}, o.Slow, func() { go p.Send(frameDue{}) })
	s.first = firstFrame{begun: time.Now(), colours: o.AskBackground && !o.Slow}
	if o.Slow { // elsewhere what is read is drawn a moment later as well
		s.first.loading = o.Loading
	}
	if o.Guard == nil {
		o.Guard = func() {}
	}
	go s.painter.run(s.over, o.Guard)
	return s, &drawnModel{inner: model, screen: s}, []tea.ProgramOption{
		tea.WithoutRenderer(), tea.WithInput(nil), tea.WithFPS(1), tea.WithWindowSize(o.Width, o.Height),
	}
}

// terminalOf returns a file that is a terminal, or nil.
func terminalOf(stream any) term.File {
	if f, ok := stream.(term.File); ok && term.IsTerminal(f.Fd()) {
		return f
	}
	return nil
}

// queries asks for the keyboard protocol, for mode 2026 and 2027 as Bubble Tea does, for the background's colour,
// and last for what every terminal answers: nothing is outstanding after that. The first frame follows them. A bare
// terminal is asked for that alone.
func queries(getenv func(string) string, background bool) string {
	if Bare(getenv("TERM")) {
		return ansi.RequestPrimaryDeviceAttributes
	}
	modes := ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore
	if getenv("TERM_PROGRAM") == "Apple_Terminal" || getenv("SSH_TTY") != "" && !knownModes(getenv("TERM")) {
		modes = "" // Apple's terminal prints a part of the question, and over SSH it does not say its name
	}
	asked := ansi.RequestKittyKeyboard + modes
	if background {
		asked += ansi.RequestBackgroundColor
	}
	return asked + ansi.RequestPrimaryDeviceAttributes
}

func knownModes(termType string) bool {
	return slices.ContainsFunc([]string{"ghostty", "wezterm", "alacritty", "kitty", "rio"}, func(name string) bool {
		return strings.Contains(termType, name)
	})
}

// begin takes the terminal, and reports its size from then on.
func (s *screen) begin() error {
	if s.out != nil {
		signal.Notify(s.resized, syscall.SIGWINCH)
		go s.followSize()
	}
	return s.take()
}

// end leaves the terminal. It waits for one that is not read.
func (s *screen) end() {
	s.keys.stop()
	signal.Stop(s.resized)
	close(s.over)
	<-s.painter.gone
	_ = s.restore()
}

// take takes the terminal.
func (s *screen) take() error {
	if s.in != nil {
		saved, err := term.MakeRaw(s.in.Fd())
		if err != nil {
			return err
		}
		if s.saved == nil {
			s.saved = saved
		}
	}
	s.painter.take()
	s.first.asked = time.Now()
	return s.keys.start()
}

// leave leaves the terminal to another program.
func (s *screen) leave() error {
	if err := s.pause(); err != nil {
		return err
	}
	return s.restore()
}

// pause stops drawing and reading. The terminal keeps its settings: what is typed meanwhile is not echoed.
func (s *screen) pause() error {
	if err := s.painter.leave(quitTimeout); err != nil {
		return err
	}
	s.keys.stop()
	return nil
}

// restore gives the terminal the settings that it had.
func (s *screen) restore() error {
	if s.saved == nil {
		return nil
	}
	return term.Restore(s.in.Fd(), s.saved)
}

// cut drops what is still to be written, but for what leaves the terminal.
func (s *screen) cut() { s.painter.cut.Store(true) }

// farewell leaves the terminal while a write to it is stuck; "" when it is left.
func (s *screen) farewell() string {
	s.painter.mu.Lock()
	defer s.painter.mu.Unlock()
	return s.painter.farewell
}

// followSize reports changes of the size until the end.
func (s *screen) followSize() {
	for {
		select {
		case <-s.over:
			return
		case <-s.resized:
			s.measure()
		}
	}
}

// measure reports the size.
func (s *screen) measure() {
	if w, h, err := s.size(); err == nil {
		s.program.Send(tea.WindowSizeMsg{Width: w, Height: h})
	}
}

// size returns the size to draw. Bubble Tea drops the messages of sizes that no terminal has: a program on
// one that reports such a size would wait for another.
func (s *screen) size() (w, h int, err error) {
	if s.out == nil {
		return 0, 0, os.ErrInvalid
	}
	w, h, err = term.GetSize(s.out.Fd())
	plausible := plausibleSize(tea.WindowSizeMsg{Width: w, Height: h})
	return plausible.Width, plausible.Height, err
}

// redraw draws everything, when others may have written to the terminal.
func (s *screen) redraw() {
	s.painter.take()
	s.measure()
}

// raw writes the sequence of a message. The model does not see it.
func (s *screen) raw(msg tea.RawMsg) tea.Msg {
	if sequence, ok := msg.Msg.(string); ok {
		s.painter.write(sequence)
	}
	return nil
}

// frameDue says that the painter is ready for the picture it refused before.
type frameDue struct{}

// A drawnModel draws the model within it when something changed. Bubble Tea sees an empty view.
type drawnModel struct {
	inner   tea.Model
	screen  *screen
	changed bool // since the last picture
}

// Init implements [tea.Model]. It ends Bubble Tea's own drawing, whose timer would wake the program each second for nothing;
// it waits half a second for an input that is not Bubble Tea's either.
func (d *drawnModel) Init() tea.Cmd {
	go d.screen.program.tea.ReleaseTerminal()
	return d.inner.Init()
}

// View implements [tea.Model].
func (d *drawnModel) View() tea.View { return tea.View{} }

// Update implements [tea.Model].
func (d *drawnModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	if _, due := msg.(frameDue); !due {
		d.screen.note(msg)
		d.inner, cmd = d.inner.Update(msg)
		d.changed = true
	}
	if first := &d.screen.first; !first.drawn {
		d.screen.painter.hold(first.due())
	}
	if d.changed && d.screen.painter.ready() {
		d.changed, d.screen.first.drawn = false, true
		d.screen.painter.show(pictureOf(d.inner.View()))
	}
	return d, cmd
}

// note learns about the terminal from a message.
func (s *screen) note(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.painter.setModes(func(m *modes) { m.w, m.h, m.generation = msg.Width, msg.Height, m.generation+1 })
	case tea.KeyPressMsg, tea.PasteMsg:
		s.painter.hurry()
	case tea.ColorProfileMsg:
		s.painter.setModes(func(m *modes) { m.profile = msg.Profile })
	case uv.PrimaryDeviceAttributesEvent:
		s.first.colours = false
	case tea.ModeReportMsg:
		known := msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet
		switch {
		case msg.Mode == ansi.ModeSynchronizedOutput && msg.Value == ansi.ModeReset: // no other program has set it
			s.painter.setModes(func(m *modes) { m.synchronized = true })
		case msg.Mode == ansi.ModeUnicodeCore && known:
			s.painter.setModes(func(m *modes) { m.graphemes++ })
		}
	}
}
