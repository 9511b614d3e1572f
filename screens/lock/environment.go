package lock

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/gate"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Environment shows the evidence for the environment where it disagrees on whether real money moves, or where the key
// does not say what it is for. Nothing can be sent until the person has confirmed it by typing a word. It keeps the
// evidence it was opened with: later evidence must be acknowledged again.
type Environment struct {
	question
	theme    *ui.Theme
	evidence []gate.Evidence
	words    words
}

// words describe what the screen says about one of the two reasons to ask.
type words struct{ title, about string }

var (
	mismatch = words{"ENVIRONMENT MISMATCH", "Check the key, the base URL and the environment of the profile, in that order. " +
		"If the key is wrong, enter the right one; if the profile is wrong, fix it."}
	unknownKey = words{"KEY NOT RECOGNISED", "A key begins with sk_test_ or sk_live_. This one does not, so nothing shows whether it moves real money. " +
		"Look it up where you got it, in the dashboard."}
)

// NewEnvironment shows the evidence for the environment of target.
func NewEnvironment(t *ui.Theme, target present.Target, evidence []gate.Evidence) *Environment {
	m := &Environment{theme: t, evidence: evidence, words: mismatch}
	q := ui.Question{
		Title: "Send anyway?",
		Lines: []string{target.String() + ": real money may move, so paydesk treats it as live."},
		Ruled: true, Yes: "I have checked it", No: "Send nothing", Typed: "live",
	}
	if !gate.IsContradictory(evidence) {
		m.words = unknownKey
		declared := strings.ToLower(target.Environment)
		q.Title, q.Typed = "Is this key for "+declared+"?", declared
		q.Lines = []string{target.String() + ". You are asked once for this key; what is remembered is a fingerprint, not the key."}
	}
	m.Confirm = ui.NewConfirm(t, q)
	return m
}

// Update implements [ui.Screen].
func (m *Environment) Update(msg tea.Msg) tea.Cmd {
	return m.Answer(msg, func() tea.Cmd {
		acknowledged := nav.Acknowledged{Evidence: len(m.evidence)}
		return func() tea.Msg { return acknowledged }
	}, func() tea.Cmd { return nav.Pop })
}

// Command implements [ui.Commander]: the doctor says the same of the environment.
func (m *Environment) Command() []string { return []string{"doctor"} }

// Title implements [ui.Screen].
func (m *Environment) Title() string { return "Environment" }

const (
	least = 5  // lines that the question keeps
	label = 24 // cells of the source
)

// View implements [ui.Screen].
func (m *Environment) View() (string, *tea.Cursor) {
	lines := append(present.Rows(0, m.theme.Chip(ui.ToneBad, m.words.title)), present.Rows(3, "", m.theme.Rule("What each one says", "", m.w))...)
	for _, e := range m.evidence {
		lines = append(lines, present.Rows(1, m.line(e))...)
	}
	top := present.FitHeight(max(m.h-least, 0), slices.Concat(lines, present.Rows(3, ""),
		present.Rows(2, ui.Wrap(m.words.about, m.w)...), present.Rows(3, "")))
	return ui.Below(m.w, m.h, top, m.Confirm.View)
}

// line is a source, its word, and whether that means live.
func (m *Environment) line(e gate.Evidence) string {
	source, word, means := present.Evidence(e)
	mode := m.theme.Muted.Render("  " + means)
	switch e.Says {
	case api.LiveMode:
		mode = m.theme.Mark(ui.ToneBad, means)
	case api.TestMode:
		mode = m.theme.Mark(ui.ToneWait, means)
	}
	return m.theme.Fact(source, ui.Fit(word, max(m.w-label-18, 8)), label) + "  " + mode
}

// Explain is the help page's text beyond the keys.
func (m *Environment) Explain() []string {
	return []string{
		"The profile, its key, its host and the service say whether money is real. While they disagree that is not known; you can still browse.",
		"The profile declares an environment, a key may begin with sk_test_ or sk_live_, a host name may contain test or sandbox, and the service reports the environment of each link.",
		"A key without a known prefix is confirmed once, by typing the environment of the profile. A key that begins with anything like live counts as live.",
	}
}
