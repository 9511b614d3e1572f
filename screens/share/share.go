// Package share shows a payment link to be handed on: alias, address, QR code.
package share

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// A Model is the screen.
type Model struct {
	theme  *ui.Theme
	link   api.Link
	keys   keyMap
	code   []string // the QR code of the address
	codeW  int
	notice string
	w, h   int
}

var _ ui.Screen = (*Model)(nil)

// New shows a link.
func New(t *ui.Theme, l api.Link) *Model {
	m := &Model{theme: t, link: l, keys: newKeyMap(!l.Page.IsZero())}
	if !l.Page.IsZero() {
		m.codeW, _ = ui.QRSize(l.Page.String())
		m.code, _ = ui.QR(l.Page.String()) // an address too long for a code has none
	}
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(ui.Scope) tea.Cmd { return nil }

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	m.notice = ""
	switch {
	case key.Matches(k, m.keys.collect):
		l := m.link
		return nav.To(nav.Collect{Link: &l})
	case key.Matches(k, m.keys.address):
		m.notice = "The address was sent to your terminal's clipboard."
		return tea.SetClipboard(m.link.Page.String())
	case key.Matches(k, m.keys.alias):
		m.notice = "The alias was sent to your terminal's clipboard."
		return tea.SetClipboard(string(m.link.Alias))
	}
	return nil
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Link" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	return []key.Binding{m.keys.collect, m.keys.address, m.keys.alias}
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return false }

// Notice is the one line above the help bar.
func (m *Model) Notice() ui.Notice { return ui.Notice{Tone: ui.ToneNone, Text: m.notice} }
