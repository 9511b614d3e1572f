package transfer

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

const label = 12 // cells of the column of labels

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	a, t, room := m.account, m.Theme, max(m.W-label, 1)
	lines := append(present.Rows(5, present.Progress(t, m.W, m.entry.Flow, present.StageAuthorise)), present.Rows(9, "")...)
	if a.AccountNumber.Empty() {
		none := present.Problem{What: "The service returned no account to pay into.", Next: "Watch the payment (enter), and contact the provider."}
		lines = append(append(lines, present.Rows(0, none.Lines(t, m.W)...)...), present.Rows(9, "")...)
	}
	number := t.Strong
	if m.expired() {
		number = t.Muted
	}
	lines = append(lines, present.Rows(0,
		m.fact("Amount", t.Strong.Render(m.amount())),
		m.fact("Account", number.Render(cmp.Or(a.AccountNumber.Line(room), "-"))),
		m.fact("Bank", a.Bank.Line(room)),
		m.fact("Name", a.AccountName.Line(room)),
	)...)
	lines = append(lines, present.Rows(4, m.fact("Note", a.Note.Line(room)))...)
	lines = append(lines, present.Rows(0, m.fact("Expiry", m.expiry()))...)
	lines = append(lines, present.Rows(3, m.fact("Reference", string(m.reference)))...)
	lines = append(append(lines, present.Rows(9, "")...), present.Rows(2, m.advice()...)...)
	return ui.Lines(m.W, m.H, present.FitHeight(m.H, lines)...), nil
}

// advice says what the customer must do now.
func (m *Model) advice() []string {
	words := "The customer pays exactly this amount into this account, from their own bank."
	switch {
	case m.account.AccountNumber.Empty():
		return nil
	case m.expired():
		words = "This account has expired; nobody should pay into it. The payment may still have been made: watch it (enter)."
	case m.entry.Flow.IsLinked():
		words += " A payment through a link is finalized after that: press d when they say they have paid."
	}
	return m.Theme.MutedLines(words, m.W)
}

func (m *Model) amount() string {
	if m.entry.Requested.Currency.IsZero() {
		return "-" // unknown unless the payment was made in this console
	}
	return m.entry.Requested.String()
}

func (m *Model) fact(name, value string) string { return m.Theme.Fact(name, value, label) }

// expiry is the time and the countdown, or why there is none. What changes each second stands at
// the end of the line, so that little is sent over a slow connection.
func (m *Model) expiry() string {
	e := m.account.Expiration
	switch {
	case e.Time.IsZero() && e.Text.Empty():
		return "not reported"
	case e.Time.IsZero():
		return e.Text.Line(30) + ", not a readable time"
	case !e.Zoned:
		return m.at(e.Time) + ", time zone not given"
	case m.expired():
		return m.Theme.Mark(ui.ToneBad, "expired at "+m.at(e.Time.Local()))
	}
	return m.at(e.Time.Local()) + ", in " + present.Countdown(m.left())
}

// at is a time of day, with the date unless it is today.
func (m *Model) at(when time.Time) string {
	if when.Format(time.DateOnly) == m.now.In(when.Location()).Format(time.DateOnly) {
		return present.Clock(when)
	}
	return when.Format(time.DateOnly) + " " + present.Clock(when)
}
