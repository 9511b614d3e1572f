package activity

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	labelWidth = 12
	timeWidth  = 19 // "15:04:05–15:09:05" and a gap
)

// layout is all that is known of the attempt, in lines of the width.
func (d *detail) layout(t *ui.Theme) []string {
	lines := append(d.facts(t), "")
	switch {
	case d.trouble != "":
		for _, l := range ui.Wrap(d.trouble+" r reads it again.", max(d.w-2, 1)) {
			lines = append(lines, t.Error.Render("! "+l))
		}
	case !d.told:
		lines = append(lines, t.Muted.Render("Reading the timeline…"))
	}
	if d.told {
		lines = append(lines, d.timeline(t)...)
	}
	return lines
}

// facts are the values of an attempt; those there are none of are left out.
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
	word, tone := state(a)
	lines = append(lines, t.Muted.Render(ui.Fit("Status", labelWidth))+t.Mark(tone, word))
	for _, l := range ui.Wrap(meaning(a), max(d.w-labelWidth, 1)) {
		lines = append(lines, strings.Repeat(" ", labelWidth)+l)
	}
	fact("Reason", plain(a.Why))
	if !a.Amount.Currency.IsZero() {
		fact("Amount", a.Amount.String())
	}
	fact("What", done(a))
	fact("Reference", plain(string(a.Reference)))
	if a.OwnReference != string(a.Reference) {
		fact("Ours", plain(a.OwnReference))
	}
	fact("Link", plain(string(a.Link)))
	if a.CreatedLink != nil {
		fact("Its name", a.CreatedLink.Name.Line(0))
		fact("Its page", a.CreatedLink.Page.String())
	}
	fact("Attempt", plain(string(a.ID)))
	fact("Sent", stamp(a.At)+by(a.By))
	fact("To", plain(strings.Trim(a.Profile+" · "+a.Environment+" · "+a.Host, " ·")))
	if a.Decision != journal.Undecided {
		fact("Decided", string(a.Decision)+", "+stamp(a.DecidedAt)+by(a.DecidedBy))
	}
	return lines
}

// meaning is a sentence about the state: what a person shall take it for.
func meaning(a journal.Attempt) string {
	switch {
	case a.IsUnresolved():
		return "No usable answer came. It may have been done: do not send it again before it was looked for."
	case a.Kind == journal.Initiate && !a.Status.Text.Empty():
		means, _ := present.Meaning(a.Status)
		return means + " Last told " + stamp(a.StatusAt) + "."
	case a.Outcome == journal.Unresolved:
		return "No usable answer came, and a person decided."
	case a.Outcome == journal.Sent:
		return "No answer came yet."
	case a.Outcome == journal.Refused:
		return "The service said no: nothing was done."
	case a.Outcome == journal.NotSent:
		return "Nothing was sent."
	}
	return "The service took it."
}

// done is what was attempted, in words.
func done(a journal.Attempt) string {
	switch a.Kind {
	case journal.CreateLink:
		return "create a payment link"
	case journal.Finalize:
		return "finalize a payment"
	}
	words := "payment"
	if a.Channel != "" {
		words += " by " + plain(a.Channel)
	}
	if a.Card != "" {
		words += " •••• " + plain(a.Card)
	}
	return words
}

func by(o journal.Operator) string {
	if w := who(o); w != "" {
		return " by " + w
	}
	return ""
}

// stamp is a day and a time of day.
func stamp(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// timeline is a line for each event, under the day it was on.
func (d *detail) timeline(t *ui.Theme) []string {
	lines := []string{t.Strong.Render("Timeline")}
	if len(d.events) == 0 {
		return append(lines, t.Muted.Render("Nothing was written down."))
	}
	day := ""
	for _, e := range d.events {
		if on := e.At.Local().Format("2006-01-02"); on != day {
			day = on
			lines = append(lines, t.Muted.Render(day))
		}
		lines = append(lines, d.event(t, e)...)
	}
	return lines
}

// event is when, what, and where it comes from; the last on lines of its own where it
// does not fit.
func (d *detail) event(t *ui.Theme, e journal.Event) []string {
	head, tone := happened(e)
	head = t.Mark(tone, head)
	room := max(d.w-timeWidth, 1)
	line := ui.Fit(span(e), timeWidth)
	from := origin(e)
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

// happened is what an event says, a status with its mark.
func happened(e journal.Event) (string, ui.Tone) {
	if e.What == "status" {
		s := api.ParseStatus(e.Detail)
		if s.State == api.Unrecognised {
			return "UNRECOGNISED", present.Tone(s)
		}
		return present.Word(s), present.Tone(s)
	}
	if before, ok := strings.CutSuffix(e.What, string(journal.Unresolved)); ok {
		return plain(before) + "no usable answer", ui.ToneUnknown
	}
	return plain(e.What), ui.ToneNone
}

// span is from when to when it was so; a last time on another day has its day.
func span(e journal.Event) string {
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

// origin is the rest of an event: its detail, how often, from where, by whom.
func origin(e journal.Event) string {
	var parts []string
	if said, _ := happened(e); e.Detail != "" && plain(e.Detail) != said {
		parts = append(parts, plain(e.Detail))
	}
	if e.Times > 1 {
		parts = append(parts, fmt.Sprintf("%s times", present.Thousands(e.Times)))
	}
	if e.Source != "" {
		parts = append(parts, "from "+plain(e.Source))
	}
	if w := who(e.By); w != "" {
		parts = append(parts, w)
	}
	return strings.Join(parts, " · ")
}
