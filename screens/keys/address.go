package keys

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

// askAddress asks before a key is sent to addresses that it was not given for. They are the only
// thing that tells a profile from one with the same name in another configuration, so the answer waits
// until all of them can be read.
func (m *Entry) askAddress(e *keystore.Elsewhere) tea.Cmd {
	m.stage, m.elsewhere = readdressing, e
	m.question = ui.NewConfirm(m.Theme, ui.Question{
		Title: "Send this key there from now on?", Yes: "Send it there", No: "Do not use it",
		Closed: func() string {
			if len(m.addressLines())-1+leastQuestion > m.H {
				return "Enlarge the window to read all the addresses"
			}
			return ""
		},
	})
	return m.question.Init(m.Scope)
}

const leastQuestion = 4 // lines of the question, and one before it

// addressLines name the addresses, whole, above the question.
func (m *Entry) addressLines() []string {
	e, t := m.elsewhere, m.Theme
	given, wanted := "The key from "+SourceName(m.source())+" was given for another address.", "The profile "+m.profile.Name+" would send it to:"
	if len(e.For) == 0 {
		given = "The key from " + SourceName(m.source()) + " was stored without the address that it is for."
	}
	lines := styled(t.Strong.Render, ui.Wrap(given, m.W))
	if len(e.For) > 0 {
		lines = slices.Concat(lines, m.muted("It was given for:"), m.origins(e.For))
	}
	lines = slices.Concat(lines, m.muted(wanted), m.origins(e.Wanted))
	why := "Whoever receives the key can use it. If you did not expect this address, do not send it: another configuration may have been put in place."
	if about := m.muted(why); len(lines)+len(about)+1+leastQuestion <= m.H {
		lines = slices.Concat(lines, []string{""}, about)
	}
	return append(lines, "")
}

// origins are addresses, indented, those that are new with a mark.
func (m *Entry) origins(all []string) (lines []string) {
	for _, o := range all {
		mark := "  "
		if slices.Contains(m.elsewhere.New(), o) {
			mark = m.Theme.Mark(ui.ToneAct, "")
		}
		for _, line := range ui.Wrap(present.Plain(o), max(m.W-4, 1)) {
			lines = append(lines, ui.Fit(mark, 4)+line)
			mark = ""
		}
	}
	return lines
}

func styled(style func(string) string, lines []string) []string {
	for i, line := range lines {
		lines[i] = style(line)
	}
	return lines
}

// readdress stores the new addresses with the key, and goes on with it.
func (m *Entry) readdress() tea.Cmd {
	e := m.elsewhere
	m.stage, m.key = storing, keystore.Key{}
	return m.call.Then(m.onReaddressed).Ask(m.Scope, e.Bind)
}

// onReaddressed goes on with the key as with one that was found here at once. If the answer could not be
// stored, the key can still be used for this run.
func (m *Entry) onReaddressed(a ui.Result[keystore.Key]) tea.Cmd {
	if a.Err == nil {
		return m.onSource(a)
	}
	m.key = a.Value
	m.notStored(trouble(a.Err).What)
	m.trouble.Done = "The address was not stored with the key."
	return nil
}

// keepAddress leaves the key where it is, unused.
func (m *Entry) keepAddress() tea.Cmd {
	m.elsewhere.Wipe()
	m.showMissing(present.Problem{
		What: "The key from " + SourceName(m.source()) + " was not used: it was not given for this address.",
		Done: "Nothing was sent.", Next: "Correct the profile, or type a key for this address.",
	})
	return nil
}
