package activity

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	labelWidth = 12
	timeWidth  = 19 // "15:04:05–15:09:05" and a gap
)

// layoutDetail gives the open attempt h lines, the last of them for the position where it scrolls.
func (m *Model) layoutDetail(h int) {
	d := m.detail
	lines := append(m.facts(), "")
	switch {
	case d.problem != "":
		lines = append(lines, m.Theme.ErrorLines(d.problem+" Press r to retry.", m.W)...)
	case !d.loaded:
		lines = append(lines, m.Theme.Muted.Render("Reading the timeline…"))
	}
	if d.loaded {
		lines = append(lines, m.timeline()...)
	}
	if len(lines) > h && h > 1 {
		h--
	}
	d.scroll.Show(m.W, h, lines)
}

// facts are the values of the attempt; empty ones are left out.
func (m *Model) facts() []string {
	a := m.detail.attempt
	status := present.AttemptCell(a, m.Scope.Now())
	var own, name, page, decided string
	name = present.Plain(a.Draft.Name)
	if a.OwnReference != string(a.Reference) {
		own = present.Plain(a.OwnReference)
	}
	if a.CreatedLink != nil {
		name, page = cmp.Or(a.CreatedLink.Name.Line(0), name), a.CreatedLink.Page.String()
	}
	if a.MustBeRead() {
		page = ""
	}
	if decided = present.Decision(a); decided != "" {
		decided += ", " + present.DateTime(a.DecidedAt) + by(a.DecidedBy)
	}
	lines := []string{m.Theme.Fact("Status", m.Theme.Mark(status.Tone, status.Text), labelWidth)}
	lines = append(lines, m.Theme.FactLines("", m.meaning(a), labelWidth, m.W)...)
	for _, f := range [][2]string{
		{"Reason", present.Plain(a.Why)},
		{"Amount", amount(a)},
		{"Fees", present.Fees(a.Asked())},
		{"Names", present.Plain(a.Named)},
		{"Decision", present.MismatchDecision(a.Mismatch)},
		{"What", present.Action(a)},
		{"Pay into", m.account(a)},
		{"Reference", present.Plain(string(a.Reference))},
		{"Our ref.", own},
		{"Link", present.Plain(string(a.Link))},
		{"Name", name},
		{"Page", page},
		{"Differs", a.CreatedLink.Differences()},
		{"Lacks", present.NotAnswered(a.CreatedLink)},
		{"Attempt", present.Plain(string(a.ID))},
		{"Sent", present.DateTime(a.At) + by(a.By)},
		{"To", present.Plain(strings.Trim(a.Profile+" · "+a.Environment+" · "+a.Host, " ·"))},
		{"", present.Elsewhere(m.options.Here(), a.Destination)},
		{"Decided", decided},
	} {
		if f[1] != "" {
			lines = append(lines, m.Theme.FactLines(f[0], f[1], labelWidth, m.W)...)
		}
	}
	return lines
}

// amount is what the customer pays, with the fees where they are added.
func amount(a journal.Attempt) string {
	if a.Kind == journal.Initiate && !a.Amount.Currency.IsZero() {
		return present.AmountDue(a.Asked())
	}
	return present.Amount(a)
}

// meaning is a sentence about the status.
func (m *Model) meaning(a journal.Attempt) string {
	switch {
	case a.IsUnresolved():
		return present.NotKnown(a.Kind) + " Check before sending it again."
	case !a.Mismatch.IsZero():
		return present.Sentence(a.Mismatch.Words(a.Asked())) + " It does not count as paid."
	case a.Kind == journal.Initiate && !a.Status.Text.Empty():
		means, action := a.Status.State.Meaning(a.Circumstances(m.Scope.Now()))
		if !a.Status.State.Final() {
			means += " " + action
		}
		return means + " Last checked " + present.DateTime(a.StatusAt) + "."
	}
	return present.Outcome(a)
}

// account is the account of a transfer, and whether the customer may still pay into it; "" without one.
func (m *Model) account(a journal.Attempt) string {
	if a.Account == nil || a.Account.AccountNumber.Empty() {
		return ""
	}
	return present.Account(m.Theme, a.Status.State, a.Circumstances(m.Scope.Now()), m.W-labelWidth)
}

// by names the operator, "" where nobody is recorded.
func by(o journal.Operator) string {
	if w := present.Operator(o); w != "" {
		return " by " + w
	}
	return ""
}

// timeline is a line per event, under the heading of its day.
func (m *Model) timeline() []string {
	t, d := m.Theme, m.detail
	lines := []string{t.Strong.Render("Timeline")}
	if len(d.events) == 0 {
		return append(lines, t.Muted.Render("Nothing was recorded."))
	}
	day := ""
	for _, e := range d.events {
		if on := e.At.Local().Format("2006-01-02"); on != day {
			day = on
			lines = append(lines, t.Muted.Render(day))
		}
		lines = append(lines, m.eventLines(e)...)
	}
	return lines
}

// eventLines are the time, the event and its source; the source moves to lines of its own where
// it does not fit.
func (m *Model) eventLines(e journal.Event) []string {
	word, tone := present.Event(e, m.detail.attempt)
	room := max(m.W-timeWidth, 1)
	line, from := ui.Fit(eventTime(e), timeWidth)+m.Theme.Mark(tone, word), m.eventSource(e)
	switch {
	case from == "":
		return []string{line}
	case ansi.StringWidth(line)-timeWidth+2+ansi.StringWidth(from) <= room:
		return []string{line + "  " + m.Theme.Muted.Render(from)}
	}
	lines := []string{line}
	for _, l := range ui.Wrap(from, room) {
		lines = append(lines, strings.Repeat(" ", timeWidth)+m.Theme.Muted.Render(l))
	}
	return lines
}

// eventTime is the first and the last time of an event; a last time on another day is shown as
// that day.
func eventTime(e journal.Event) string {
	at := e.At.Local()
	words := present.Clock(at)
	if !e.Until.After(e.At) {
		return words
	}
	until := e.Until.Local()
	if until.Format("2006-01-02") == at.Format("2006-01-02") {
		return words + "–" + present.Clock(until)
	}
	return words + "–" + until.Format("02 Jan")
}

// eventSource is the rest of an event: its detail, how often it occurred, its source and the
// operator.
func (m *Model) eventSource(e journal.Event) string {
	var parts []string
	if heading, _ := present.Event(e, m.detail.attempt); e.Detail != "" && present.Plain(e.Detail) != heading {
		parts = append(parts, present.Plain(e.Detail))
	}
	if e.Times > 1 {
		parts = append(parts, present.Thousands(e.Times)+" times")
	}
	if e.Source != "" {
		parts = append(parts, "from "+present.Plain(e.Source))
	}
	if w := present.Operator(e.By); w != "" {
		parts = append(parts, w)
	}
	return strings.Join(parts, " · ")
}
