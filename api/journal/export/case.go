package export

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
)

// WriteCase writes what is known about an attempt, and what is not, as Markdown for a ticket. Every
// text from outside is a code span on one line, where it cannot be markup, a link or a mention.
// Times are UTC.
func WriteCase(w io.Writer, a journal.Attempt, events []journal.Event, now time.Time) error {
	lines := []string{"# " + title(a), "", summary(a), ""}
	lines = append(lines, facts(a)...)
	lines = append(lines, "", "## Known", "")
	lines = append(lines, known(a)...)
	lines = append(lines, "", "## Not known", "")
	lines = append(lines, unknown(a)...)
	lines = append(lines, "", "## Timeline", "")
	for _, e := range events {
		lines = append(lines, "- "+timelineLine(e))
	}
	if len(events) == 0 {
		lines = append(lines, "No events were recorded.")
	}
	lines = append(lines, "", "Written by paydesk at "+utc(now)+". Times are UTC.", "")
	_, err := io.WriteString(w, strings.Join(lines, "\n"))
	return err
}

func title(a journal.Attempt) string {
	switch a.Kind {
	case journal.CreateLink:
		return "Payment link, attempt " + codeSpan(string(a.ID))
	case journal.Finalize:
		return "Finalize, attempt " + codeSpan(string(a.ID))
	}
	return "Payment, attempt " + codeSpan(string(a.ID))
}

func summary(a journal.Attempt) string {
	switch {
	case a.IsUnresolved():
		return "**UNRESOLVED: it is not known whether " + a.Kind.Effect() + ". The service sent no usable answer, so it may have happened: look for it before you repeat it.**"
	case a.Outcome == journal.Unresolved:
		return "The service sent no usable answer. The operator decided: " + codeSpan(string(a.Decision)) + "." + lastStatus(a)
	case a.Outcome == journal.Sent:
		return "It was sent, and the service has not answered yet."
	case a.Outcome == journal.Refused:
		return "The service rejected it: nothing was done."
	case a.Outcome == journal.NotSent:
		return "Nothing was sent."
	case a.Outcome == journal.Accepted:
		return "The service accepted it." + lastStatus(a)
	}
	return "Outcome: " + codeSpan(string(a.Outcome)) + "."
}

// lastStatus is the last status the service returned, as a sentence.
func lastStatus(a journal.Attempt) string {
	if a.Status.Text.Empty() {
		return ""
	}
	return " Its last status is " + codeSpan(a.Status.Text.Line(0)) + "."
}

// facts are the values that a reader compares, one on each line; empty ones are left out.
func facts(a journal.Attempt) []string {
	var lines []string
	fact := func(label, value string) {
		if value != "" {
			lines = append(lines, "- "+label+": "+codeSpan(value))
		}
	}
	if !a.Amount.Currency.IsZero() {
		fact("Amount", a.Amount.String())
		fact("Amount in minor units", a.Amount.MinorText())
	}
	fact("Channel", a.Channel)
	fact("Card, last four", a.Card)
	fact("Link", string(a.Link))
	if a.CreatedLink != nil {
		fact("Link name", a.CreatedLink.Name.Line(0))
		fact("Link URL", a.CreatedLink.Page.String())
	}
	fact("Reference", string(a.Reference))
	fact("Our own reference", a.OwnReference)
	fact("Attempt", string(a.ID))
	fact("Sent", utc(a.At))
	fact("Operator", a.By.String())
	fact("Profile", a.Profile)
	fact("Environment", a.Environment)
	fact("Service", a.Destination.Host)
	return lines
}

func known(a journal.Attempt) []string {
	lines := []string{"- It was recorded at " + utc(a.At) + ", before anything was sent."}
	add := func(words string) { lines = append(lines, "- "+words) }
	switch {
	case a.Outcome == journal.Sent:
	case a.Why != "":
		add("Outcome " + codeSpan(string(a.Outcome)) + atTime(a.AnsweredAt) + ": " + codeSpan(a.Why))
	default:
		add("Outcome " + codeSpan(string(a.Outcome)) + atTime(a.AnsweredAt) + ".")
	}
	if !a.Status.Text.Empty() {
		add("The service last returned the status " + codeSpan(a.Status.Text.Line(0)) + atTime(a.StatusAt) + ", which means " + codeSpan(a.Status.State.String()) + ".")
	}
	if a.CustomerDone {
		add("The operator confirmed that the customer has done their part.")
	}
	if a.Finalized {
		add("It was finalized.")
	}
	if a.Decision != journal.Undecided {
		add("Decided " + codeSpan(string(a.Decision)) + atTime(a.DecidedAt) + " by " + codeSpan(a.DecidedBy.String()) + ".")
	}
	return lines
}

// unknown lists what a reader must not assume.
func unknown(a journal.Attempt) []string {
	var lines []string
	add := func(words string) { lines = append(lines, "- "+words) }
	switch {
	case a.IsUnresolved():
		add("Whether " + a.Kind.Effect() + ".")
	case a.Outcome == journal.Sent:
		add("The answer of the service.")
	case a.Decision == journal.NotFound || a.Decision == journal.GaveUp:
		add("Whether " + a.Kind.Effect() + ": only the operator's decision is known.")
	}
	if a.Kind == journal.Initiate && a.Reference == "" && a.Outcome != journal.Refused && a.Outcome != journal.NotSent {
		add("The reference: the service assigns it and returns it in its answer.")
	}
	if a.UnderWay() {
		add("The final status: the service has not returned one.")
	}
	if !a.FinalizeUnresolvedAt.IsZero() {
		add("Whether it was finalized" + atTime(a.FinalizeUnresolvedAt) + ": the service sent no usable answer.")
	}
	if len(lines) == 0 {
		return []string{"Nothing is missing."}
	}
	return lines
}

func timelineLine(e journal.Event) string {
	words := utc(e.At)
	if e.Until.After(e.At) {
		words += " to " + utc(e.Until)
	}
	words += ": " + codeSpan(e.What)
	if e.Detail != "" {
		words += " " + codeSpan(e.Detail)
	}
	if e.Times > 1 {
		words += ", " + strconv.Itoa(e.Times) + " times"
	}
	if e.Source != "" {
		words += ", source " + codeSpan(e.Source)
	}
	if by := e.By.String(); by != "" {
		words += ", " + codeSpan(by)
	}
	return words
}

func atTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " at " + utc(t)
}

func utc(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

// codeSpan returns a text as a code span on one line, fenced by more backticks than it has in a
// row.
func codeSpan(s string) string {
	s = api.Clean(s).Line(0)
	if s == "" {
		return "(none)"
	}
	longest, run := 0, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if strings.Trim(s, " ") == "" { // a code span of spaces keeps them all
		return fence + s + fence
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		s = " " + s + " " // the outermost space on either side is not part of the text
	}
	return fmt.Sprintf("%s%s%s", fence, s, fence)
}
