package home

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// columns returns the columns of the list. In a team's, whose a payment is matters more than what it is paid by.
func columns(team bool) []ui.Column {
	third := ui.Column{Width: 9, Drop: 2}
	if team {
		third.Width, third.Grow = 11, true // as wide as the rest leaves in 80 columns: a longer desk is cut at its end
	}
	return []ui.Column{
		{Width: 19},
		{Width: 16, Right: true},
		third,
		{Width: 12, Grow: true},
		{Width: 8, Right: true, Drop: 1},
	}
}

// row draws one payment, or a row that is none. The tone of a payment comes from its parsed status alone.
func (m *Model) row(i int) []ui.Cell {
	if one, ok := m.item(i); ok {
		return []ui.Cell{{Text: m.itemLine(one), Wide: true}}
	}
	e := m.entries[i-m.lead]
	return []ui.Cell{m.status(e.Entry), {Text: amount(e.Entry)}, m.paidByOrFor(e.Entry), {Text: report.Identifier(e.Attempt)}, {Text: m.when(e)}}
}

// status returns how a payment stands, or what is in doubt about it.
func (m *Model) status(e session.Entry) ui.Cell {
	switch {
	case e.IsUnresolved():
		return ui.Cell{Text: present.Unresolved, Tone: ui.ToneUnknown}
	case e.MustBeRead():
		return ui.Cell{Text: present.Mismatch, Tone: ui.ToneMismatch}
	case m.isUnknown(e):
		return ui.Cell{Text: "no record of it", Tone: ui.ToneAct}
	case isUnchecked(e):
		return ui.Cell{Text: "not checked yet"}
	}
	return present.PaymentCell(e.Attempt, e.Circumstances(m.Scope.Now()))
}

// isUnchecked reports whether it is a payment that is, or was, pinned without a status so far.
func isUnchecked(e session.Entry) bool {
	return e.StatusAt.IsZero() && (e.IsPinned() || e.IsElsewhere())
}

// isUnknown reports whether the service has no record of such a payment.
func (m *Model) isUnknown(e session.Entry) bool {
	if !isUnchecked(e) { // true of most: asking the scheduler takes a lock that others wait for
		return false
	}
	s, _ := m.state(e)
	return api.NotFound(s.Err)
}

func amount(e session.Entry) string {
	if e.CustomerChooses() {
		return present.CustomerChooses
	}
	return present.Amount(e.Attempt)
}

func paidBy(e session.Entry) string {
	if e.IsElsewhere() {
		return "looked up"
	}
	return present.Subject(e.Attempt)
}

// paidByOrFor returns what a payment is paid by, or in a team's list whose it is: who takes care of it, else who sent it.
func (m *Model) paidByOrFor(e session.Entry) ui.Cell {
	switch {
	case !m.options.Team:
		return ui.Cell{Text: paidBy(e)}
	case !e.Lease.IsZero():
		return ui.Cell{Text: "with " + present.Desk(e.Lease.By)}
	case e.By == (ledger.Operator{}):
		return ui.Cell{Text: "here"}
	}
	return ui.Cell{Text: present.Desk(e.By)}
}

// when returns when a pinned payment changed, how old one is that still needs attention, and else when it was
// sent.
func (m *Model) when(l listing) string {
	switch now := m.Scope.Now(); {
	case l.in == pinned && !l.Changed.At.IsZero():
		return shortWhen(l.Changed.At, now)
	case m.needsAttention(l.Entry):
		return age(m.agesAt.Sub(l.At))
	default:
		return shortWhen(l.At, now)
	}
}

// shortWhen words a time in at most 8 cells: the minute today, the day this year and yesterday, else the month.
func shortWhen(t, now time.Time) string {
	t = t.In(now.Location())
	switch {
	case sameDay(t, now):
		return t.Format("15:04")
	case t.Year() == now.Year(), now.Sub(t) < 48*time.Hour:
		return t.Format("02 Jan")
	}
	return t.Format("Jan 2006")
}

// age returns how long a payment has been open. It says nothing of seconds, which would have to be drawn every one of
// them.
func age(d time.Duration) string {
	if d < time.Minute {
		return "< 1 min"
	}
	return present.Age(d)
}

const agesFor = time.Minute // how long the ages on the screen may stand

// A grown message tells that what grow waits for is due.
type grown struct{}

// grow waits until the ages on the screen are due, rows need no longer stay where they are (settlingSince), or a day begins.
func (m *Model) grow() tea.Cmd {
	now := m.Scope.Now()
	wait := day(now).AddDate(0, 0, 1).Sub(now)
	if slices.ContainsFunc(m.entries, func(l listing) bool { return m.needsAttention(l.Entry) }) {
		wait = min(wait, agesFor)
	}
	if !m.settling.IsZero() {
		wait = min(wait, m.settling.Add(settledStays).Sub(now)) // which another reading does not put off
	}
	return m.growing.After(m.Scope, wait, grown{})
}

// grewUp draws the ages again, and sorts rows that need no longer stay where they are. On a new day it reads the rows again; a
// screen that is covered does so when it is on top.
func (m *Model) grewUp() tea.Cmd {
	if !m.covered && !sameDay(m.readAt, m.Scope.Now()) {
		return m.read()
	}
	if !m.settling.IsZero() {
		if m.settling = m.settlingSince(m.Scope.Now()); m.settling.IsZero() {
			m.sort()
		}
	}
	m.refreshAges()
	m.list(m.mark())
	return m.grow()
}

// refreshAges lets the ages be those of now once they have stood for long enough: an answer draws its row anyhow.
func (m *Model) refreshAges() {
	if now := m.Scope.Now(); now.Sub(m.agesAt) >= agesFor {
		m.agesAt = now
	}
}
