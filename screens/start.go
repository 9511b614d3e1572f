package screens

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/home"
	"paydesk/screens/keys"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// startPatience limits how long home is shown while the source of the key has not answered. Then the screen of the
// key shows what it waits for.
const startPatience = time.Second

// A start is the feature that draws home while the source of the key is read: a screen for a few
// milliseconds would only flicker. The keys that are pressed meanwhile are kept until home can take them, see [ahead]. If
// a person is asked something instead, they are dropped: they were not meant as the answer.
type start struct {
	app  *App
	home *home.Model // drawn in place of the key screen; nil for nothing
	rest tea.Cmd     // begins what the first frame does not show; nil once it has begun
	// dropped is set from when keys were dropped until the next one: home says so too, which may follow at once.
	dropped  bool
	patience timer
}

const droppedWords = "Keys typed before this screen was shown have been ignored."

// begin draws home if the screen on top reads a source that answers without a person.
func (s *start) begin() tea.Cmd {
	a := s.app
	s.home, s.dropped, s.rest = nil, false, nil
	a.ahead.drop()
	k, is := a.top().(*keys.Entry)
	if !is || !k.Reading() {
		return nil
	}
	o := home.Options{Journal: a.conn.recorded()}
	if a.hasTour() {
		o.Tour = &home.Tour{}
	}
	s.home = home.Preview(a.env.Theme, o, "reading the key from "+keys.SourceName(a.conn.profile.Source)+"…")
	s.home.Resize(ui.BodySize(a.w, a.h))
	return s.patience.after(a, startPatience, func() tea.Cmd {
		if s.home != nil {
			s.giveUp()
		}
		return nil
	})
}

// shown returns the screen that is drawn.
func (s *start) shown() ui.Screen {
	if s.home != nil {
		return s.home
	}
	return s.app.top()
}

// Loading reports whether home has yet to read what it lists. On a slow line the first frame waits for that.
func (a *App) Loading() bool {
	h, is := a.start.shown().(*home.Model)
	return is && h.Loading()
}

// loaded begins what the first frame does not show, once home has read what it lists.
func (s *start) loaded() (begin tea.Cmd) {
	if !s.app.Loading() {
		begin, s.rest = s.rest, nil
	}
	return begin
}

// connected gives the early keys to the home that has been opened.
func (s *start) connected() tea.Cmd {
	s.home = nil
	if s.dropped {
		s.app.warn(droppedWords)
		s.dropped = false
	}
	return s.app.ahead.pass()
}

// look shows the key screen once that asks a person.
func (s *start) look() {
	if k, is := s.app.top().(*keys.Entry); s.home != nil && (!is || !k.Reading()) {
		s.giveUp()
	}
}

// giveUp shows the key screen.
func (s *start) giveUp() {
	if s.app.ahead.drop() {
		s.app.warn(droppedWords)
		s.dropped = true
	}
	s.home = nil
}

// Banner says that nothing can be sent yet.
func (s *start) Banner() ui.Notice {
	if s.home == nil || !s.app.conn.target().DeclaredLive() {
		return ui.Notice{}
	}
	return ui.Notice{Text: lockedWords}
}

// open puts the first screen on the stack, which may have to read the source of a key.
func (s *start) open(to nav.Route) tea.Cmd {
	pushed := s.app.push(to)
	return tea.Batch(pushed, s.begin())
}
