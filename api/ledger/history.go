package ledger

import (
	"slices"
	"strings"
	"time"

	"paydesk/api"
)

// An Event is one line of an attempt's timeline. Events are only ever added.
type Event struct {
	At     time.Time
	Until  time.Time // of an answer, which is one line however often it is given: when it was last; else zero
	Times  int       // an answer: how many times it was given in a row; else 1
	What   string    // "sent", an [Outcome], "status", "finalize sent", "finalize accepted", "customer done", "decided" …
	Detail string    // one cleaned line: the status word, the reason, the decision
	By     Operator
	Source string // "this console", "person", or the call that returned it: "initiate", "status", "authenticate"
}

// What an [Event] is, beside an [Outcome].
const (
	Decided      = "decided"       // Detail is what a person decided
	Reported     = "status"        // Detail is the status word
	Differed     = "mismatch"      // Detail is how the answer differs
	Agreed       = "answer agrees" // after one that differed
	AskedToCheck = "customer asked to authorise"
	Done         = "customer done"
	URLRefused   = "bank URL refused" // Detail is why it cannot be used
)

// The sources of events.
const (
	FromInitiation = string(Initiate)
	FromCheck      = "status"
	FromBankCheck  = "authenticate"
	FromLookup     = "look-up" // a check of a payment that no attempt made
	FromPerson     = "person"
	FromConsole    = "this console"
)

// sourceWords are the words for sources that are not a person.
var sourceWords = map[string]string{FromInitiation: "first answer", FromCheck: "check", FromBankCheck: "bank's check"}

// StatusEvent is that a status was reported.
func StatusEvent(s api.Status, source string, at time.Time) Event {
	return Event{At: at, Until: at, Times: 1, What: Reported, Detail: s.Text.Stored(), Source: source}
}

// Status is the status that an event reports; ok is false when it reports none.
func (e Event) Status() (s api.Status, ok bool) {
	switch {
	case e.What != Reported:
		return s, false
	case e.Source == FromInitiation:
		return api.ParseClaim(e.Detail), true
	}
	return api.ParseStatus(e.Detail), true
}

// TakesBack reports whether a decision was taken back, about the attempt or its mismatch.
func (e Event) TakesBack() bool {
	return e.What == Decided && (e.Detail == TakenBack || e.Detail == string(AskAgain))
}

// Repeats reports whether an event says what another of its kind says, from whichever source: nothing
// more is known after it.
func (e Event) Repeats(o Event) bool {
	a, status := e.Status()
	b, also := o.Status()
	if status && also && a.State != api.Unrecognised {
		return a.State == b.State
	}
	return status == also && e.What == o.What && e.Detail == o.Detail
}

// withEvent adds an event to a history, or extends the last one of its kind where it is an answer that says the same.
func withEvent(all []Event, e Event) []Event {
	if i := lastOf(all, e.What); i >= 0 && !e.Until.IsZero() && e.Repeats(all[i]) {
		all[i].Extend(e)
		return all
	}
	return append(all, e)
}

// Extend makes an event last until one that repeats it.
func (e *Event) Extend(by Event) {
	if by.Until.After(e.Until) {
		e.Until = by.Until
	}
	e.Times += max(by.Times, 1)
}

// lastOf is the index of the last event of a kind, -1 for none.
func lastOf(all []Event, what string) int {
	for i, e := range slices.Backward(all) {
		if e.What == what {
			return i
		}
	}
	return -1
}

// A Line is an event as every screen and file has it.
type Line struct {
	Event
	From       string // the source in words, or who did it
	AfterFinal bool   // a status after a final one that it contradicts
}

// Lines returns the history of a payment, or of another attempt, oldest first. A status that repeats
// the last one extends its line, and the acceptance of an initiation is left out, as the status in the
// same answer says it.
func Lines(events []Event) (all []Line) {
	var final api.State
	last := -1 // the index of the last status
	for _, e := range events {
		s, reported := e.Status()
		if reported && last >= 0 && e.Repeats(all[last].Event) {
			all[last].Extend(e)
			continue
		}
		l := Line{Event: e, From: e.from()}
		if reported {
			l.AfterFinal = final.Final() && s.State != final
			if !final.Final() {
				final = s.State
			}
			last = len(all)
		}
		all = append(all, l)
	}
	answered := slices.ContainsFunc(all, func(l Line) bool { return l.What == Reported && l.Source == FromInitiation })
	return slices.DeleteFunc(all, func(l Line) bool { return answered && l.What == string(Accepted) })
}

// from is the source of an event in words: who sent or decided it, else what was answered.
func (e Event) from() string {
	words, known := sourceWords[e.Source]
	switch {
	case known:
		return words
	case e.Source == FromPerson, e.Source == FromConsole && strings.HasSuffix(e.What, string(Sent)):
		if e.By != (Operator{}) {
			return e.By.String()
		}
	case strings.HasSuffix(e.What, string(Accepted)), strings.HasSuffix(e.What, string(Refused)), e.Source == string(CreateLink):
		return "answer"
	}
	if e.Source == FromConsole {
		return "paydesk" // which may be a colleague's
	}
	return e.Source
}

// A Change is that a status took the place of another: At is zero before that.
type Change struct {
	Was api.Status `json:"was,omitzero"`
	Is  api.Status `json:"is,omitzero"`
	At  time.Time  `json:"at,omitzero"`
}

// After is the last change once a status was reported at a time. A final status stays.
func (c Change) After(reported api.Status, at time.Time) Change {
	switch next := c.Is.Next(reported); {
	case c.Is == api.Status{}: // the first
		c.Is = next
	case next == c.Is || next.State == c.Is.State && next.State != api.Unrecognised: // perhaps in another spelling
	default:
		c = Change{Was: c.Is, Is: next, At: at}
	}
	return c
}
