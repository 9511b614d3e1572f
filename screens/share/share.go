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

type keyMap struct{ collect, url, alias key.Binding }

func newKeyMap() keyMap {
	return keyMap{
		collect: key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "collect payment")),
		url:     key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "copy URL")),
		alias:   key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "copy alias")),
	}
}

// A Model is the screen.
type Model struct {
	theme  *ui.Theme
	link   api.Link
	keys   keyMap
	code   []string // the QR code of the URL
	codeW  int
	notice ui.Notice
	w, h   int
}

var _ ui.Screen = (*Model)(nil)

// New shows a link.
func New(t *ui.Theme, l api.Link) *Model {
	m := &Model{theme: t, link: l, keys: newKeyMap()}
	if !l.Page.IsZero() && !t.ASCII { // a code needs block characters
		m.codeW, _ = ui.QRSize(l.Page.String())
		m.code, _ = ui.QR(l.Page.String()) // a URL may be too long for a code
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
	case key.Matches(k, m.keys.url) && m.link.Page.IsZero():
		m.notice = ui.Notice{Tone: ui.ToneAct, Text: "There is no URL that is safe to copy."}
	case key.Matches(k, m.keys.url):
		m.notice.Text = "The URL was sent to your terminal's clipboard."
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

// Keys implements [ui.Screen]. Without a safe URL there is no key to copy it.
func (m *Model) Keys() []key.Binding {
	k := m.keys
	k.url.SetEnabled(!m.link.Page.IsZero())
	return []key.Binding{k.collect, k.url, k.alias}
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return false }

// Notice is the line above the help bar.
func (m *Model) Notice() ui.Notice { return m.notice }

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	return []string{
		"Anyone who opens the URL can pay. The alias names the link in a payment taken from here.",
		"Copying goes through the terminal (OSC 52); some terminals disable it.",
	}
}
