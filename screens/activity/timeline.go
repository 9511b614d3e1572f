package activity

import (
	"fmt"
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

// layout is all that is known of the attempt, in lines of the screen's width.
func (d *detail) layout(t *ui.Theme) []string {
	lines := append(d.facts(t), "")
	switch {
	case d.problem != "":
		for _, l := range ui.Wrap(d.problem+" Press r to retry.", max(d.w-2, 1)) {
			lines = append(lines, t.Error.Render("! "+l))
		}
	case !d.loaded:
		lines = append(lines, t.Muted.Render("Reading the timeline…"))
	}
	if d.loaded {
		lines = append(lines, d.timeline(t)...)
	}
	return lines
}

// facts are the values of the attempt; empty ones are left out.
func (d *detail) facts(t *ui.Theme) []string {
	a := d.attempt
	var lines []string
	row := func(label, value string) {
		for i, l := range ui.Wrap(value, max(d.w-labelWidth, 1)) {
			if i > 0 {
				label = ""
			}
			lines = append(lines, t.Muted.Render(ui.Fit(label, labelWidth))+l)
		}
	}
	fact := func(label, value string) {
		if value != "" {
			row(label, value)
		}
	}
	word, tone := statusCell(a)
	lines = append(lines, t.Muted.Render(ui.Fit("Status", labelWidth))+t.Mark(tone, word))
	for _, l := range ui.Wrap(meaning(a), max(d.w-labelWidth, 1)) {
		lines = append(lines, strings.Repeat(" ", labelWidth)+l)
	}
	fact("Reason", present.Plain(a.Why))
	if !a.Amount.Currency.IsZero() {
		fact("Amount", a.Amount.String())
	}
	fact("What", action(a))
	fact("Reference", present.Plain(string(a.Reference)))
	if a.OwnReference != string(a.Reference) {
		fact("Our ref.", present.Plain(a.OwnReference))
	}
	fact("Link", present.Plain(string(a.Link)))
	if a.CreatedLink != nil {
		fact("Name", a.CreatedLink.Name.Line(0))
		fact("Page", a.CreatedLink.Page.String())
	}
	fact("Attempt", present.Plain(string(a.ID)))
	fact("Sent", present.DateTime(a.At)+by(a.By))
	fact("To", present.Plain(strings.Trim(a.Profile+" · "+a.Environment+" · "+a.Host, " ·")))
	if a.Decision != journal.Undecided {
		fact("Decided", string(a.Decision)+", "+present.DateTime(a.DecidedAt)+by(a.DecidedBy))
	}
	return lines
}

// meaning is a sentence about the status.
func meaning(a journal.Attempt) string {
	switch {
	case a.IsUnresolved():
		return present.NotKnown(a.Kind) + " Check before sending it again."
	case a.Kind == journal.Initiate && !a.Status.Text.Empty():
		means, _ := present.Meaning(a.Status)
		return means + " Last checked " + present.DateTime(a.StatusAt) + "."
	}
	return present.Outcome(a)
}

// action is what was attempted, in words.
func action(a journal.Attempt) string {
	switch a.Kind {
	case journal.CreateLink:
		return "create a payment link"
	case journal.Finalize:
		return "finalize a payment"
	}
	words := "payment"
	if a.Channel != "" {
		words += " by " + present.Plain(a.Channel)
	}
	return strings.TrimSpace(words + " " + card(a))
}

func by(o journal.Operator) string {
	if w := present.Operator(o); w != "" {
		return " by " + w
	}
	return ""
}

// timeline is a line per event, under the heading of its day.
func (d *detail) timeline(t *ui.Theme) []string {
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
		lines = append(lines, d.eventLines(t, e)...)
	}
	return lines
}

// eventLines are the time, the event and its source; the source moves to lines of its own where
// it does not fit.
func (d *detail) eventLines(t *ui.Theme, e journal.Event) []string {
	head, tone := present.Event(e)
	head = t.Mark(tone, head)
	room := max(d.w-timeWidth, 1)
	line := ui.Fit(eventTime(e), timeWidth)
	from := eventSource(e)
	if from == "" {
		return []string{line + head}
	}
	if ansi.StringWidth(head)+2+ansi.StringWidth(from) <= room {
		return []string{line + head + "  " + t.Muted.Render(from)}
	}
	lines := []string{line + head}
	for _, l := range ui.Wrap(from, room) {
		lines = append(lines, strings.Repeat(" ", timeWidth)+t.Muted.Render(l))
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
func eventSource(e journal.Event) string {
	var parts []string
	if heading, _ := present.Event(e); e.Detail != "" && present.Plain(e.Detail) != heading {
		parts = append(parts, present.Plain(e.Detail))
	}
	if e.Times > 1 {
		parts = append(parts, fmt.Sprintf("%s times", present.Thousands(e.Times)))
	}
	if e.Source != "" {
		parts = append(parts, "from "+present.Plain(e.Source))
	}
	if w := present.Operator(e.By); w != "" {
		parts = append(parts, w)
	}
	return strings.Join(parts, " · ")
}
