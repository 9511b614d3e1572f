package termtest

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// A viewed model keeps the last view of the model within it.
type viewed struct {
	tea.Model
	last *lastView
}

type lastView struct {
	mu   sync.Mutex
	view tea.View
}

func (v viewed) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	v.Model, cmd = v.Model.Update(msg)
	return v, cmd
}

func (v viewed) View() tea.View {
	view := v.Model.View()
	v.last.mu.Lock()
	defer v.last.mu.Unlock()
	v.last.view = view
	return view
}

// SecondOpinion compares the screen, cell by cell, with what Bubble Tea's own renderer draws for the
// same view, and returns the first difference, "" for none.
func (p *Program) SecondOpinion() string {
	if runtime.GOOS == "windows" { // where Bubble Tea draws the first one too
		return ""
	}
	p.last.mu.Lock()
	view := p.last.view
	p.last.mu.Unlock()
	w, h := p.Width(), p.Height()
	second := &untilLeft{Emulator: NewEmulator(w, h, &bytes.Buffer{})}
	defer second.Close()
	o := p.options
	program := tea.NewProgram(onePicture{view}, tea.WithInput(nil), tea.WithOutput(second), tea.WithWindowSize(w, h),
		tea.WithColorProfile(o.Profile), tea.WithEnvironment(o.Environ), tea.WithoutSignalHandler())
	if _, err := program.Run(); err != nil {
		return err.Error()
	}
	for y := range h {
		for x := range w {
			ours, theirs := p.Cell(x, y), second.Cell(x, y)
			if !looksLike(ours, theirs) {
				return fmt.Sprintf("the cell in column %d of line %d is %+v, and drawn by Bubble Tea %+v", x, y, ours, theirs)
			}
		}
	}
	return ""
}

// looksLike reports whether two cells look the same: a bold blank looks like a faint one.
func looksLike(a, b uv.Cell) bool {
	const unseen = uv.AttrBold | uv.AttrFaint | uv.AttrItalic
	for _, c := range []*uv.Cell{&a, &b} {
		if strings.TrimSpace(c.Content) == "" {
			c.Style.Fg, c.Style.Attrs = nil, c.Style.Attrs&^unseen
		}
	}
	return a.Equal(&b)
}

// onePicture is drawn once.
type onePicture struct{ view tea.View }

func (o onePicture) Init() tea.Cmd { return nil }

func (o onePicture) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, sized := msg.(tea.WindowSizeMsg); sized {
		return o, tea.Quit
	}
	return o, nil
}

func (o onePicture) View() tea.View { return o.view }

// untilLeft is a terminal that keeps what is on its alternate screen when a program leaves it. Like
// the kernel, it adds a carriage return to a line feed, which Bubble Tea relies on without a terminal.
type untilLeft struct {
	*Emulator
	left bool
}

func (u *untilLeft) Write(b []byte) (int, error) {
	shown, _, leaves := bytes.Cut(b, []byte(ansi.ResetModeAltScreenSaveCursor))
	if !u.left {
		_, _ = u.Emulator.Write(bytes.ReplaceAll(shown, []byte("\n"), []byte("\r\n")))
	}
	u.left = u.left || leaves
	return len(b), nil
}
