// Package sandbox is the screen that controls a sandbox: that of the demo, or one that serves on this
// machine. It shows
// payments in their true state, whatever the service's responses say, and lets a key do
// what the bank, the customer, time or a fault would do. Other screens notice the change
// by checking the payment's status, as they would with the real service.
//
// The list of payments is always open; a panel over it arms a fault, sets switches, moves
// the clock, pays a transfer or shows the webhooks. panel.go lays panels out, entry.go has the
// input line and the form over them, actions.go is what keys do to the selected payment.
//
// webhooks.go is the list of webhooks, webhookdetail.go what there is to say of one; webhookurls.go
// removes a URL, webhooksample.go sends a sample, and webhookedit.go an edited body, which
// webhookbody.go takes apart and puts together.
//
// What is shown was read in the background, as every action is carried out there (service.go):
// the sandbox may be another process on this machine. It is read again on every key, when the
// screen is on top again, and once a second while something may change by itself.
package sandbox

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/detail"
	"paydesk/ui"
)

// A Model is the screen.
type Model struct {
	ui.Body
	sandbox Sandbox
	list    *list
	overlay panel // over the list; nil for none
	panes   *ui.Panes
	paned   *ui.Table     // the one that panes has
	entry   *entry        // an input line or a form, over either; nil for none
	whole   *detail.Model // a webhook, over its list; nil for none
	view    view
	reading ui.Call[view]
	acting  ui.Call[done]
	ticking bool // a tick is scheduled
}

// A tick arrives once a second while the screen may change by itself.
type tick struct{}

// New returns the screen for a sandbox.
func New(t *ui.Theme, s Sandbox) *Model {
	m := &Model{Body: ui.Body{Theme: t}, sandbox: s}
	m.list = newList(m)
	m.panes = ui.NewPanes(t, m.list.table)
	m.panes.OnFollow(m.look)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	m.read()
	return m.look()
}

// Resume implements [ui.Resumer].
func (m *Model) Resume() tea.Cmd { return m.look() }

// read updates the panels from what was read.
func (m *Model) read() {
	m.list.read()
	if m.overlay != nil {
		m.overlay.read()
	}
	if t := m.active().common().table; t != m.paned {
		m.paned = t
		m.panes.Of(t)
	}
	m.resizeTable()
	if m.whole != nil {
		m.whole.Layout()
	}
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tick); ok {
		m.ticking = false
		return m.look()
	}
	k, pressed := msg.(tea.KeyPressMsg)
	if pressed {
		m.News = ui.Notice{}
	}
	var cmd tea.Cmd
	switch {
	case m.entry != nil:
		cmd = m.updateEntry(msg)
	case pressed:
		moved, used := m.panes.Update(m.Scope, k)
		if used {
			return tea.Batch(moved, m.look())
		}
		commands := m.active().commands()
		if !slices.ContainsFunc(commands.Keys(), func(b key.Binding) bool { return slices.Contains(b.Keys(), k.String()) }) {
			return nil // the console says that it does nothing
		}
		cmd = commands.Press(k)
	}
	m.read()
	return tea.Batch(cmd, m.look())
}

// show shows what was read, and schedules a tick while that may change by itself.
func (m *Model) show() tea.Cmd {
	m.read()
	if m.wanted().ID != "" {
		return m.look()
	}
	if m.ticking || m.view.problem == "" && !m.list.mayChange() {
		return nil
	}
	m.ticking = true
	return m.Scope.After(time.Second, tick{})
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.panes.Resize(w, h)
	m.resizeTable()
}

// Explain implements [ui.Explainer].
func (m *Model) Explain() []string {
	return []string{"The sandbox plays the service on this computer, and no money moves: decide how its payments end, arm faults, move its clock, send webhooks."}
}

// Title implements [ui.Screen].
func (m *Model) Title() string {
	if m.overlay != nil {
		return ui.Inside(m.list.title, m.active().common().title)
	}
	return m.active().common().title
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.entry != nil && m.entry.form.Typing() }

// Holds implements [ui.Holder].
func (m *Model) Holds() bool { return m.entry != nil && !m.entry.line }

// Back closes what is over the list, and reports whether there was anything.
func (m *Model) Back() bool {
	switch {
	case m.entry != nil:
		m.entry = nil
	case m.overlay != nil:
		m.overlay = m.overlay.common().below
	default:
		return false
	}
	m.News = ui.Notice{}
	m.read()
	return true
}

// open puts a panel over the list, or over the one that is there.
func (m *Model) open(p panel) tea.Cmd {
	p.common().below, m.overlay = m.overlay, p
	return nil
}

// tell shows a notice, or why the action failed.
func (m *Model) tell(words string) func(error) tea.Cmd {
	return func(err error) tea.Cmd {
		if err != nil {
			return m.Warn(explain(err))
		}
		return m.Notify(words)
	}
}

// closeWith closes the overlay and shows a notice.
func (m *Model) closeWith(words string) tea.Cmd {
	if m.overlay != nil {
		m.overlay = m.overlay.common().below
	}
	return m.Notify(words)
}

// ask asks before something is done that other screens may show, or that cannot be taken back.
func (m *Model) ask(q ui.Question, do func() tea.Cmd) tea.Cmd {
	q.No = "Go back"
	return detail.Ask(&m.Body, detail.Question{Question: q, Title: q.Yes, Help: m.Explain(), Do: do})
}

func (m *Model) askReset() tea.Cmd {
	return m.ask(ui.Question{
		Title: "Reset the sandbox?",
		Lines: []string{
			"The payments and links of this run and their webhooks are deleted, faults are disarmed, and switches go back to default.",
			"Screens that show one of these payments will no longer find it. The clock does not change.",
		},
		Yes: "Reset",
	}, func() tea.Cmd { return m.act(m.sandbox.Reset, m.tell("The sandbox was reset.")) })
}

// Command implements [ui.Commander]: a sandbox like this one, for other programs.
func (m *Model) Command() []string { return []string{"sandbox"} }
