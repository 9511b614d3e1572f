package screens

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/session"
	"paydesk/keystore"
	"paydesk/screens/home"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

type mount struct {
	screen ui.Screen
	route  nav.Route
	part   bool // of the screen below, which goes on meanwhile
	leave  context.CancelFunc
}

// isOf reports whether one of some routes leads to the screen, whatever it shows.
func (m mount) isOf(routes ...nav.Route) bool {
	return slices.ContainsFunc(routes, func(r nav.Route) bool { return reflect.TypeOf(m.route) == reflect.TypeOf(r) })
}

// An App is the root model.
type App struct {
	ui.Clock
	ctx    context.Context
	env    Deps
	work   *ui.Work
	first  nav.Route
	conn   connection
	stack  []mount
	alerts *ui.Alerts

	w, h int
	help *helpPage // nil while it is closed
	hint ui.Notice // why a key did nothing, or else what it has done, until the next one

	sendLock  *sendLock
	idle      *idleLock
	start     *start
	ahead     *ahead
	demo      *sandboxShortcut
	leave     *leave
	drafts    *drafts
	answers   *answers
	pins      *pins
	receiving *receiving
	following *following
	tour      *home.Tour           // of the session; nil for none
	commands  []func() ui.Commands // of the other features: the first that has a key does what it is for
}

// New returns the console, which opens with the screen of a route. The scopes of its
// screens end with ctx.
func New(ctx context.Context, env Deps, work *ui.Work, first nav.Route) *App {
	env.Confirmed = cmp.Or(env.Confirmed, keystore.OpenConfirmed(""))
	ctx = api.OnRetry(ctx, func(ctx context.Context, r api.Retry) { ui.Tell(ctx, present.Setback(r)) })
	a := &App{ctx: ctx, env: env, work: work, first: first, alerts: env.Theme.NewAlerts()}
	a.sendLock, a.idle, a.demo, a.leave = &sendLock{app: a}, &idleLock{app: a}, &sandboxShortcut{app: a}, &leave{app: a}
	a.receiving, a.following, a.ahead = &receiving{app: a}, &following{app: a}, &ahead{app: a}
	a.start, a.pins = &start{app: a}, &pins{app: a}
	a.drafts, a.answers = &drafts{app: a}, &answers{theme: env.Theme}
	a.commands = []func() ui.Commands{
		a.rekey, a.pins.Commands, a.sendLock.Commands, a.demo.Commands,
		a.requests, a.copying, a.drafts.Commands, a.numbers, a.lookUp, a.goTo,
	}
	return a
}

// Init implements [tea.Model].
func (a *App) Init() tea.Cmd { return a.start.open(a.first) }

// Update implements [tea.Model].
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if a.idle.tooLate(msg) {
		return a, a.idle.lock()
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return a, a.resize(msg.Width, msg.Height)
	case ui.Reply:
		return a, a.deliver(msg)
	case tea.KeyPressMsg, tea.PasteMsg:
		return a, a.ahead.take(msg)
	case navigation:
		return a, a.navigateFrom(msg)
	case nav.Push, nav.Replace, nav.Back, nav.Restart, nav.Connect, nav.Rekey, nav.Pin:
		return a, a.navigateTop(msg)
	case then:
		return a, msg()
	case tea.ResumeMsg:
		return a, a.leave.resumed()
	default: // of Bubble Tea
		a.answers.receive(msg)
	}
	return a, nil
}

func (a *App) top() ui.Screen { return a.topMount().screen }

func (a *App) topMount() mount { return a.stack[len(a.stack)-1] }

// whole returns the screen that the one on top is a part of, or else that one.
func (a *App) whole() ui.Screen { return a.wholeMount().screen }

func (a *App) wholeMount() mount {
	at := len(a.stack) - 1
	for a.stack[at].part {
		at--
	}
	return a.stack[at]
}

func (a *App) tooSmall() bool { return ui.TooSmall(a.w, a.h) }

func (a *App) resize(w, h int) tea.Cmd {
	a.w, a.h = w, h
	for _, m := range a.stack {
		m.screen.Resize(ui.BodySize(w, h))
	}
	a.start.shown().Resize(ui.BodySize(w, h))
	if len(a.stack) > 0 {
		if s, ok := a.whole().(ui.Resizer); ok {
			return fromScreen(a.whole(), s.Resized())
		}
	}
	return nil
}

// deliver gives a reply to its screen, wherever that is on the stack. One to a screen that was left
// has no place any more.
func (a *App) deliver(r ui.Reply) tea.Cmd {
	var cmd tea.Cmd
	for _, m := range a.stack {
		if m.screen == r.To {
			cmd = fromScreen(m.screen, r.Deliver())
		}
	}
	a.start.look()
	if a.leave.due() {
		return tea.Quit
	}
	return tea.Batch(cmd, a.start.loaded())
}

func (a *App) push(r nav.Route) tea.Cmd { return a.insert(len(a.stack), r) }

func (a *App) insert(at int, r nav.Route) tea.Cmd {
	_, part := r.(nav.Over)
	if at > 0 && at == len(a.stack) && !part {
		a.cover()
	}
	ctx, leave := context.WithCancel(a.ctx)
	s := a.drafts.take(r)
	if s == nil {
		s = a.build(r)
	}
	a.stack = slices.Insert(a.stack, at, mount{s, r, part, leave})
	s.Resize(ui.BodySize(a.w, a.h))
	begin := fromScreen(s, s.Init(ui.NewScope(ctx, a.work, &a.Clock, s)))
	if _, inbox := r.(nav.Inbox); inbox {
		begin = tea.Batch(begin, a.receiving.look())
	}
	return begin
}

// cover tells the screen on top that another is put over it.
func (a *App) cover() {
	endNews(a.whole())
	if p, ok := a.whole().(ui.Pauser); ok {
		p.Pause()
	}
}

func endNews(s ui.Screen) {
	if n, ok := s.(ui.Noticer); ok {
		n.EndNews()
	}
}

func (a *App) pop() { a.remove(len(a.stack) - 1) }

// remove takes a screen off the stack, without its secrets: nothing wipes them later, also not those of a draft that is kept.
func (a *App) remove(at int) {
	a.stack[at].leave()
	if w, ok := a.stack[at].screen.(ui.Wiper); ok {
		w.Wipe()
	}
	a.stack = slices.Delete(a.stack, at, at+1)
}

func (a *App) clear() {
	for len(a.stack) > 0 {
		a.pop()
	}
	a.drafts.left = nil
}

// A then is the message with which a feature continues on the event loop what one of its commands began elsewhere.
type then func() tea.Cmd

// during returns what a feature does next for a session; it does nothing once another is open.
func (a *App) during(s *session.Session, do func() tea.Cmd) then {
	return func() tea.Cmd {
		if s != a.conn.Session {
			return nil
		}
		return do()
	}
}

// A timer is a wait of a feature: only the one that began last counts. It is never copied while it waits.
type timer struct{ seq int }

// after does something on the event loop once d has passed, unless the console has ended, or the timer was stopped or began
// another wait.
func (t *timer) after(a *App, d time.Duration, do func() tea.Cmd) tea.Cmd {
	t.stop()
	seq := t.seq
	return ui.After(a.ctx, d, then(func() tea.Cmd {
		if seq != t.seq {
			return nil
		}
		return do()
	}))
}

func (t *timer) stop() { t.seq++ }

// press takes a key: leaving and the frame come first, then the features, then the screen.
func (a *App) press(k tea.KeyPressMsg) tea.Cmd {
	a.hint = ui.Notice{}
	a.pins.endNews()
	if cmd, taken := a.leave.intercept(k); taken {
		return cmd
	}
	switch {
	case a.help != nil:
		if a.help.scroll(a, k) {
			return nil
		}
		a.help = nil // any other key closes it, and does nothing else
	case key.Matches(k, ui.Help) && (!a.top().Typing() || k.Text == ""):
		a.help = &helpPage{}
	case key.Matches(k, ui.Back):
		return a.back()
	case a.tooSmall():
	default:
		if !a.idle.hidden {
			a.following.read()
		}
		for _, c := range append(a.leave.Commands(), a.offers(a.commands...)...) {
			if key.Matches(k, c.Key) {
				return tea.Batch(a.interruptTop(), c.Do())
			}
		}
		return a.give(k)
	}
	return a.interruptTop()
}

// offers returns the commands of features: none while the console is hidden, since they act on the screens below and tell of them, or
// while home is only drawn.
func (a *App) offers(features ...func() ui.Commands) (all ui.Commands) {
	if a.idle.hidden || a.start.home != nil {
		return nil
	}
	for _, commands := range features {
		all = append(all, commands()...)
	}
	return all
}

// warn says why a key did nothing, or what a person should know of the screen that is shown. It returns no command, so that what a key does can end with it.
func (a *App) warn(text string) tea.Cmd {
	a.hint = ui.Notice{Tone: ui.ToneAct, Text: text}
	return nil
}

// interruptTop tells the screen on top that a key was not for it.
func (a *App) interruptTop() tea.Cmd { return fromScreen(a.top(), a.top().Update(ui.Interrupted{})) }

// back steps back inside the screen, or leaves it unless it holds.
func (a *App) back() tea.Cmd {
	if h, ok := a.top().(ui.Leaver); ok && h.WhyStay() != "" {
		return a.warn(h.WhyStay())
	}
	if b, ok := a.top().(ui.Backer); ok && b.Back() {
		return a.interruptTop() // it may have to look again at what is uncovered
	}
	if len(a.stack) == 1 {
		return a.warn("This is the first screen: " + a.leave.key().Help().Key + " quits.")
	}
	return a.navigateTop(nav.Back{})
}

// recordingNews says when nothing can be recorded, and so nothing sent. Home says it in full itself.
func (a *App) recordingNews() ui.Notice {
	trouble := a.conn.trouble()
	if trouble == "" || a.topMount().isOf(nav.Home{}) {
		return ui.Notice{}
	}
	return ui.Notice{Tone: ui.ToneBad, Text: trouble}
}

// keySourceNews says on every screen when the key can be read by others.
func (a *App) keySourceNews() ui.Notice {
	if a.conn.source != "env" {
		return ui.Notice{}
	}
	return ui.Notice{Tone: ui.ToneAct, Text: "Key from the environment: other programs can read it."}
}
