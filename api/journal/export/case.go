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

// Case writes what is known of an attempt, and what is not, as Markdown for a ticket. Every
// text from outside the console stands in a code span on one line, where it is no markup, no
// link and calls nobody. Times are UTC.
func Case(w io.Writer, a journal.Attempt, events []journal.Event, now time.Time) error {
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
		lines = append(lines, "Nothing was written down.")
	}
	lines = append(lines, "", "Written by paydesk at "+utc(now)+". Times are UTC.", "")
	_, err := io.WriteString(w, strings.Join(lines, "\n"))
	return err
}

func title(a journal.Attempt) string {
	switch a.Kind {
	case journal.CreateLink:
		return "A payment link, attempt " + codeSpan(string(a.ID))
	case journal.Finalize:
		return "A finalize, attempt " + codeSpan(string(a.ID))
	}
	return "A payment, attempt " + codeSpan(string(a.ID))
}

// summary is the first thing to be known of a case.
func summary(a journal.Attempt) string {
	switch {
	case a.Unknown():
		return "**Nobody knows whether it was done: no usable answer came. It may have been done. Do not do it again before it was looked for.**"
	case a.Outcome == journal.Unresolved:
		return "No usable answer came; a person decided: " + codeSpan(string(a.Verdict)) + "." + lastStatus(a)
	case a.Outcome == journal.Sent:
		return "It was sent, and there is no answer yet."
	case a.Outcome == journal.Refused:
		return "The service said no: nothing was done."
	case a.Outcome == journal.NotSent:
		return "Nothing was sent."
	case a.Outcome == journal.Accepted:
		return "The service took it." + lastStatus(a)
	}
	return "Outcome: " + codeSpan(string(a.Outcome)) + "."
}

// lastStatus is the last status the service told, as a sentence.
func lastStatus(a journal.Attempt) string {
	if a.Status.Text.Empty() {
		return ""
	}
	return " Its last word is " + codeSpan(a.Status.Text.Line(0)) + "."
}

// facts are the values a person compares, one on each line; what there is none of is left
// out.
func facts(a journal.Attempt) []string {
	var lines []string
	fact := func(label, value string) {
		if value != "" {
			lines = append(lines, "- "+label+": "+codeSpan(value))
		}
	}
	if !a.Amount.Currency.IsZero() {
		fact("Amount", a.Amount.String())
		fact("In minor units", a.Amount.MinorText())
	}
	fact("Channel", a.Channel)
	fact("Card, last four", a.Card)
	fact("Link", string(a.Link))
	if a.Made != nil {
		fact("Name of the link", a.Made.Name.Line(0))
		fact("Page of the link", a.Made.Page.String())
	}
	fact("Reference", string(a.Reference))
	fact("Our own reference", a.OwnReference)
	fact("Attempt", string(a.ID))
	fact("Sent", utc(a.At))
	fact("By", operator(a.By))
	fact("Profile", a.Profile)
	fact("Environment", a.Environment)
	fact("Service", a.Destination.Host)
	return lines
}

func known(a journal.Attempt) []string {
	lines := []string{"- It was written down at " + utc(a.At) + ", before anything was sent."}
	add := func(words string) { lines = append(lines, "- "+words) }
	switch {
	case a.Outcome == journal.Sent:
	case a.Why != "":
		add("Outcome " + codeSpan(string(a.Outcome)) + atTime(a.Answered) + ": " + codeSpan(a.Why))
	default:
		add("Outcome " + codeSpan(string(a.Outcome)) + atTime(a.Answered) + ".")
	}
	if !a.Status.Text.Empty() {
		add("The service last told the status " + codeSpan(a.Status.Text.Line(0)) + atTime(a.SeenAt) + ", taken for " + codeSpan(a.Status.State.String()) + ".")
	}
	if a.CustomerDone {
		add("A person said that the customer did their part.")
	}
	if a.Finalized {
		add("It was finalized.")
	}
	if a.Verdict != journal.Undecided {
		add("Decided " + codeSpan(string(a.Verdict)) + atTime(a.DecidedAt) + " by " + codeSpan(operator(a.DecidedBy)) + ".")
	}
	return lines
}

// unknown says what nobody should take for granted.
func unknown(a journal.Attempt) []string {
	var lines []string
	add := func(words string) { lines = append(lines, "- "+words) }
	switch {
	case a.Unknown():
		add("Whether it was done.")
	case a.Outcome == journal.Sent:
		add("The answer of the service.")
	case a.Verdict == journal.NotFound || a.Verdict == journal.GaveUp:
		add("Whether it was done, but for what the person decided.")
	}
	if a.Kind == journal.Initiate && a.Reference == "" && a.Outcome != journal.Refused && a.Outcome != journal.NotSent {
		add("The reference: the service makes it, and gives it in its answer.")
	}
	if a.UnderWay() {
		add("How it ends: no final status was told.")
	}
	if !a.FinalizeLost.IsZero() {
		add("Whether the finalize" + atTime(a.FinalizeLost) + " was done: nobody answered it.")
	}
	if len(lines) == 0 {
		return []string{"Nothing that the journal would be expected to hold."}
	}
	return lines
}

// timelineLine is one line of the timeline.
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
	if by := operator(e.By); by != "" {
		words += ", " + codeSpan(by)
	}
	return words
}

// operator is an operator: "ada on desk1 from 192.0.2.7".
func operator(o journal.Operator) string {
	words := o.User
	if o.Host != "" {
		words += " on " + o.Host
	}
	if o.SSH != "" {
		words += " from " + o.SSH
	}
	return strings.TrimSpace(words)
}

func atTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " at " + utc(t)
}

func utc(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

// codeSpan is a text as a code span on one line: between more backticks in a row than it has
// itself.
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
	if strings.Trim(s, " ") == "" { // a code span of blanks keeps them all
		return fence + s + fence
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		s = " " + s + " " // the two outermost blanks are not part of it
	}
	return fmt.Sprintf("%s%s%s", fence, s, fence)
}
