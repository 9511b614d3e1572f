// Package home shows what needs attention and the ways in.
package home

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/flow"
	"paydesk/screens/desk"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// Payments is what this console has under way.
type Payments interface{ All() []desk.Entry }

// A Model is the screen. What it lists is read anew whenever it is told
// anything, and when it is drawn for the first time.
type Model struct {
	theme    *ui.Theme
	payments Payments
	keys     keyMap
	table    *ui.Table
	entries  []desk.Entry
	notice   string
	w, h     int
}

var _ ui.Screen = (*Model)(nil)

// New is the first screen.
func New(t *ui.Theme, p Payments) *Model {
	m := &Model{theme: t, payments: p, keys: newKeyMap()}
	m.table = ui.NewTable(t,
		ui.Column{Title: "Status", Width: 22},
		ui.Column{Title: "Amount", Width: 14, Right: true},
		ui.Column{Title: "Paid by", Width: 13, Drop: 1},
		ui.Column{Title: "Reference", Width: 12, Grow: true},
		ui.Column{Title: "Made", Width: 8, Drop: 2},
	)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(ui.Scope) tea.Cmd {
	m.refresh()
	return nil
}

// Resume is called when the screen is on top again.
func (m *Model) Resume() { m.refresh() }

// refresh lists open payments first, each group newest first.
func (m *Model) refresh() {
	all := m.payments.All()
	m.entries = m.entries[:0:0]
	for _, open := range []bool{true, false} {
		for _, e := range all {
			if e.Open() == open {
				m.entries = append(m.entries, e)
			}
		}
	}
	m.table.SetRows(len(m.entries), m.row)
	m.layout()
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	m.notice = ""
	for _, way := range m.keys.ways {
		if key.Matches(k, way.binding) {
			return nav.To(way.to)
		}
	}
	if key.Matches(k, m.keys.open) {
		return m.open()
	}
	m.table.Update(msg)
	return nil
}

// open goes to the step a payment stands at.
func (m *Model) open() tea.Cmd {
	i := m.table.Selected()
	if i < 0 || i >= len(m.entries) {
		return nil
	}
	e := m.entries[i]
	if e.Unresolved {
		m.notice = "Nobody knows whether this payment was made. Look for it in the transactions (t) before anything else."
		return nil
	}
	return nav.To(step(e))
}

func step(e desk.Entry) nav.Route {
	if e.Flow.Next() != flow.Authorise {
		return nav.Payment{Reference: e.Reference}
	}
	if e.Flow.IsTransfer() {
		return nav.Transfer{Reference: e.Reference}
	}
	return nav.Challenge{Reference: e.Reference}
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.w, m.h = w, h
	m.layout()
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Home" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding { return m.keys.shown(len(m.entries) > 0) }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return false }

// Notice is the one line above the help bar.
func (m *Model) Notice() ui.Notice { return ui.Notice{Tone: ui.ToneUnknown, Text: m.notice} }
