package secretkey

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

const label = 10 // width of the label column

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	p := m.o.Profile
	head := present.Rows(2, m.fact("Profile", p.Name+", environment "+string(p.Environment)))
	head = append(head, present.Rows(3, m.fact("Payments", p.BaseURL), m.fact("List", p.ListURL), "")...)
	switch m.stage {
	case entering:
		return m.viewForm(head, m.form, m.whyEnter())
	case unlocking:
		return m.viewForm(head, m.passphraseForm, m.wrap(m.missing.What+" Enter its passphrase."))
	case sealing:
		return m.viewForm(head, m.passphraseForm, m.wrap("The service accepted the key. It will be sealed in "+clean(m.path())+" with a passphrase that you enter at each start."))
	}
	head = append(head, m.viewStage()...)
	return ui.Lines(m.w, m.h, present.FitHeight(m.h, head)...), nil
}

// viewStage shows the stages where nothing is typed.
func (m *Model) viewStage() []present.Line {
	switch m.stage {
	case choosing:
		lines := present.Rows(0, m.missing.Lines(m.theme, m.w)...)
		lines = append(lines, present.Rows(1, "")...)
		lines = append(lines, present.Rows(4, append(m.wrap("Nothing is stored unless you choose to. Options:"), "")...)...)
		return append(lines, present.Rows(0, m.viewOptions()...)...)
	case verifying:
		return m.waiting("Verifying the key…", "This reads the first page of transactions and changes nothing.")
	case storing:
		return m.waiting("Storing the key in "+sourceName(m.source())+"…", m.waitHint())
	case deciding:
		return present.Rows(0, m.trouble.Lines(m.theme, m.w)...)
	case confirming:
		return m.viewConfirming()
	case writing:
		return m.waiting("Writing the profile…", "")
	}
	return m.waiting("Waiting for "+sourceName(m.source())+"…", m.waitHint())
}

// waitHint says what the source may need during the wait.
func (m *Model) waitHint() string {
	switch m.profile.Source {
	case "keyring":
		return "It may prompt for a password in a window of its own."
	case "age":
		return "A passphrase is slow on purpose: this takes about a second."
	case "command":
		return "It has 10 s to print the key."
	}
	return ""
}

func (m *Model) waiting(what, more string) []present.Line {
	lines := present.Rows(0, m.theme.Mark(ui.ToneWait, what), "")
	return append(lines, present.Rows(0, m.wrap(more)...)...)
}

func (m *Model) viewConfirming() []present.Line {
	lines := present.Rows(0, m.theme.Strong.Render("The key is now stored in "+sourceName(m.source())+"; the profile still says "+m.o.Profile.Source+"."), "")
	about := "Change the profile to key = \"" + m.profile.Source + "\"? Otherwise the next start tries " + sourceName(m.o.Store(m.o.Profile).Name()) + " again."
	lines = append(lines, present.Rows(0, ui.Wrap(about, max(m.w, 1))...)...)
	if !m.trouble.IsZero() {
		lines = append(lines, present.Rows(0, append([]string{""}, m.trouble.Lines(m.theme, m.w)...)...)...)
	}
	return lines
}

// viewForm shows a form below the reason for it.
func (m *Model) viewForm(head []present.Line, f *ui.Form, why []string) (string, *tea.Cursor) {
	fields := 3 // lines of one field with its help or error
	if m.stage == sealing {
		fields += 2
	}
	head = append(head, present.Rows(1, append(why, "")...)...)
	lines := present.FitHeight(max(m.h-fields, 0), head)
	form, cursor := f.View(m.w, max(0, m.h-len(lines)))
	if cursor != nil {
		cursor.Y += len(lines)
	}
	return ui.Lines(m.w, m.h, append(lines, form)...), cursor
}

func (m *Model) whyEnter() []string {
	if !m.trouble.IsZero() {
		return m.trouble.Lines(m.theme, m.w)
	}
	return m.wrap(m.entryReason())
}

// entryReason says why the key is needed and where it will be stored.
func (m *Model) entryReason() string {
	const tried = "it is verified with one read-only request"
	switch {
	case m.profile.Source == "ask":
		return "Enter the key for this run only: " + tried + ", stays in memory, is written nowhere, and you enter it again at the next start."
	case m.profile.Source == "age" && !m.chosen && !m.o.Replace:
		return "There is no key in " + clean(m.path()) + " yet. Enter it: " + tried + ", then sealed there with a passphrase."
	case m.profile.Source == "age":
		return "Enter the key: " + tried + ", then sealed with a passphrase in " + clean(m.path()) + "."
	case m.chosen || m.o.Replace:
		return "Enter the key: " + tried + ", then stored in " + sourceName(m.source()) + " and nowhere else."
	}
	return present.Sentence(sourceName(m.source())+" has no key for this profile yet") + " Enter it; " + tried + ", then stored there and nowhere else."
}

func clean(s string) string { return api.Clean(s).Line(0) }

func (m *Model) fact(name, value string) string {
	return m.theme.Muted.Render(ui.Fit(name, label)) + api.Clean(value).Line(max(m.w-label, 1))
}

func (m *Model) wrap(words string) []string {
	lines := ui.Wrap(words, max(m.w, 1))
	for i, l := range lines {
		lines[i] = m.theme.Muted.Render(l)
	}
	return lines
}
