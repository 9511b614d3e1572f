package present

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/ui"
)

// A Problem is an error worded for a person.
type Problem struct {
	What   string // what happened
	Done   string // says whether anything was sent or done; "" for a read
	Next   string // what to do now
	Detail string // the reason the service or the network gave, cleaned
	// Unresolved reports whether the outcome is unknown: not a failure, and not painted like one.
	Unresolved bool
	// AtFields reports whether the fields have all that is to be corrected: the problem ends when they are edited.
	AtFields bool
}

// IsZero reports whether there is no problem.
func (p Problem) IsZero() bool { return p == Problem{} }

// correct is what to do about a request that is rejected whenever it is sent.
const correct = "Correct it and try again."

// Rest is a rejection of which the fields that it names have the reasons, but for these. The fields say what to correct; anything else
// that is to be done stays.
func (p Problem) Rest(reasons []string) Problem {
	if p.Next == correct {
		p.Next = ""
	}
	p.Detail, p.AtFields = strings.Join(reasons, " "), p.Next == "" && len(reasons) == 0
	return p
}

// Lines wraps the problem to w cells. Detail stands behind a bar, so that text from outside is
// never read as ours.
func (p Problem) Lines(theme *ui.Theme, w int) []string {
	if p.IsZero() {
		return nil
	}
	style, mark := theme.Error, "! "
	if p.Unresolved {
		style, mark = theme.Plain, ""
	}
	var lines []string
	for _, l := range ui.Wrap(strings.TrimSpace(p.What+" "+p.Done), max(w-len(mark), 1)) {
		lines = append(lines, style.Render(mark+l))
		mark = strings.Repeat(" ", len(mark))
	}
	lines = append(lines, p.DetailLines(theme, w, 0)...)
	if p.Next != "" {
		lines = append(lines, ui.Wrap(p.Next, max(w, 1))...)
	}
	return lines
}

// DetailLines returns the detail alone, on at most that many lines of w cells; 0 for no limit.
func (p Problem) DetailLines(theme *ui.Theme, w, most int) []string {
	if p.Detail == "" {
		return nil
	}
	lines := ui.Wrap(p.Detail, max(w-2, 1))
	if most > 0 && len(lines) > most {
		lines = append(lines[:most-1], ui.Fit(lines[most-1]+"…", max(w-2, 1)))
	}
	for i, l := range lines {
		lines[i] = theme.Muted.Render("│ ") + l
	}
	return lines
}

// Below is Lines after an empty line, for below a form; nothing if there is no problem.
func (p Problem) Below(theme *ui.Theme, w int) []string {
	if p.IsZero() {
		return nil
	}
	return append([]string{""}, p.Lines(theme, w)...)
}

// Operation is the kind of call that failed: the same error calls for different words after a
// read and after a write.
type Operation uint8

// The operations.
const (
	Reading Operation = iota // changes nothing
	Sending                  // initiate, create link, finalize
)

// Error words an error of the client. After [Sending] it always says whether anything was done.
func Error(err error, op Operation) Problem {
	var refusal *api.Refusal
	var failure *api.Failure
	switch {
	case op == Sending && api.OutcomeOf(err) == api.OutcomeUnresolved:
		return unresolved(err)
	case errors.As(err, &refusal):
		return rejected(refusal, op)
	case errors.Is(err, api.ErrNotSent):
		return notSent(err, op)
	case errors.As(err, &failure):
		return failed(failure, op)
	}
	p := Problem{What: "Something went wrong.", Next: "Try again."}
	if err != nil {
		p.Detail = Plain(err.Error())
	}
	return p
}

// JournalUnread words an error of the journal after which what, such as "The links", is not shown.
func JournalUnread(what string, err error) Problem {
	if errors.Is(err, ledger.ErrNotFound) {
		return Problem{What: what + " is no longer in the journal.", Next: "Press esc to go back."}
	}
	return Problem{What: what + " could not be read from the journal.", Next: "Press r to retry.", Detail: Plain(err.Error())}
}

func unresolved(err error) Problem {
	p := Problem{
		What: "No usable response was received.", Done: "It is not known whether this went through.", Unresolved: true,
		Next: "Do not send it again. Check first whether it went through.",
	}
	var u *api.Unresolved
	switch {
	case errors.As(err, &u) && u.Kind == api.KindService && u.HTTP/100 == 4:
		p.What, p.Detail = "The service answered with HTTP "+strconv.Itoa(u.HTTP)+"; the request may have been carried out.", u.Detail.Line(0)
	case errors.As(err, &u):
		p.What, p.Detail = "No usable response: "+cause(u.Kind, u.HTTP)+".", u.Detail.Line(0)
	case errors.Is(err, ui.ErrPanicked):
		p.What = "paydesk hit an internal error while sending."
	}
	return p
}

// notSent words what paydesk itself stopped: a possible duplicate, an attempt that could not be
// recorded, or one that the gate does not allow.
func notSent(err error, op Operation) Problem {
	var duplicate *ledger.Duplicate
	var unavailable *ledger.Unavailable
	var closed *session.GateClosed
	var conflict *ledger.FinalizeConflict
	p := Problem{What: Sentence(err.Error()), Next: "Try again."}
	switch {
	case errors.Is(err, journal.ErrLoss):
		p = Problem{What: Sentence(err.Error()), Next: "Press " + LockKey + " to acknowledge it."}
	case errors.As(err, &unavailable):
		p = Problem{What: Sentence(unavailable.Why), Next: "Fix that and try again."}
	case errors.As(err, &closed):
		p = Problem{What: Plain(closed.Error()), Next: gateHints[closed.Reason]}
	case errors.As(err, &conflict):
		p = Problem{What: Conflict(conflict), Next: "Check the payment's status."}
	case errors.As(err, &duplicate):
		p = Problem{What: "This looks like a duplicate.", Next: "Check first what was sent earlier."}
	}
	if op == Sending {
		p.Done = "Nothing was sent."
	}
	return p
}

// Conflict words which finalize stands against another.
func Conflict(c *ledger.FinalizeConflict) string {
	a := c.Other
	switch {
	case a.Mismatch.Undecided():
		return MismatchFirst
	case a.Mismatch.InDoubt():
		return a.WhyNot(ledger.ToFinalize, time.Time{})
	}
	by := "Attempt " + a.ID.Short() + ", sent by " + Operator(a.By) + " at " + DateTime(a.At) + ", "
	switch {
	case a.Outcome == ledger.Sent:
		return by + "is finalizing this payment now."
	case a.Outcome == ledger.Accepted:
		return by + "has finalized this payment already."
	case a.Decision == ledger.Found:
		return by + "was recorded as finalized, by " + Operator(a.DecidedBy) + "."
	}
	return by + "may have finalized this payment: its answer was lost. You may finalize it again a minute after that."
}

// SendLimit limits how long to wait for the response to a write: a shorter limit would leave more
// outcomes unknown. SendingNote is shown meanwhile, below the wait.
const SendLimit = 90 * time.Second

// SendingNote says why no key stops a write.
const SendingNote = "The request is sent only once. No key stops it: it may have arrived already."

// LockKey opens the screen for whatever has closed the gate, from every screen of the console.
const LockKey = "ctrl+l"

// gateHints say what a person can do about a closed gate.
var gateHints = map[session.GateReason]string{
	session.Suspended:     "Unlock paydesk first.",
	session.Contradictory: "Press " + LockKey + " to see why.",
	session.KeyUnknown:    "Press " + LockKey + " to say which.",
	session.Locked:        "Press " + LockKey + " to unlock it.",
	session.CardDoubted:   "Use a published test card, or confirm the number in the review.",
	session.CardsDisabled: "Create a payment link instead: the customer enters the card there.",
}

// failed words a read without a usable response, or a write that was never sent.
func failed(f *api.Failure, op Operation) Problem {
	p := Problem{What: Sentence(cause(f.Kind, f.HTTP)), Next: "Try again.", Detail: f.Detail.Line(0)}
	if f.RetryAfter > 0 {
		p.Next = retryAfter(f.RetryAfter)
	}
	if op == Sending {
		p.Done, p.Next = "Nothing was sent.", "You can send it again."
	}
	if f.Kind == api.KindRedirect {
		p.Next = "No redirect is followed: the key goes only to the profile's addresses. Check base_url and list_url in the configuration."
	}
	if f.Kind == 0 { // refused before sending: a retry without a change fails too
		p.Next = correct
	}
	return p
}

// NoRecord describes a payment that the service does not know.
const NoRecord = "The service has no record of it."

// KeyRejected describes a rejected key, on the screen that met it or else on the console's.
const KeyRejected = "The service rejected the key"

func rejected(r *api.Refusal, op Operation) Problem {
	p := Problem{What: "The service rejected the request.", Next: correct, Detail: reasons(r)}
	if r.Kind == api.KindHTTP {
		p.What = "The request was rejected with HTTP " + strconv.Itoa(r.HTTP) + ", by a gateway or by the service without its usual answer."
		p.Next = "Check the request and the addresses of the profile, then try again."
	}
	if op == Sending {
		p.Done = "Nothing was done."
	}
	switch _, tooMany := api.Backoff(r); {
	case api.KeyRejected(r):
		p.What = KeyRejected + "."
		p.Next = "Check the secret key: it may have been replaced, or belong to the other environment."
	case tooMany:
		p.What, p.Next = "The service received too many requests.", retryAfter(r.RetryAfter)
	case api.Temporary(r):
		p.Next = retryAfter(r.RetryAfter)
	case api.NotFound(r):
		p.What = NoRecord
		p.Next = "Check the request and the environment."
	}
	return p
}

func retryAfter(d time.Duration) string {
	wait := cmp.Or(Lasted(d), "a moment")
	if d >= api.LongestRetryAfter {
		wait += " or longer"
	}
	return "Wait " + wait + ", then try again."
}

// Reasons are the reasons of a refusal, each on one line.
func Reasons(r *api.Refusal) []string {
	if len(r.Failures) == 0 {
		return []string{r.Text.Line(0)}
	}
	return api.Lines(r.Failures)
}

// reasons joins every reason of a refusal and its code.
func reasons(r *api.Refusal) string {
	all := strings.Join(Reasons(r), " ")
	if !r.Code.Empty() {
		all = strings.TrimSpace(all + " (code " + r.Code.Line(20) + ")")
	}
	return all
}

// Setback words a try that failed and is repeated.
func Setback(r api.Retry) ui.Setback {
	why := cause(r.Failure.Kind, r.Failure.HTTP)
	if d := r.Failure.Detail.Line(0); d != "" {
		why += ": " + d
	}
	return ui.Setback{Why: Sentence(why), Again: r.In, Try: r.Try, Of: r.Of}
}

// cause is the sentence of a kind of failure as a clause, with the HTTP status where that says more.
func cause(k api.Kind, http int) string {
	switch {
	case k == api.KindHTTP && http == 429:
		return "the service received too many requests"
	case k == api.KindHTTP:
		return "the response was HTTP " + strconv.Itoa(http) + " with no explanation"
	case k == api.KindRedirect:
		return "the service redirected the request (HTTP " + strconv.Itoa(http) + ")"
	}
	words := k.String()
	return strings.ToLower(words[:1]) + strings.TrimSuffix(words[1:], ".")
}
