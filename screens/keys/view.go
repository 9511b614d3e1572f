package keys

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/show"
	"paydesk/ui"
)

const label = 10 // cells of the column of labels

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	t, p := m.theme, m.o.Profile
	head := show.Keep(2, m.fact("Profile", p.Name+", declared "+string(p.Environment)))
	head = append(head, show.Keep(3, m.fact("Payments", p.BaseURL), m.fact("List", p.ListURL), "")...)
	var lines []string
	switch m.stage {
	case opening:
		lines = append(lines, t.Mark(ui.ToneWait, "Waiting for the "+m.o.Store.Name()+"…"), "")
		lines = append(lines, m.wrap("It may ask for a password in a window of its own.")...)
	case checking:
		lines = append(lines, t.Mark(ui.ToneWait, "Trying the key…"), "")
		lines = append(lines, m.wrap("The service is asked for the first page of the list, which changes nothing.")...)
	case storing:
		lines = append(lines, t.Mark(ui.ToneWait, "Giving the key to the "+m.o.Store.Name()+"…"), "")
		lines = append(lines, m.wrap("It may ask for a password in a window of its own.")...)
	case deciding:
		lines = m.trouble.Lines(t, m.w)
	case entering:
		return m.entry(head)
	}
	head = append(head, show.Keep(0, lines...)...)
	return ui.Lines(m.w, m.h, show.Squeeze(m.h, head)...), nil
}

// formLines are what the field needs with its help or what is wrong with it.
const formLines = 3

// entry asks for the key under the reason for asking.
func (m *Model) entry(head []show.Line) (string, *tea.Cursor) {
	why := m.trouble.Lines(m.theme, m.w)
	if m.trouble.IsZero() {
		why = m.wrap(m.reason())
	}
	head = append(head, show.Keep(1, append(why, "")...)...)
	lines := show.Squeeze(max(m.h-formLines, 0), head)
	form, cursor := m.form.View(m.w, max(0, m.h-len(lines)))
	if cursor != nil {
		cursor.Y += len(lines)
	}
	return ui.Lines(m.w, m.h, append(lines, form)...), cursor
}

// reason is why the key is asked for, when nothing went wrong.
func (m *Model) reason() string {
	if m.o.fromEnv() {
		return "This profile takes its key from " + keystore.Variable + ", which has none. Enter it for this run only, or set the variable and start again."
	}
	return "The " + m.o.Store.Name() + " has no key for this profile yet. Enter it once; it is tried with one question that changes nothing, and then kept there and nowhere else."
}

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
