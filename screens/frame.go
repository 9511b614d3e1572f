package screens

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/ui"
	"paydesk/ui/terminal"
)

// View implements [tea.Model].
func (a *App) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	if len(a.stack) == 0 {
		return v
	}
	if a.help != nil {
		a.help.lay(a)
	}
	top := a.start.shown()
	f := ui.Frame{
		Theme: a.env.Theme, Environment: a.conn.environment(), Live: a.conn.target().DeclaredLive(), Host: a.conn.profile.Host(), KeySource: a.conn.keyLabel(),
		Trail: a.trail(), Rooms: a.roomList(), Banner: a.banner(), Notice: a.notice(), Keys: a.shown(),
	}
	v.WindowTitle = f.WindowTitle()
	v.Content, v.Cursor = a.draw(f, top)
	return v
}

// draw draws a screen in its frame, or what stands in its place.
func (a *App) draw(f ui.Frame, s ui.Screen) (string, *tea.Cursor) {
	if a.help != nil {
		return f.Render(a.w, a.h, a.help.text.View()), a.rest(0, 0)
	}
	if whole := f.Fill(a.w, a.h, s); whole != "" {
		return whole, a.rest(0, 0)
	}
	body, cursor := s.View()
	f.Notice = a.once(f.Notice, body)
	switch {
	case a.tooSmall():
		cursor = nil
	case cursor == nil:
		cursor = a.rest(ui.Focus(body))
	default:
		cursor.X += ui.BodyX
		cursor.Y += ui.BodyY
	}
	return f.Render(a.w, a.h, a.footed(body)), cursor
}

// footed is a body with the latest requests at its foot, where it leaves much of the window blank and their key works.
func (a *App) footed(body string) string {
	if a.leave.waiting || !slices.ContainsFunc(a.offers(a.requests).Keys(), key.Binding.Enabled) {
		return body
	}
	w, h := ui.BodySize(a.w, a.h)
	lines := max(7, h/4)
	return ui.Footed(body, w, h, lines, func(w int) []string {
		return a.env.Requests.Foot(a.env.Theme, a.conn.profile.Name, toRequests.Help().Key+" lists all", w, lines)
	})
}

// rest returns a hidden cursor at a place of the body: a display for the blind shows what stands there. nil where there is no body.
func (a *App) rest(x, y int) *tea.Cursor {
	if a.tooSmall() {
		return nil
	}
	cursor := tea.NewCursor(ui.BodyX+x, ui.BodyY+y)
	cursor.Shape = terminal.Hidden
	return cursor
}

// trail returns the titles of the screens from home to the one that is shown. A console that is hidden
// says nothing of those below.
func (a *App) trail() []string {
	top := []string{a.start.shown().Title()}
	if a.idle.hidden || a.start.home != nil {
		return top
	}
	var below []string
	for _, m := range a.stack[:len(a.stack)-1] {
		if len(below) > 0 || !m.isOf(nav.Home{}) {
			below = append(below, m.screen.Title())
		}
	}
	return append(below, top...)
}

// shown returns the bindings of the last line, which are few while no others do anything.
func (a *App) shown() []key.Binding {
	switch {
	case a.leave.waiting:
		return ui.LeavingKeys
	case a.help != nil:
		return a.help.keys()
	}
	return a.bindings()
}

// bindings returns those of the top screen, of the features and of the frame that do something now.
func (a *App) bindings() []key.Binding {
	another, own, lock := a.offers(a.rekey).Keys(), a.start.shown().Keys(), a.offers(a.sendLock.Commands).Keys()
	keys := slices.Concat(another, own, lock)
	if a.sendLock.leads() {
		keys = slices.Concat(another, lock, own)
	}
	if h, ok := a.top().(ui.Leaver); len(a.stack) > 1 && (!ok || h.WhyStay() == "") {
		keys = append(keys, ui.Back)
	}
	help := ui.Help
	if a.top().Typing() {
		help = ui.HelpTyping // ? is text there
	}
	keys = slices.Concat(keys, a.offers(a.goTo).Keys(), []key.Binding{help, a.leave.key()}, a.leave.Commands().Keys())
	keys = slices.DeleteFunc(keys, func(b key.Binding) bool { return !b.Enabled() })
	return slices.Insert(keys, a.demo.place(keys), a.offers(a.demo.Commands).Keys()...)
}

// notice returns the line above the keys.
func (a *App) notice() ui.Notice {
	if a.help != nil {
		return a.help.position()
	}
	return a.news()
}

// news returns what a key did or why it did nothing, what the screen says, or else what a feature says: the most urgent that there is.
// Features tell nothing while the console is hidden.
func (a *App) news() ui.Notice {
	says := []func() ui.Notice{a.leave.Notice, func() ui.Notice { return a.hint }, func() ui.Notice { return newsOf(a.top()) }}
	if !a.idle.hidden {
		says = slices.Insert(says, 2, a.pins.Notice) // it has only just happened
		says = append(says, a.rejectedNews, a.recordingNews, a.following.Notice, a.keySourceNews)
	}
	for _, say := range says {
		if n := say(); n.Text != "" {
			return n
		}
	}
	return ui.Notice{}
}

// banner returns what stands on every frame.
func (a *App) banner() ui.Notice {
	if n := a.start.Banner(); n.Text != "" || a.idle.hidden {
		return n
	}
	return a.sendLock.Banner()
}

// proxySuffix names the proxy on the way to the service, in words.
func (a *App) proxySuffix() string {
	if proxy, err := a.env.Through(a.conn.profile.BaseURL); err == nil && proxy != "" {
		return " through the proxy " + proxy
	}
	return ""
}

// explain returns what the help page says above the keys, and after them.
func (a *App) explain() (purpose string, more []string) {
	if words := a.env.Theme.Clipboard.Explain(); words != "" {
		more = append(more, words)
	}
	if e, ok := a.top().(ui.Explainer); ok {
		if texts := e.Explain(); len(texts) > 0 {
			purpose, more = texts[0], append(more, texts[1:]...)
		}
	}
	if a.conn.open() {
		more = append(more, "Connected to "+a.conn.target().String()+a.proxySuffix()+", key source: "+a.conn.source+".")
	}
	return purpose, append(more, "paydesk "+a.env.Version)
}
