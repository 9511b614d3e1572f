package screens

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/home"
	"paydesk/screens/keys"
	"paydesk/screens/nav"
	"paydesk/ui"
)

const (
	// startPatience limits how long home is shown while the source of the key has not answered. Then the screen of the
	// key shows what it waits for.
	startPatience = time.Second
	// keyPatience limits how long a key that was pressed early waits for what the one before it started.
	keyPatience = 100 * time.Millisecond
)

// A start is the feature that draws home while the source of the key is read: a screen for a few
// milliseconds would only flicker. It keeps the keys that are pressed meanwhile until home can take them. If
// a person is asked something instead, it drops them: they were not meant as the answer.
type start struct {
	plain
	app   *App
	home  *home.Model // drawn in place of the key screen; nil for nothing
	early []tea.KeyPressMsg
	seq   int     // of the next early key
	rest  tea.Cmd // begins what the first frame does not show; nil once it has begun
	// dropped is set from when keys were dropped until the next one: home says so too, which may follow at once.
	dropped bool
}

const droppedWords = "What was typed before this screen was shown has been ignored."

// A startTimeout is when the key screen is shown after all; an earlyKey is when the next of the early keys may
// be taken.
type (
	startTimeout struct{ of *home.Model }
	earlyKey     struct{ seq int }
)

// begin draws home if the screen on top reads a source that answers without a person.
func (s *start) begin() tea.Cmd {
	a := s.app
	s.home, s.early, s.dropped, s.rest = nil, nil, false, nil
	k, is := a.top().(*keys.Entry)
	if !is || !k.Reading() {
		return nil
	}
	o := a.homeOptions()
	o.Sandbox = func() bool { return a.env.Sandbox != nil && a.conn.profile.Environment == keystore.Sandbox }
	o.Journal = a.conn.profile.Journal != "off"
	if a.hasTour() {
		o.Tour = &home.Tour{}
	}
	s.home = home.Preview(a.env.Theme, o, "reading the key from "+keys.SourceName(a.conn.profile.Source)+"…")
	s.home.Resize(ui.BodySize(a.w, a.h))
	return a.after(startPatience, startTimeout{s.home})
}

// shown is the screen that is drawn.
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

// keep keeps a key that came before home was open, or before the ones that did were taken.
func (s *start) keep(k tea.KeyPressMsg) bool {
	const most = 64 // a key that is held down
	if s.home == nil && len(s.early) == 0 {
		s.dropped = false
		return false
	}
	if len(s.early) < most {
		s.early = append(s.early, k)
	}
	return true
}

// connected gives the early keys to the home that has been opened.
func (s *start) connected() tea.Cmd {
	s.home = nil
	if s.dropped {
		s.app.hint, s.dropped = droppedWords, false
	}
	return s.next()
}

// next takes the first of the early keys. The one after it follows once the command of this one has run, because that
// may open the screen which it is for.
func (s *start) next() tea.Cmd {
	if len(s.early) == 0 {
		return nil
	}
	k := s.early[0]
	cmd := s.app.press(k)
	s.early = s.early[1:]
	s.seq++
	then := earlyKey{s.seq}
	return tea.Batch(tea.Sequence(cmd, func() tea.Msg { return then }), s.app.after(keyPatience, then))
}

// look shows the key screen once that asks a person.
func (s *start) look() {
	if k, is := s.app.top().(*keys.Entry); s.home != nil && (!is || !k.Reading()) {
		s.giveUp()
	}
}

// giveUp shows the key screen.
func (s *start) giveUp() {
	if len(s.early) > 0 {
		s.app.hint, s.dropped = droppedWords, true
	}
	s.home, s.early = nil, nil
}

// Receive implements [feature].
func (s *start) Receive(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case startTimeout:
		if msg.of == s.home && s.home != nil {
			s.giveUp()
		}
		return nil, true
	case earlyKey:
		if msg.seq != s.seq {
			return nil, true
		}
		return s.next(), true
	}
	return nil, false
}

// Banner implements [feature]: nothing can be sent yet.
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
