// Package screens is the root of the console: the stack of screens, the post
// that brings letters to them, the chrome around them, and quitting.
//
// Three kinds of message exist: chrome (size, help, quit), letters (addressed to
// one screen wherever it is on the stack, dropped when it was left), and keys and
// pastes (for the screen on top). Nothing is broadcast.
package screens

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/challenge"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/screens/sandbox"
	"paydesk/screens/transfer"
	"paydesk/ui"
)

// A backer is a screen with steps of its own to go back through. Back reports
// whether there was one.
type backer interface{ Back() bool }

// A noticer is a screen with one line of news.
type noticer interface{ Notice() ui.Notice }

// An explainer is a screen with more to say on the help page than its keys.
type explainer interface{ Explain() []string }

// A resumer is a screen that looks again when it is on top again.
type resumer interface{ Resume() tea.Cmd }

type mount struct {
	screen ui.Screen
	leave  context.CancelFunc
}

// An App is the root model.
type App struct {
	ctx   context.Context
	env   Deps
	work  *ui.Work
	first nav.Route
	conn  connection
	stack []mount
	// watching is how payments are watched, for as long as the console runs.
	watching payment.Settings

	w, h    int
	help    bool
	leaving bool   // ctrl+c was pressed while something was under way
	hint    string // why a key did nothing
	lock    lock
	idle    idle
}

// New is the console, opening with the screen of a route. The scopes of its
// screens end with ctx.
func New(ctx context.Context, env Deps, work *ui.Work, first nav.Route) *App {
	return &App{ctx: ctx, env: env, work: work, first: first, watching: payment.Settings{Bell: true}}
}

// Init implements [tea.Model].
func (a *App) Init() tea.Cmd { return a.push(a.first) }

// Update implements [tea.Model].
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if a.noteInput(msg) {
		return a, a.idleLock()
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.resize(msg.Width, msg.Height)
	case ui.Reply:
		return a, a.deliver(msg)
	case navigation:
		return a, a.navigateFrom(msg)
	case nav.Push, nav.Replace, nav.Back, nav.Restart, nav.Connect, nav.Rekey:
		return a, a.navigate(msg)
	case tea.KeyPressMsg:
		return a, a.key(msg)
	case nav.Unlocked, nav.Acknowledged:
		return a, a.confirmed(msg)
	case countdownTick:
		return a, a.tick(msg)
	case idleTimeout, keyTimeout:
		return a, a.onIdleTimer(msg)
	case tea.ResumeMsg:
		a.lockSending()
		return a, a.interruptTop() // what was about to be answered before the stop is not
	case tea.PasteMsg:
		if !a.help && !a.tooSmall() {
			return a, fromScreen(a.top(), a.top().Update(msg))
		}
	}
	return a, nil
}

func (a *App) top() ui.Screen { return a.stack[len(a.stack)-1].screen }

func (a *App) tooSmall() bool { return a.w < ui.MinWidth || a.h < ui.MinHeight }

func (a *App) resize(w, h int) {
	a.w, a.h = w, h
	for _, m := range a.stack {
		m.screen.Resize(ui.BodySize(w, h))
	}
}

// deliver brings a letter to its screen. When the last work under way was
// answered and the person wanted to leave, the console ends.
func (a *App) deliver(l ui.Reply) tea.Cmd {
	var cmd tea.Cmd
	for _, m := range a.stack {
		if m.screen == l.To {
			cmd = fromScreen(m.screen, m.screen.Update(l.Msg))
		}
	}
	if a.leaving && !a.work.Busy() {
		return tea.Quit
	}
	return cmd
}

func (a *App) navigate(msg tea.Msg) tea.Cmd {
	a.help, a.hint = false, ""
	switch msg := msg.(type) {
	case nav.Push:
		return a.push(msg.To)
	case nav.Replace:
		a.pop()
		return a.push(msg.To)
	case nav.Restart:
		return a.restart(msg.To)
	case nav.Connect:
		return a.connect(msg)
	case nav.Rekey:
		a.pop()
		return tea.Batch(a.renew(msg), a.resume(), a.interruptTop())
	case nav.Back:
		if len(a.stack) > 1 && !isIdleLock(a.stack[len(a.stack)-1]) {
			a.pop()
			return tea.Batch(a.resume(), a.interruptTop()) // a key typed ahead was not meant for what is uncovered
		}
	}
	return nil
}

// resume lets the screen on top look again.
func (a *App) resume() tea.Cmd {
	if r, ok := a.top().(resumer); ok {
		return fromScreen(a.top(), r.Resume())
	}
	return nil
}

func (a *App) push(r nav.Route) tea.Cmd { return a.insert(len(a.stack), r) }

func (a *App) insert(at int, r nav.Route) tea.Cmd {
	ctx, leave := context.WithCancel(a.ctx)
	s := a.build(r)
	a.stack = slices.Insert(a.stack, at, mount{s, leave})
	s.Resize(ui.BodySize(a.w, a.h))
	return fromScreen(s, s.Init(ui.NewScope(ctx, a.work, s)))
}

func (a *App) pop() { a.remove(len(a.stack) - 1) }

func (a *App) remove(at int) {
	a.stack[at].leave()
	a.stack = slices.Delete(a.stack, at, at+1)
}

func (a *App) clear() {
	for len(a.stack) > 0 {
		a.pop()
	}
	a.idle.hidden = false
}

// key takes a key: the chrome's own first, then the screen's.
func (a *App) key(k tea.KeyPressMsg) tea.Cmd {
	a.hint = ""
	if key.Matches(k, ui.Quit) {
		return a.quit()
	}
	if a.leaving {
		a.leaving = !key.Matches(k, ui.Back)
		return nil
	}
	switch {
	case a.help:
		a.help = false // any key closes it, and does nothing else
	case key.Matches(k, ui.Help) && (!a.top().Typing() || k.Text == ""):
		a.help = true
	case a.tooSmall():
	case key.Matches(k, ui.Back):
		return a.back()
	case key.Matches(k, ui.Suspend):
		return tea.Batch(a.interruptTop(), a.stop())
	case key.Matches(k, lockKey) && a.guarded():
		return tea.Batch(a.interruptTop(), a.toggleSendLock())
	case key.Matches(k, toSandbox) && a.inDemo():
		return tea.Batch(a.interruptTop(), a.toSandbox())
	case key.Matches(k, anotherKey) && a.refused():
		return tea.Batch(a.interruptTop(), a.askKey())
	default:
		return fromScreen(a.top(), a.top().Update(k))
	}
	return a.interruptTop()
}

// interruptTop tells the screen on top that a key was not for it.
func (a *App) interruptTop() tea.Cmd { return fromScreen(a.top(), a.top().Update(ui.Interrupted{})) }

// back steps back inside the screen, or leaves it unless it holds.
func (a *App) back() tea.Cmd {
	if h, ok := a.top().(ui.Leaver); ok && h.WhyStay() != "" {
		a.hint = h.WhyStay()
		return nil
	}
	if b, ok := a.top().(backer); ok && b.Back() {
		return a.interruptTop() // it may have to look again at what is uncovered
	}
	return a.navigate(nav.Back{})
}

// toSandbox opens the demo's service from every screen but its own. The one below
// stays as it is.
var toSandbox = key.NewBinding(key.WithKeys("ctrl+b"), key.WithHelp("ctrl+b", "sandbox"))

func (a *App) toSandbox() tea.Cmd {
	if _, there := a.top().(*sandbox.Model); there {
		return nil
	}
	return a.push(nav.Sandbox{})
}

// inDemo reports whether the console speaks to the embedded sandbox. No profile that is
// configured can call itself one.
func (a *App) inDemo() bool {
	return !a.idle.hidden && a.env.Sandbox != nil && a.conn.open() && a.conn.profile.Environment == keystore.Sandbox
}

// quit ends the console; while work is under way it asks first.
func (a *App) quit() tea.Cmd {
	if a.leaving || !a.work.Busy() {
		return tea.Quit
	}
	a.leaving = true
	return nil
}

// stop goes back to the shell for a while, with the terminal as it was there.
func (a *App) stop() tea.Cmd {
	switch {
	case !a.env.Shell:
		a.hint = "No shell waits for the console here, so ctrl+z does nothing. ctrl+c quits."
	case a.work.Busy():
		a.hint = "Something is being sent, and a console that is stopped takes no answer: ctrl+z once it is there."
	default:
		return tea.Suspend
	}
	return nil
}

// View implements [tea.Model].
func (a *App) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	if len(a.stack) == 0 {
		return v
	}
	top := a.top()
	f := ui.Frame{
		Theme: a.env.Theme, Environment: a.conn.environment(), Live: a.conn.target().DeclaredLive(), Host: a.conn.host(), KeySource: a.conn.keyLabel(),
		Title: top.Title(), Banner: a.banner(), Notice: a.notice(), Keys: a.shown(),
	}
	w, h := ui.BodySize(a.w, a.h)
	if a.help {
		v.SetContent(f.Render(a.w, a.h, f.HelpPage(w, h, a.bindings(), a.explain()...)))
		return v
	}
	body, cursor := top.View()
	v.SetContent(f.Render(a.w, a.h, body))
	if cursor != nil && !a.tooSmall() {
		cursor.X += ui.BodyX
		cursor.Y += ui.BodyY
		v.Cursor = cursor
	}
	return v
}

// shown are the bindings of the last line, which are few while no others do anything.
func (a *App) shown() []key.Binding {
	switch {
	case a.leaving:
		return ui.LeavingKeys
	case a.help:
		return ui.HelpPageKeys
	}
	return a.bindings()
}

// bindings are the top screen's and the chrome's own. The way to the sandbox comes last,
// but before what the help bar has no room for where somebody waits for what is decided
// there.
func (a *App) bindings() []key.Binding {
	keys := a.withLock(a.top().Keys())
	if a.refused() {
		keys = slices.Insert(keys, 0, anotherKey)
	}
	if h, ok := a.top().(ui.Leaver); len(a.stack) > 1 && (!ok || h.WhyStay() == "") {
		keys = append(keys, ui.Back)
	}
	help := ui.Help
	if a.top().Typing() {
		help = ui.HelpTyping // ? is text there
	}
	keys = append(keys, help, ui.Quit)
	if a.env.Shell {
		keys = append(keys, ui.Suspend)
	}
	if _, there := a.top().(*sandbox.Model); there || !a.inDemo() {
		return keys
	}
	at := len(keys)
	switch a.top().(type) {
	case *challenge.Model, *transfer.Model, *payment.Model:
		at = shownFirst(keys)
	}
	return slices.Insert(keys, at, toSandbox)
}

// shownFirst is where the first keys end that are shown before all others.
func shownFirst(keys []key.Binding) int {
	const most = 3
	shown := 0
	for i, k := range keys {
		if k.Enabled() {
			shown++
		}
		if shown == most {
			return i + 1
		}
	}
	return len(keys)
}

func (a *App) notice() ui.Notice {
	if a.leaving {
		return ui.Notice{Tone: ui.ToneAct, Text: "Leaving when the answer comes. ctrl+c again: without it. esc: stay."}
	}
	if a.hint != "" {
		return ui.Notice{Tone: ui.ToneAct, Text: a.hint}
	}
	if n, ok := a.top().(noticer); ok && n.Notice().Text != "" {
		return n.Notice()
	}
	return a.defaultNotice()
}

// proxySuffix is the proxy on the way to the service, in words (R57).
func (a *App) proxySuffix() string {
	if a.env.Through == nil {
		return ""
	}
	if proxy, err := a.env.Through(a.conn.profile.BaseURL); err == nil && proxy != "" {
		return " through the proxy " + proxy
	}
	return ""
}

func (a *App) explain() []string {
	var more []string
	if e, ok := a.top().(explainer); ok {
		more = e.Explain()
	}
	if a.conn.open() {
		more = append(more, "Connected to "+a.conn.target().String()+a.proxySuffix()+", key from "+a.conn.source+".")
	}
	return append(more, "paydesk "+a.env.Version)
}
