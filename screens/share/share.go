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
	notice ui.Notice
	w, h   int
}

var _ ui.Screen = (*Model)(nil)

// New shows a link.
func New(t *ui.Theme, l api.Link) *Model {
	m := &Model{theme: t, link: l, keys: newKeyMap()}
	if !l.Page.IsZero() && !t.ASCII { // a code has no ASCII twin
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
	m.notice = ui.Notice{}
	switch {
	case key.Matches(k, m.keys.collect):
		l := m.link
		return nav.Open(nav.Collect{Link: &l})
	case key.Matches(k, m.keys.address) && m.link.Page.IsZero():
		m.notice = ui.Notice{Tone: ui.ToneAct, Text: "An address that cannot be trusted is not copied."}
	case key.Matches(k, m.keys.address):
		m.notice.Text = "The address was sent to your terminal's clipboard."
		return tea.SetClipboard(m.link.Page.String())
	case key.Matches(k, m.keys.alias):
		m.notice.Text = "The alias was sent to your terminal's clipboard."
		return tea.SetClipboard(string(m.link.Alias))
	}
	return nil
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Link" }

// Keys implements [ui.Screen]; an address that cannot be trusted has no key.
func (m *Model) Keys() []key.Binding {
	k := m.keys
	k.address.SetEnabled(!m.link.Page.IsZero())
	return []key.Binding{k.collect, k.address, k.alias}
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return false }

// Notice is the one line above the help bar.
func (m *Model) Notice() ui.Notice { return m.notice }

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"Whoever opens the address can pay. The alias is what a payment made from here names the link by.",
		"Copying goes through the terminal (OSC 52); some terminals have it switched off.",
	}
}
