package present

import (
	"errors"
	"strings"

	"paydesk/api"
	"paydesk/api/gate"
	"paydesk/api/journal"
	"paydesk/ui"
)

// A Problem is an error in words: what happened, whether anything was done, and
// what comes next. Detail is what the service or the network said, cleaned.
type Problem struct {
	What   string
	Done   string
	Next   string
	Detail string
	Lost   bool // nobody knows whether it was done: no failure, and not painted like one
}

// IsZero reports whether there is no trouble.
func (t Problem) IsZero() bool { return t == Problem{} }

// Lines is the trouble on lines of at most w cells, the words of others behind a bar (R8).
func (t Problem) Lines(theme *ui.Theme, w int) []string {
	if t.IsZero() {
		return nil
	}
	style, mark := theme.Error, "! "
	if t.Lost {
		style, mark = theme.Plain, ""
	}
	var lines []string
	for _, l := range ui.Wrap(strings.TrimSpace(t.What+" "+t.Done), max(w-len(mark), 1)) {
		lines = append(lines, style.Render(mark+l))
		mark = strings.Repeat(" ", len(mark))
	}
	if t.Detail != "" {
		for _, l := range ui.Wrap(t.Detail, max(w-2, 1)) {
			lines = append(lines, theme.Muted.Render("│ ")+l)
		}
	}
	if t.Next != "" {
		lines = append(lines, ui.Wrap(t.Next, max(w, 1))...)
	}
	return lines
}

// Operation says what kind of call failed, since the same error means other things
// for other calls.
type Operation uint8

// The acts.
const (
	Reading Operation = iota // a question: nothing is changed by it
	Sending                  // initiate, create link, finalize
)

// Error words an error of the client. Whether anything was done is always said of
// [Sending].
func Error(err error, act Operation) Problem {
	var no *api.Refusal
	var f *api.Failure
	switch {
	case act == Sending && api.OutcomeOf(err) == api.OutcomeUnresolved:
		return lost(err)
	case errors.As(err, &no):
		return refusal(no, act)
	case errors.Is(err, api.ErrNotSent):
		return unsent(err, act)
	case errors.As(err, &f):
		return failure(f, act)
	}
	t := Problem{What: "It did not work.", Next: "Try again."}
	if err != nil {
		t.Detail = api.Clean(err.Error()).Line(0)
	}
	return t
}

func lost(err error) Problem {
	t := Problem{
		What: "No usable answer came.", Done: "Nobody knows whether this was done.", Lost: true,
		Next: "Do not send it again. Look for it first.",
	}
	var u *api.Unresolved
	switch {
	case errors.As(err, &u):
		t.What, t.Detail = "No usable answer came: "+kind(u.Kind, u.HTTP)+".", u.Detail.Line(0)
	case errors.Is(err, ui.ErrBroken):
		t.What = "paydesk hit an error of its own while sending."
	}
	return t
}

// unsent is what the console stopped: what looks like a payment that was sent already, what
// could not be written down, or what the gate is closed against.
func unsent(err error, act Operation) Problem {
	var like *journal.Duplicate
	var blocked *journal.Unavailable
	var closed *gate.Closed
	t := Problem{What: Sentence(api.Clean(err.Error()).Line(0)), Next: "Try again."}
	switch {
	case errors.As(err, &blocked):
		t = Problem{What: Sentence(api.Clean(blocked.Why).Line(0)), Next: "Try again once that is mended."}
	case errors.As(err, &closed):
		t = Problem{What: Plain(closed.Error()), Next: wayOn(closed.Reason)}
	case errors.As(err, &like):
		t = Problem{What: "This looks like a payment that was sent already.", Next: "Look at that one first."}
	}
	if act == Sending {
		t.Done = "Nothing was sent."
	}
	return t
}

// LockKey leads to what stops sending, on every screen of the console.
const LockKey = "ctrl+l"

// wayOn is how a person gets on where the gate is closed.
func wayOn(r gate.Reason) string {
	switch r {
	case gate.Suspended:
		return "Open it again."
	case gate.Contradictory:
		return "See what disagrees (" + LockKey + ")."
	case gate.Locked:
		return "Unlock it (" + LockKey + ")."
	case gate.CardsDisabled:
		return "Make a payment link: the customer types the card there."
	}
	return ""
}

// failure is a question without an answer, or something that was never sent.
func failure(f *api.Failure, act Operation) Problem {
	t := Problem{What: Sentence(kind(f.Kind, f.HTTP)), Next: "Try again.", Detail: f.Detail.Line(0)}
	if f.RetryAfter > 0 {
		t.Next = "Wait " + Age(f.RetryAfter) + ", then try again."
	}
	if act == Sending {
		t.Done, t.Next = "Nothing was sent.", "You can send it again."
	}
	if f.Kind == 0 { // it was refused here, and will be again as it is
		t.Next = "Correct it and try again."
	}
	return t
}

func refusal(no *api.Refusal, act Operation) Problem {
	t := Problem{What: "The service said no.", Next: "Correct it and try again.", Detail: said(no)}
	if act == Sending {
		t.Done = "Nothing was done."
	}
	switch _, tooMany := api.Backoff(no); {
	case api.KeyRejected(no):
		t.Next = "Check the secret key: it may have been reset, or belong to the other environment."
	case api.Temporary(no) && !tooMany:
		t.Next = "Wait a moment, then try again."
	case api.NotFound(no):
		t.What = "The service does not know it."
		t.Next = "Check what was asked for, and the environment."
	case tooMany:
		t.What = "The service asks for fewer questions."
		t.Next = "Wait a little."
		if no.RetryAfter > 0 {
			t.Next = "Wait " + Age(no.RetryAfter) + "."
		}
	}
	return t
}

// said is all that a refusal gives as its reasons, with its code.
func said(no *api.Refusal) string {
	reasons := no.Failures
	if len(reasons) == 0 {
		reasons = []api.Text{no.Text}
	}
	var words []string
	for _, r := range reasons {
		words = append(words, r.Line(0))
	}
	all := strings.Join(words, " ")
	if !no.Code.Empty() {
		all = strings.TrimSpace(all + " (code " + no.Code.Line(20) + ")")
	}
	return all
}

// kind is the fixed words for a kind of failure (R55).
func kind(k api.Kind, http int) string {
	switch k {
	case 0:
		return "this cannot be sent as it is"
	case api.KindDNS:
		return "the host's name could not be found"
	case api.KindConnect:
		return "the host could not be reached"
	case api.KindTLS:
		return "the host's certificate could not be trusted"
	case api.KindTimeout:
		return "no answer came in time"
	case api.KindCancelled:
		return "the waiting was ended"
	case api.KindProtocol:
		return "the connection broke"
	case api.KindHTTP:
		return "the answer was HTTP " + itoa(http) + " without a reason"
	case api.KindNotJSON:
		return "the server did not answer with JSON"
	case api.KindTooLarge:
		return "the answer was too large to be true"
	case api.KindSchema:
		return "the answer was not as the specification says"
	case api.KindService:
		return "the service reported a failure"
	}
	return "something went wrong"
}
