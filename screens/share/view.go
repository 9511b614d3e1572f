package share

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/show"
	"paydesk/ui"
)

const label = 13 // cells of the column of labels

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	head := m.address()
	left := m.w
	var code []string
	if m.codeFits(len(head)) {
		left, code = m.w-m.codeW-2, m.code
		if len(head)+1+len(code) <= m.h {
			head = append(head, "")
		}
	} else {
		head = append(head, "")
	}
	facts := m.facts(left)
	if len(m.code) > 0 && code == nil {
		facts = append(facts, "", m.theme.Muted.Render(ui.Fit("The QR code needs a larger window.", left)))
	}
	return ui.Lines(m.w, m.h, append(head, show.SideBySide(left, facts, code)...)...), nil
}

// address is the whole address on a line of its own, so that a terminal can
// select it; one that is longer than the window is broken, and copying it is the way.
func (m *Model) address() []string {
	if m.link.Page.IsZero() {
		return []string{
			m.theme.Error.Render(ui.Fit("! The address that came cannot be trusted, so it is not offered:", m.w)),
			m.link.PageText.Line(m.w),
		}
	}
	return ui.Wrap(m.link.Page.String(), max(1, m.w))
}

func (m *Model) codeFits(head int) bool {
	return len(m.code) > 0 && m.codeW+2+label+20 <= m.w && head+len(m.code) <= m.h
}

func (m *Model) facts(w int) []string {
	l, t := m.link, m.theme
	amount := "chosen by the customer"
	switch {
	case l.AmountType == api.Static && l.HasAmount:
		amount = l.Amount.String()
	case l.AmountType == api.Static:
		amount = "not said in a readable way"
	case l.HasAmount:
		amount += ", in " + l.Amount.Currency.Code()
	}
	created := l.Created.Text.Line(0)
	if !l.Created.Time.IsZero() {
		created = l.Created.Time.Local().Format("2006-01-02 15:04:05 MST")
		if !l.Created.Zoned {
			created = l.Created.Time.Format("2006-01-02 15:04:05") + " (zone not given)"
		}
	}
	var lines []string
	for _, f := range []struct{ name, value string }{
		{"Alias", string(l.Alias)},
		{"Name", l.Name.Line(0)},
		{"For", l.Description.Line(0)},
		{"Amount", amount},
		{"Can be paid", uses(l.Type.Line(0))},
		{"Status", l.Status.Line(0)},
		{"Environment", l.Environment.Line(0)},
		{"Created", created},
	} {
		if f.value == "" {
			f.value = "-"
		}
		lines = append(lines, t.Muted.Render(ui.Fit(f.name, label))+ui.Fit(f.value, max(0, w-label)))
	}
	return lines
}

// uses puts the service's two words, in each spelling that was seen, into ours.
func uses(kind string) string {
	switch kind {
	case "OneTime", "One-time":
		return "once"
	case "Reuseable", "Reusable":
		return "again and again"
	}
	return kind
}
