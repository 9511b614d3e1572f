package export

import (
	"io"
	"strings"
	"time"

	"paydesk/api/journal"
)

// WriteLookup writes what is known about a payment that was made elsewhere, as [WriteCase] does of an attempt.
func WriteLookup(w io.Writer, l journal.Lookup, events []journal.Event, now time.Time) error {
	fact := func(label, value string) string { return when(value != "", label+": "+codeSpan(value)) }
	var timeline []string
	for _, line := range journal.Lines(events) {
		timeline = append(timeline, timelineLine(line))
	}
	about := "It was not made from here: what was asked for is not known, and only answers of the service are."
	status := "No status was reported."
	if !l.Status.Text.Empty() {
		status = "Its last status is " + codeSpan(l.Status.Text.Line(0)) + ", which stands for " + l.Status.State.String() + ", reported" + atTime(l.StatusAt)
	}
	if !l.Mismatch.IsZero() {
		about = "**MISMATCH: answers of the service contradict each other. It is no success.** " + about
	}
	_, err := io.WriteString(w, strings.Join([]string{
		"# Payment " + codeSpan(string(l.Reference)), "", about + " " + status, "",
		list("", []string{
			fact("Reference", string(l.Reference)),
			fact("Amount, reported", when(!l.Amount.Currency.IsZero(), l.Amount.String())),
			fact("Amount in minor units", when(!l.Amount.Currency.IsZero(), l.Amount.MinorText())),
			fact("Differs", l.Mismatch.What.String()),
			fact("First looked up", stamp(l.At)),
			fact("Last answered", stamp(l.AnsweredAt)),
			fact("Operator", l.By.String()),
			fact("Profile", l.Profile), fact("Environment", l.Environment), fact("Service", l.Host),
		}),
		"## History", "", list("No events were recorded.", timeline),
		"Written by paydesk at " + stamp(now) + ".", "",
	}, "\n"))
	return err
}
