package export

import (
	"cmp"
	"io"
	"strconv"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/pattern"
)

// WriteCase writes what is known about an attempt, and what is not, as Markdown for a ticket. Every
// text from outside is a code span on one line, where it cannot be markup, a link or a mention.
// Each time has its offset from UTC: the reader may be in another zone than the operator.
func WriteCase(w io.Writer, a journal.Attempt, events []journal.Event, now time.Time) error {
	var timeline []string
	for _, l := range journal.Lines(events) {
		timeline = append(timeline, timelineLine(l))
	}
	_, err := io.WriteString(w, strings.Join([]string{
		"# " + cmp.Or(titles[a.Kind], "Payment") + ", attempt " + codeSpan(string(a.ID)), "",
		summary(a), "",
		list("", facts(a, now)),
		"## Known", "", list("", known(a, now)),
		"## Not known", "", list("Nothing is missing.", unknown(a)),
		"## History", "", list("No events were recorded.", timeline),
		"Written by paydesk at " + stamp(now) + ".", "",
	}, "\n"))
	return err
}

// titles name what was attempted, other than a payment.
var titles = map[journal.Kind]string{journal.CreateLink: "Payment link", journal.Finalize: "Finalize"}

// list returns one item on each line, without empty ones; none when there is no other.
func list(none string, items []string) string {
	var b strings.Builder
	for _, item := range items {
		if item != "" {
			b.WriteString("- " + item + "\n")
		}
	}
	return cmp.Or(b.String(), none+"\n")
}

// when returns words if a condition holds, and "" otherwise, which [list] leaves out.
func when(holds bool, words string) string {
	if holds {
		return words
	}
	return ""
}

// summary is the sentence that a reader in a hurry needs. It never calls an attempt failed whose
// outcome is not known.
func summary(a journal.Attempt) string {
	switch {
	case a.IsUnresolved():
		return "**UNRESOLVED: it is not known whether " + a.Kind.Effect() +
			". The service sent no usable response, so it may have happened: look for it before you repeat it.**"
	case a.Mismatch.Undecided():
		return "**MISMATCH: the service answered something else than was asked. It is no success, and nobody has decided what it means." +
			"**" + lastStatus(a)
	case !a.Mismatch.IsZero():
		return "**MISMATCH: the service answered something else than was asked.** The operator decided: " +
			codeSpan(string(a.Mismatch.Decision)) + "." + lastStatus(a)
	case a.Outcome == journal.Unresolved:
		return "The service sent no usable response. The operator decided: " + codeSpan(string(a.Decision)) + "." +
			lastStatus(a)
	case a.Outcome == journal.Sent:
		return "It was sent, and the service has not responded yet."
	case a.Outcome == journal.Refused:
		return "The service rejected it: nothing was done."
	case a.Outcome == journal.NotSent:
		return "Nothing was sent."
	case a.MustBeRead():
		return "**MISMATCH: the link was created, and is not as it was asked for. Nobody has confirmed to have read how: " +
			"do not pass it on.**"
	case a.CreatedLink != nil && len(a.CreatedLink.Differs) > 0:
		return "**MISMATCH: the link was created, and is not as it was asked for.**"
	case a.Outcome == journal.Accepted:
		return "The service accepted it." + lastStatus(a)
	}
	return "Outcome: " + codeSpan(string(a.Outcome)) + "."
}

// lastStatus is the last status the service returned, as a sentence.
func lastStatus(a journal.Attempt) string {
	return when(!a.Status.Text.Empty(), " Its last status is "+codeSpan(a.Status.Text.Line(0))+".")
}

// facts are the values that a reader compares; empty ones are left out.
func facts(a journal.Attempt, now time.Time) []string {
	fact := func(label, value string) string { return when(value != "", label+": "+codeSpan(value)) }
	hasAmount, link := !a.Amount.Currency.IsZero() && !a.CustomerChooses(), cmp.Or(a.CreatedLink, new(api.Link))
	return []string{
		fact("Amount", when(hasAmount, a.Amount.String())),
		fact("Amount", when(a.CustomerChooses(), api.Dynamic.String())),
		fact("Currency", when(a.CustomerChooses(), a.Amount.Currency.Code())),
		fact("Amount in minor units", when(hasAmount, a.Amount.MinorText())),
		fact("Fees, stated", when(a.Fees > 0, a.Asked().Fees.String())),
		fact("Total, stated", when(a.Total > 0, a.Asked().Total.String())),
		fact("The customer pays", due(a)),
		fact("Amount, answered", when(!a.Mismatch.Answered.Currency.IsZero(), a.Mismatch.Answered.String())),
		fact("Amount, as answered", a.Mismatch.Text.Line(0)),
		fact("Channel", a.Channel),
		fact(accountFact(a, now)),
		fact("Card, last four", a.Card),
		fact("Link", string(a.Link)),
		fact("Link name", link.Name.Line(0)),
		fact("Link name, asked", when(a.Draft.Name != link.Name.Line(0), a.Draft.Name)),
		fact("Link description, asked", a.Draft.Description),
		fact("Link type, asked", when(a.Draft.Name != "", a.Draft.Type.String())),
		fact("Amount type, asked", when(a.Draft.Name != "", a.Draft.AmountType.String())),
		fact("Link URL", link.Page.String()),
		fact("Link ID", link.ID.Line(0)),
		fact("Reference", string(a.Reference)),
		fact("Reference, answered", a.Mismatch.Reference.Line(0)),
		fact("Our own reference", a.OwnReference),
		fact("Named by an answer that is not believed", a.Named),
		fact("Attempt", string(a.ID)),
		fact("Sent", stamp(a.At)),
		fact("Operator", a.By.String()),
		fact("Profile", a.Profile),
		fact("Environment", a.Environment),
		fact("Service", a.Destination.Host),
	}
}

// due is what the customer pays, where the answer states fees or a total; "" where it does not.
func due(a journal.Attempt) string {
	if a.Fees <= 0 && a.Total <= 0 {
		return ""
	}
	amount, known := a.Asked().Due()
	if !known {
		return "not stated: the fees may be added or not"
	}
	return amount.String()
}

// known lists what was recorded, each with its time.
func known(a journal.Attempt, now time.Time) []string {
	link := cmp.Or(a.CreatedLink, new(api.Link))
	outcome := "Outcome " + codeSpan(outcomeWord(string(a.Outcome))) + atTime(a.AnsweredAt)
	if a.Why == "" {
		outcome += "."
	} else {
		outcome += ": " + codeSpan(a.Why)
	}
	return []string{
		"It was recorded at " + stamp(a.At) + ", before anything was sent.",
		when(a.Outcome != journal.Sent, outcome),
		statusMeaning(a, now),
		when(!a.Mismatch.IsZero(), "The answers differ in "+codeSpan(a.Mismatch.What.String())+atTime(a.Mismatch.At)+": "+
			codeSpan(a.Mismatch.Words(a.Asked()))+"."),
		when(!a.Mismatch.AgreesAt.IsZero(), "The last answer"+atTime(a.Mismatch.AgreesAt)+" agreed with what was asked."),
		when(!a.Mismatch.IsZero() && !a.Mismatch.Undecided(), "Decided "+codeSpan(string(a.Mismatch.Decision))+
			atTime(a.Mismatch.DecidedAt)+" by "+codeSpan(a.Mismatch.DecidedBy.String())+"."),
		when(len(link.Differs) > 0, "The link differs from what was asked: "+codeSpan(link.Differences())+"."),
		when(len(link.Lacks) > 0, "The response did not contain: "+codeSpan(lacks(link))+"."),
		when(a.CustomerDone, "The operator confirmed that the customer has done their part."),
		when(a.Finalized, "It was finalized."),
		when(a.Decision == journal.Undecided && !a.DecidedAt.IsZero(),
			"The decision about it was taken back"+atTime(a.DecidedAt)+" by "+codeSpan(a.DecidedBy.String())+"."),
		when(a.Decision != journal.Undecided,
			"Decided "+codeSpan(string(a.Decision))+atTime(a.DecidedAt)+" by "+codeSpan(a.DecidedBy.String())+"."),
	}
}

// statusMeaning is the last status and what it means for a payment of its channel. Beside a mismatch it
// means nothing that a reader could rely on.
func statusMeaning(a journal.Attempt, now time.Time) string {
	if a.Status.Text.Empty() {
		return ""
	}
	said, state := a.Status.Text.Line(0), a.Status.State
	words := "The service last returned the status " + codeSpan(said) + atTime(a.StatusAt)
	if !a.Mismatch.IsZero() {
		return words + "."
	}
	means, action := state.Meaning(a.Circumstances(now))
	return words + when(said != state.String(), ", which means "+codeSpan(state.String())) + ". " + means + " " + action
}

// accountFact is until when the account of a transfer could be paid into. Its number stays here, so that
// nobody pays into it from a ticket.
func accountFact(a journal.Attempt, now time.Time) (label, value string) {
	switch {
	case !a.Account.Expires():
		return "Account expires", ""
	case a.Account.Expired(now):
		return "Account expired", stamp(a.Account.Expiration.Time)
	}
	return "Account expires", stamp(a.Account.Expiration.Time)
}

// unknown lists what a reader must not assume.
func unknown(a journal.Attempt) []string {
	mayHaveReference := a.Kind == journal.Initiate && a.Outcome != journal.Refused && a.Outcome != journal.NotSent
	return []string{
		when(a.IsUnresolved(), "Whether "+a.Kind.Effect()+"."),
		when(a.Outcome == journal.Sent, "The response of the service."),
		when(a.Decision == journal.NotFound || a.Decision == journal.GaveUp,
			"Whether "+a.Kind.Effect()+": only the operator's decision is known."),
		when(mayHaveReference && a.Reference == "",
			"The reference: the service assigns it and returns it in its response."),
		when(a.Mismatch.Undecided(), "What was charged: the service does not agree with the request, or with itself."),
		when(a.UnderWay(), "The final status: the service has not returned one."),
		when(!a.FinalizeUnresolvedAt.IsZero(),
			"Whether it was finalized"+atTime(a.FinalizeUnresolvedAt)+": the service sent no usable response."),
	}
}

// timelineLine is an event with when, what, from where and by whom, each left out where it is not known.
func timelineLine(l journal.Line) string {
	by := l.By.String()
	return stamp(l.At) + when(l.Until.After(l.At), " to "+stamp(l.Until)) + ": " + codeSpan(outcomeWord(l.What)) +
		when(l.Detail != "", " "+codeSpan(l.Detail)) + when(l.Times > 1, ", "+strconv.Itoa(l.Times)+" times") +
		when(l.From != "" && l.From != by, ", from "+codeSpan(l.From)) + when(l.AfterFinal, ", after a final status") +
		when(by != "", ", "+codeSpan(by))
}

// atTime is " at" and the time, "" for none.
func atTime(t time.Time) string { return when(!t.IsZero(), " at "+stamp(t)) }

// stamp is a time as the case prints all of them, to the second.
func stamp(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05 -07:00") }

var backticks = pattern.Lazy("`+")

// codeSpan returns a text as a code span on one line, fenced by more backticks than it has in a
// row.
func codeSpan(s string) string {
	s = api.Clean(s).Line(0)
	if s == "" {
		return "(none)"
	}
	longest := 0
	for _, run := range backticks().FindAllString(s, -1) {
		longest = max(longest, len(run))
	}
	fence := strings.Repeat("`", longest+1)
	// A code span of spaces keeps them all; of another, the outermost space on either side is not
	// part of the text.
	spaced := strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") && strings.Trim(s, " ") != ""
	if spaced || strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}
