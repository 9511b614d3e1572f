package terminal

import (
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
)

// A screen leaves drawing to Bubble Tea: the engine cannot draw on a console of Windows by itself.
type screen struct {
	program *Program
	asked   atomic.Bool
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
	return &screen{program: p}, model, []tea.ProgramOption{tea.WithFPS(frames)}
}

func (s *screen) begin() error               { s.asked.Store(true); return nil }
func (s *screen) end()                       {}
func (s *screen) pause() error               { return nil }
func (s *screen) resume() error              { return nil }
func (s *screen) redraw()                    { s.program.Send(tea.ClearScreen()) }
func (s *screen) raw(msg tea.RawMsg) tea.Msg { return msg }
