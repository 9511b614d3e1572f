package keys

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/show"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	t, p := m.theme, m.o.Profile
	lines := []string{
		m.fact("Profile", p.Name+", declared "+string(p.Environment)),
		m.fact("Payments", p.BaseURL), m.fact("List", p.ListURL), "",
	}
	switch m.stage {
	case opening:
		lines = append(lines, "Waiting for your "+m.o.Store.Name()+"…", t.Muted.Render("It may ask for a password in a window of its own."))
	case checking:
		lines = append(lines, "Asking the service for the first page of the list, to see whether it takes the key…")
	case storing:
		lines = append(lines, "Giving the key to your "+m.o.Store.Name()+"…")
	case unkept:
		lines = append(lines, m.troubles()...)
	case entering:
		return m.entry(append(lines, m.ask()...))
	}
	return ui.Lines(m.w, m.h, lines...), nil
}

// ask says why the key is asked for, when nothing went wrong.
func (m *Model) ask() []string {
	if len(m.trouble) > 0 {
		return append(m.troubles(), "")
	}
	var lines []string
	for _, l := range ui.Wrap("Your "+m.o.Store.Name()+" has no key for this profile yet. Enter it once; it is tried with one harmless question and then kept there, nowhere else.", max(1, m.w)) {
		lines = append(lines, m.theme.Muted.Render(l))
	}
	return append(lines, "")
}

func (m *Model) entry(lines []string) (string, *tea.Cursor) {
	form, cursor := m.form.View(m.w, max(0, m.h-len(lines)))
	if cursor != nil {
		cursor.Y += len(lines)
	}
	return ui.Lines(m.w, m.h, append(lines, strings.Split(form, "\n")...)...), cursor
}

func (m *Model) fact(label, value string) string {
	return m.theme.Muted.Render(ui.Fit(label, 14)) + ui.Fit(value, max(0, m.w-14))
}

func (m *Model) troubles() []string {
	var lines []string
	for i, s := range m.trouble {
		for _, l := range ui.Wrap(s, max(1, m.w-2)) {
			if i == 0 {
				l = m.theme.Error.Render("! " + l)
			} else {
				l = "  " + l
			}
			lines = append(lines, l)
		}
	}
	return lines
}

// words say why the check failed and what comes next. unsure is whether the key
// may be right all the same.
func words(err error, unsure bool, k keyMap) []string {
	t := show.Error(err, show.Reading)
	lines := []string{t.What + " " + t.Detail, t.Next}
	if unsure {
		lines[1] = "The key was not tried. enter tries again, " + k.unchecked.Help().Key + " keeps it without trying."
	}
	return lines
}
