package transfer

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/show"
	"paydesk/ui"
)

const label = 14 // cells of the column of labels

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	a, t := m.entry.Payment.Transfer, m.theme
	lines := []string{show.Stepper(t, m.w, true, show.StageAuthorise), ""}
	if a.AccountNumber.Empty() {
		lines = append(lines, t.Error.Render("! The service named no account. Watch the payment, and ask the provider."), "")
	}
	lines = append(lines,
		m.fact("Amount", t.Strong.Render(m.entry.Asked.String())),
		m.fact("Account", t.Strong.Render(a.AccountNumber.Line(m.w-label))),
		m.fact("Bank", a.Bank.Line(m.w-label)),
		m.fact("Name", a.AccountName.Line(m.w-label)),
		m.fact("Note", a.Note.Line(m.w-label)),
		m.fact("Usable", m.usable()),
		m.fact("Reference", string(m.reference)),
		"",
	)
	for _, l := range ui.Wrap("The customer pays exactly this amount into this account, from their own bank.", max(1, m.w)) {
		lines = append(lines, l)
	}
	if m.entry.Flow.IsLinked() {
		lines = append(lines, t.Muted.Render(ui.Fit("A payment of a link is finalized after that: press d when they have paid.", m.w)))
	}
	return ui.Lines(m.w, m.h, lines...), nil
}

func (m *Model) fact(name, value string) string {
	return m.theme.Muted.Render(ui.Fit(name, label)) + value
}

// usable is the countdown, with the words for every state of the account. What
// changes each second stands at the end, so that a second costs few bytes.
func (m *Model) usable() string {
	e := m.expiration()
	if e.Time.IsZero() {
		if e.Text.Empty() {
			return "the service did not say how long"
		}
		return "until " + e.Text.Line(40) + " (not a time we can read)"
	}
	until := "until " + e.Time.Local().Format("15:04:05")
	if !e.Zoned {
		until = "until " + e.Time.Format("15:04:05") + " (time zone not given)"
	}
	if m.left() <= 0 {
		return m.theme.Mark(ui.ToneBad, "expired: "+until)
	}
	return until + ", left " + show.Countdown(m.left())
}
