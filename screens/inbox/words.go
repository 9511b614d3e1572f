package inbox

import (
	"strconv"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/webhook"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// setRows fills the table.
func (m *Model) setRows() {
	l, columns := &m.list, report.Drawn(report.Events(nil, m.Scope.Now()), report.Screen)
	l.table.SetRows(len(l.rows), func(i int) []ui.Cell { return report.Cells(columns, l.rows[i].Record, report.Screen) })
}

// group is the day of a row, for the rule above its rows.
func (m *Model) group(i int) (title, note string) {
	now := m.Scope.Now()
	day, today := m.list.rows[i].Last.Local(), now.Local()
	switch title = day.Format("2 Jan 2006"); title {
	case today.Format("2 Jan 2006"):
		title += ", today"
	case time.Date(today.Year(), today.Month(), today.Day()-1, 0, 0, 0, 0, today.Location()).Format("2 Jan 2006"):
		title += ", yesterday"
	}
	return title, ""
}

// sameGroup reports whether a row is of the day of the one before it.
func (m *Model) sameGroup(i int) bool {
	a, b := m.list.rows[i].Last.Local(), m.list.rows[i-1].Last.Local()
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

// claim is the status that an event claims, in its own word where it has one.
func claim(e api.WebhookEvent) string {
	switch {
	case !e.Status.Text.Empty():
		return e.Status.Text.Line(0)
	case e.Says != api.Unrecognised:
		return e.Says.String()
	}
	return ""
}

// claimedAmount is the amount that an event claims, as it came where it cannot be read.
func claimedAmount(e api.WebhookEvent) string {
	if e.HasAmount {
		return e.Amount.String()
	}
	return e.AmountText.Line(0)
}

// means says what a verdict is about, whether it may be out of date, and what is to be done.
func means(r webhook.Record) string {
	words := verdictMeans(r)
	if r.Answer.Problem != "" && r.Verdict != webhook.NotAsked {
		words += " It could not be asked again: " + present.Sentence(r.Answer.Problem)
	}
	if r.Early {
		words += " The event claimed a success before the service reported one."
	}
	return words
}

func verdictMeans(r webhook.Record) string {
	switch r.Verdict {
	case webhook.Waiting:
		return "The service has not been asked about this payment yet."
	case webhook.Agrees:
		return "The service says the same as this event."
	case webhook.NoAmount:
		return "The service reports the same status, and states no amount."
	case webhook.Disagrees:
		return "The service says otherwise, and only its answer counts."
	case webhook.Unknown:
		return "The service has no such payment. Anybody who knows the address can post an event."
	case webhook.NotAsked:
		return strings.TrimSpace("The service could not be asked. " + present.Sentence(r.Answer.Problem))
	}
	if r.Problem.Empty() {
		return "Nothing in it can be asked about."
	}
	return present.Sentence(r.Problem.Line(0))
}

const masked = "Masked: what looked like a card number was hidden before it was stored. It cannot be replayed."

// outcome returns what became of sending an event to a target, in a sentence.
func outcome(f webhook.Forward) string {
	switch {
	case f.Status == 0:
		return present.Sentence(f.Problem)
	}
	return "It answered " + strconv.Itoa(f.Status) + " in " + present.Took(f.Took) + "."
}
