// Package sandbox is the screen that controls a sandbox: that of the demo, or one that serves on this
// machine. It shows payments in their true state, whatever the service's responses say, and its keys do
// what the bank, the customer, time or a fault would do. Other screens notice the change
// by checking the payment's status, as they would with the real service.
//
// The payments and all that stands over them are short lists ([detail.Chooser]): payments.go has the payments and words
// about them, actions.go what keys do to the marked one, and faults.go and settings.go what is chosen over them.
//
// webhooks.go has the list of webhooks and sends a sample, webhookdetail.go has words about one; webhookforms.go
// adds and removes a URL, and sends an edited body.
//
// What is shown was read in the background, as every action is carried out there (service.go):
// the sandbox may be another process on this machine. It is read again on every key that does something, when the
// screen is on top again, and once a second while something may change by itself.
package sandbox

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Model is the screen.
type Model struct {
	*detail.Chooser[payment]
	sandbox  *sandbox.Controller // of one in this process, or served on this machine
	webhooks *webhookList        // nil while they are not shown

	view    view
	reading ui.Call[view]
	acting  ui.Call[done]
	again   ui.Lull // until the next tick
	covered bool    // another screen is on top, and nothing is looked at until this one is again
	newest  bool    // the newest webhook gets the mark with the next reading
}

// A tick arrives once a second while the screen may change by itself.
type tick struct{}

// New returns the screen for a sandbox.
func New(t *ui.Theme, s *sandbox.Controller) *Model {
	m := &Model{sandbox: s}
	m.Chooser = detail.NewChooser(&ui.Body{Theme: t}, detail.Rows[payment]{
		Title: "Sandbox", Columns: m.columns, All: m.payments, Cells: payment.cells, ID: func(p payment) string { return p.Reference },
		Head: m.head, About: "Payment", Says: m.says, Commands: m.commands, Help: help,
	})
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.look()
}

// Pause implements [ui.Pauser].
func (m *Model) Pause() { m.covered = true }

// Resume implements [ui.Resumer].
func (m *Model) Resume() tea.Cmd {
	m.covered = false
	return m.look()
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tick); ok {
		if m.covered {
			return nil
		}
		return m.look()
	}
	return m.lookAfter(msg, m.Keys(), m.Chooser.Update(msg))
}

// lookAfter is what a message does, and a look at what came of it, unless it is a key that neither moves nor is among these, or a paste:
// the console says that those do nothing.
func (m *Model) lookAfter(msg tea.Msg, keys []key.Binding, does tea.Cmd) tea.Cmd {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		return does
	case tea.KeyPressMsg:
		name := msg.String()
		if !ui.Moves(ui.Bind(name, "")) && !ui.Lists(keys, name) {
			return does
		}
	}
	return tea.Batch(does, m.look())
}

// show shows what was read, and schedules a tick while that may change by itself.
func (m *Model) show() tea.Cmd {
	if m.newest && m.view.problem == "" && m.webhooks != nil {
		m.webhooks.Mark(0)
	}
	m.newest = false // also where it could not be read: the mark does not go there later, under a person's hands
	if m.webhooks != nil && m.webhooks.whole != nil {
		m.webhooks.whole.Layout()
	}
	switch {
	case m.webhooks != nil && m.webhooks.wanted().ID != "":
		return m.look()
	case m.view.problem == "" && !m.mayChange():
		return nil
	}
	return m.again.After(m.Scope, time.Second, tick{})
}

// help is the text of the help page.
var help = []string{"The sandbox plays the service on this computer, and no money moves: decide how its payments end, arm faults, move its clock, send webhooks."}

// tell shows a notice, or why the action failed.
func (m *Model) tell(words string) func(error) tea.Cmd {
	return func(err error) tea.Cmd {
		if err != nil {
			return m.Warn(explain(err))
		}
		return m.Notify(words)
	}
}

// ask asks before something is done that other screens may show, or that cannot be taken back.
func (m *Model) ask(q ui.Question, do func() tea.Cmd) tea.Cmd {
	q.No = "Go back"
	return detail.Ask(m.Body, detail.Question{Question: q, Title: q.Yes, Help: help, Do: do})
}

// askReset asks before everything of this run is deleted.
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

// label is the width of the label column, in cells.
const label = 11

// The ranks of lines below the rows. In a low window the highest are dropped first.
const (
	rankKeep = iota
	rankSet
	rankMoney
	rankWhere
	rankMore
	rankBlank
)

// A fact is a label and a text.
type fact struct {
	rank        int
	label, text string
}

// facts draws the facts that have a text, wrapped in a column of their own.
func (m *Model) facts(w int, facts ...fact) (lines []present.Line) {
	for _, f := range facts {
		if f.text != "" {
			lines = append(lines, present.Rows(f.rank, m.Theme.FactLines(f.label, f.text, label, w)...)...)
		}
	}
	return lines
}

// chooser is a short list over the payments, of things that do not change.
func chooser[T any](title, about string, rows []T, cells func(T) []ui.Cell, columns ...ui.Column) detail.Rows[T] {
	return detail.Rows[T]{
		Title: title, About: about, Help: help, Cells: cells,
		Columns: func() []ui.Column { return columns }, All: func() []T { return rows },
	}
}

// An entry is a form over a list of the sandbox. What the sandbox does not take is said at its focused field.
type entry struct {
	detail.Dialog
	m     *Model
	sends bool // a webhook
	call  ui.Call[struct{}]
}

// openEntry asks for one line, with which something is done. under may be nil.
func (m *Model) openEntry(title string, f *ui.TextField, under func(w int) []string, words string, do func(context.Context, string) error) tea.Cmd {
	e := &entry{m: m}
	e.Dialog = detail.NewDialog(m.Theme, detail.Asks{Title: title, Help: help, Under: under, Submit: func() tea.Cmd {
		line := f.Value()
		return e.act(words, func(ctx context.Context) error { return do(ctx, line) })
	}}, "confirm", f)
	return nav.Open(nav.Over{Screen: e})
}

// act does what was entered, once, and leaves the form.
func (e *entry) act(words string, do func(context.Context) error) tea.Cmd {
	if e.call.Pending() {
		return e.Warn(stillDoing)
	}
	blamed := e.Form.Focused()
	return e.call.Then(func(a ui.Result[struct{}]) tea.Cmd {
		if a.Err != nil {
			e.Form.SetError(blamed, explain(a.Err))
			return nil
		}
		e.m.Notify(words)
		e.m.newest = e.sends
		e.m.reading.Drop() // it may have been read before
		return tea.Batch(e.m.look(), nav.Pop)
	}).Ask(e.Scope, func(ctx context.Context) (struct{}, error) { return struct{}{}, do(ctx) })
}
