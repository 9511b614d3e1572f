// Package envcheck shows what was declared, inferred and observed of the environment where
// that disagrees, and lets nothing be sent before a word was typed (R77).
package envcheck

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/gate"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Model is the screen. It owns the claims it shows: what becomes known later has to be
// looked at anew.
type Model struct {
	theme    *ui.Theme
	evidence []gate.Evidence
	confirm  *ui.Confirm
	w, h     int
}

var _ ui.Screen = (*Model)(nil)

// New shows claims.
func New(t *ui.Theme, place present.Target, claims []gate.Evidence) *Model {
	return &Model{theme: t, evidence: claims, confirm: ui.NewConfirm(t, ui.Question{
		Title: "Send all the same?",
		Lines: []string{place.String() + ": real money may move, so it is treated as live."},
		Yes:   "I have checked it", No: "Send nothing", Typed: "live",
	})}
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd { return m.confirm.Init(s) }

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	d, cmd := m.confirm.Update(msg)
	switch d {
	case ui.Accepted:
		seen := nav.Acknowledged{Evidence: len(m.evidence)}
		return func() tea.Msg { return seen }
	case ui.Declined:
		return nav.Pop
	}
	return cmd
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Environment" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding { return m.confirm.Keys() }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.confirm.Typing() }

const (
	least = 5  // lines that the question keeps
	label = 24 // cells of who says it
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.w < 1 || m.h < 1 {
		return "", nil
	}
	lines := present.Rows(0, m.theme.Mark(ui.ToneBad, "ENVIRONMENT MISMATCH"))
	lines = append(lines, present.Rows(3, "")...)
	for _, c := range m.evidence {
		lines = append(lines, present.Rows(1, m.line(c))...)
	}
	lines = append(lines, present.Rows(3, "")...)
	lines = append(lines, present.Rows(2, ui.Wrap("Check the key, the base URL and the environment of the profile, in that order. "+
		"If the key is the wrong one, give the right one; if the profile is, mend it.", m.w)...)...)
	lines = append(lines, present.Rows(3, "")...)
	top := present.FitHeight(max(m.h-least, 0), lines)
	foot, cursor := m.confirm.View(m.w, m.h-len(top))
	if cursor != nil {
		cursor.Y += len(top)
	}
	return ui.Lines(m.w, m.h, append(top, foot)...), cursor
}

// line is who says what, and what that means.
func (m *Model) line(c gate.Evidence) string {
	word := c.Word
	if word == "" {
		word = "nothing"
	}
	says := ""
	switch c.Says {
	case gate.Live:
		says = m.theme.Mark(ui.ToneBad, "live")
	case gate.Test:
		says = m.theme.Mark(ui.ToneWait, "not live")
	default:
		says = m.theme.Muted.Render("  proves nothing")
	}
	who := m.theme.Muted.Render(ui.Fit(sources[c.By], label))
	room := max(m.w-label-18, 8)
	return who + ui.Fit(api.Clean(word).Line(room), room) + "  " + says
}

// sources are the words for who gives evidence, and how.
var sources = map[gate.Source]string{
	gate.ByProfile: "The profile declares", gate.ByKey: "The key begins as of",
	gate.ByHost: "The host of payments is", gate.ByList: "The host of the list is", gate.ByLink: "A link made here is of",
}

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"The profile declares an environment, a key may begin with sk_test_ or sk_live_, a host may be called test or sandbox, and the service says of each link which environment it is of.",
		"As long as they disagree, nobody can say whether real money moves. Looking stays free.",
	}
}
