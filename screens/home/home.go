// Package home shows what needs attention and the ways in.
package home

import (
	"context"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/session"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Payments is what needs attention. Reload brings in what earlier runs and other consoles
// left.
type Payments interface {
	All() []session.Entry
	Reload(context.Context) error
}

// A Model is the screen. What it lists is read anew whenever it comes on top; nothing
// on it changes by itself.
type Model struct {
	theme    *ui.Theme
	payments Payments
	options  Options
	scope    ui.Scope
	recall   ui.Call[struct{}]
	keys     keyMap
	table    *ui.Table
	entries  []session.Entry
	trouble  present.Problem // with the journal
	notice   string
	w, h     int
}

var _ ui.Screen = (*Model)(nil)

// Options of the screen.
type Options struct {
	Demo     bool // there is a way into the demo's service
	Profiles bool // there is a file of profiles
	Journal  bool // what is done is written down, and can be looked at
	// Trouble says what is wrong with the journal, once it was read; "" when nothing is.
	Trouble func() string
}

// New is the first screen.
func New(t *ui.Theme, p Payments, o Options) *Model {
	m := &Model{theme: t, payments: p, options: o, keys: newKeyMap(o)}
	m.table = ui.NewTable(t,
		ui.Column{Title: "Status", Width: 22},
		ui.Column{Title: "Amount", Width: 16, Right: true},
		ui.Column{Title: "Paid by", Width: 13, Drop: 1},
		ui.Column{Title: "Reference", Width: 12, Grow: true},
		ui.Column{Title: "Made", Width: 8, Drop: 2},
	)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return m.Resume()
}

// Resume is called when the screen is on top again.
func (m *Model) Resume() tea.Cmd {
	m.refresh()
	p := m.payments
	return m.recall.Ask(m.scope, func(ctx context.Context) (struct{}, error) { return struct{}{}, p.Reload(ctx) })
}

// refresh lists what nobody knows first, then what is under way, then what is final,
// each newest first.
func (m *Model) refresh() {
	m.entries = m.payments.All()
	slices.SortStableFunc(m.entries, func(a, b session.Entry) int { return rank(a) - rank(b) })
	m.table.SetRows(len(m.entries), m.row)
	m.layout()
}

func rank(e session.Entry) int {
	switch {
	case e.Unresolved:
		return 0
	case e.Open():
		return 1
	}
	return 2
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.recall.Receive(msg); ok {
		m.trouble = m.wrong(a.Err)
		m.refresh()
		return nil
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	m.notice = ""
	for _, way := range m.keys.ways {
		if key.Matches(k, way.binding) {
			return nav.Open(way.to)
		}
	}
	if key.Matches(k, m.keys.open) {
		return m.open()
	}
	m.table.Update(msg)
	return nil
}

// wrong is what is wrong with the journal: that it cannot be written, or not be read.
func (m *Model) wrong(reading error) present.Problem {
	switch {
	case m.options.Trouble != nil && m.options.Trouble() != "":
		return present.Problem{What: m.options.Trouble(), Next: "Looking is free; what was made before may be missing here."}
	case reading != nil:
		return present.Problem{What: "What was under way before cannot be read.", Done: api.Clean(reading.Error()).Line(0)}
	}
	return present.Problem{}
}

// open goes to the step a payment stands at.
func (m *Model) open() tea.Cmd {
	i := m.table.Selected()
	if i < 0 || i >= len(m.entries) {
		return nil
	}
	e := m.entries[i]
	if e.Unresolved && e.ID != "" {
		return nav.Open(nav.Attempt{ID: e.ID})
	}
	if e.Unresolved {
		m.notice = "Nobody knows if it was made: look in the list (t) first."
		return nil
	}
	return nav.Open(step(e))
}

// step is where a payment goes on. A finalize that nobody answered is looked after by
// asking for the status.
func step(e session.Entry) nav.Route {
	next := e.Flow.Next()
	switch {
	case next == flow.Authorise && e.Flow.IsTransfer():
		return nav.Transfer{Reference: e.Reference}
	case next == flow.Authorise:
		return nav.Challenge{Reference: e.Reference}
	case next == flow.Finalize && e.Flow.WhyNot(flow.Finalize, time.Now()) == "":
		return nav.Finalize{Reference: e.Reference}
	}
	return nav.Payment{Reference: e.Reference}
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.w, m.h = w, h
	m.layout()
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Home" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return false }

// Notice is the one line above the help bar.
func (m *Model) Notice() ui.Notice { return ui.Notice{Tone: ui.ToneUnknown, Text: m.notice} }

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"Listed are the payments made from here since the console was opened and those that were under way before, as they were last heard of; opening one asks again.",
		"NOBODY KNOWS: the answer was lost. It may have been made: open it and look for it before charging again.",
	}
}
