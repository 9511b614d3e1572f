// Package share shows a payment link so that it can be passed to a customer: URL, alias, QR code
// and what the service reports about it.
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
	ui.Body
	link  api.Link
	code  []string // the QR code of the URL
	codeW int
}

var _ ui.Screen = (*Model)(nil)

// New shows a link.
func New(t *ui.Theme, l api.Link) *Model {
	m := &Model{Body: ui.Body{Theme: t}, link: l}
	m.code, m.codeW = t.QR(l.Page.String())
	return m
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	m.News = ui.Notice{}
	return m.commands().Press(k)
}

// commands are the keys. Without a safe URL the key to copy it says so.
func (m *Model) commands() ui.Commands {
	return ui.Commands{
		{Key: ui.Bind("enter", "collect payment"), On: true, Do: m.collect},
		{Key: ui.Bind("c", "copy URL"), On: !m.link.Page.IsZero(), Do: m.copyURL},
		{Key: ui.Bind("a", "copy alias"), On: true, Do: func() tea.Cmd { return m.Copy("alias", string(m.link.Alias)) }},
	}
}

func (m *Model) collect() tea.Cmd {
	l := m.link
	return nav.Open(nav.Collect{Link: &l})
}

func (m *Model) copyURL() tea.Cmd {
	if m.link.Page.IsZero() {
		return m.Warn("There is no URL that is safe to copy.")
	}
	return m.Copy("URL", m.link.Page.String())
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Link" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding { return m.commands().Keys() }

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	return []string{
		"Anyone who opens the URL can pay. The alias names the link in a payment taken from here.",
		"Copying goes through the terminal (OSC 52); some terminals disable it.",
	}
}
