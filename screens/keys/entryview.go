package keys

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

const label = 10 // width of the label column

// View implements [ui.Screen].
func (m *Entry) View() (string, *tea.Cursor) { return m.Place(m.view()) }

func (m *Entry) view() (string, *tea.Cursor) {
	p := m.o.Profile
	if m.stage == readdressing {
		lines := m.addressLines()
		return ui.Below(m.W, m.H, lines[:min(len(lines), max(m.H-leastQuestion, 0))], m.question.View)
	}
	head := present.Rows(5, m.Theme.Rule("This profile", "", m.W))
	head = append(head, present.Rows(2, m.fact("Profile", p.Name+", environment "+string(p.Environment)))...)
	if p.ListURL == p.BaseURL {
		head = append(head, present.Rows(3, m.fact("Service", p.BaseURL), "")...)
	} else {
		head = append(head, present.Rows(3, m.fact("Payments", p.BaseURL), m.fact("List", p.ListURL), "")...)
	}
	switch m.stage {
	case choosing:
		head = slices.Concat(head, present.Rows(0, m.missing.Lines(m.Theme, m.W)...), present.Rows(1, ""),
			present.Rows(4, m.Theme.Rule("Options", "Nothing is stored unless you choose to", m.W)),
			present.Rows(0, m.menu.Lines(m.W)...))
	case entering:
		return m.viewForm(head, m.form, m.whyEnter())
	case unlocking:
		return m.viewForm(head, m.passphraseForm, m.muted(m.missing.What+" Enter its passphrase."))
	case sealing:
		return m.viewForm(head, m.passphraseForm, m.muted(m.whySeal()))
	default:
		head = append(head, present.Rows(0, m.viewStage()...)...)
	}
	return ui.Lines(m.W, m.H, present.FitHeight(m.H, head)...), nil
}

// viewStage shows the waits, and the question after a key was not stored.
func (m *Entry) viewStage() []string {
	switch m.stage {
	case verifying:
		return m.waiting("Verifying the key", "This reads the first page of transactions and changes nothing.")
	case storing:
		return m.waiting("Storing the key in "+SourceName(m.source()), waitHints[m.profile.Source])
	case deciding:
		return append(append(m.trouble.Lines(m.Theme, m.W), ""), m.menu.Lines(m.W)...)
	}
	if m.stage == opening && !m.requested && !m.answersAlone() {
		return nil // a question follows
	}
	return m.waiting("Waiting for "+SourceName(m.source()), waitHints[m.profile.Source])
}

// waitHints say what a source may need during the wait.
var waitHints = map[string]string{
	"keyring": "It may prompt for a password in a window of its own.",
	"age":     "A passphrase is slow on purpose: this takes about a second.",
	"command": "It has 10 s to print the key.",
}

// waiting shows what the screen waits for, and the key that ends it.
func (m *Entry) waiting(what, more string) []string {
	lines := append(m.Theme.WaitLines(m.call.Wait(), what, m.W), "")
	return append(lines, m.muted(strings.TrimSpace(more+"\n"+ui.StopsWaiting))...)
}

// viewForm shows a form below the reason for it.
func (m *Entry) viewForm(head []present.Line, f *ui.Form, why []string) (string, *tea.Cursor) {
	fields := 3 // lines of one field with its help or error
	if m.stage == sealing {
		fields += 2
	}
	head = append(head, present.Rows(1, append(why, "")...)...)
	lines := present.FitHeight(max(m.H-fields, 0), head)
	return ui.Below(m.W, m.H, lines, f.View)
}

// whyEnter returns what went wrong with the last key, or why one is needed.
func (m *Entry) whyEnter() []string {
	if !m.trouble.IsZero() {
		return m.trouble.Lines(m.Theme, m.W)
	}
	words := m.whereTo()
	if m.o.Served {
		words = "A paydesk sandbox answers at this address: it printed its key when it was started.\n" + words
	}
	return m.muted(words)
}

// whySeal says what a passphrase is wanted for. A key may be sealed that the service has not judged.
func (m *Entry) whySeal() string {
	judged := "The service accepted the key."
	if !m.accepted {
		judged = "The key is not verified."
	}
	return judged + " It will be sealed in " + present.Plain(m.path()) + " with a passphrase that you enter at each start."
}

// whereTo says what becomes of the key, and of the profile where another source was chosen.
func (m *Entry) whereTo() string {
	const tried = "it is verified with one read-only request"
	named := ""
	if m.changesProfile() {
		named = " The profile then says key = \"" + m.profile.Source + "\"."
	}
	switch {
	case m.profile.Source == "ask":
		return "Enter the key for this run only: " + tried + ", stays in memory, is written nowhere, and you enter it again at the next start."
	case m.profile.Source == "age" && !m.chosen && !m.o.Replace:
		return "There is no key in " + present.Plain(m.path()) + " yet. Enter it: " + tried + ", then sealed there with a passphrase."
	case m.profile.Source == "age":
		return "Enter the key: " + tried + ", then sealed with a passphrase in " + present.Plain(m.path()) + "." + named
	case m.chosen || m.o.Replace:
		return "Enter the key: " + tried + ", then stored in " + SourceName(m.source()) + " and nowhere else." + named
	}
	return present.Sentence(SourceName(m.source())+" has no key for this profile yet") + " Enter it; " + tried + ", then stored there and nowhere else."
}

func (m *Entry) fact(name, value string) string {
	return m.Theme.Fact(name, present.Plain(value), label)
}

func (m *Entry) muted(words string) []string { return m.Theme.MutedLines(words, m.W) }
