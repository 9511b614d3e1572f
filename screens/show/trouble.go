package show

import (
	"errors"

	"paydesk/api"
	"paydesk/ui"
)

// A Trouble is an error in words: what happened, whether anything was done, and
// what comes next. Detail is what the service or the network said, cleaned.
type Trouble struct {
	What   string
	Done   string
	Next   string
	Detail string
}

// Act says what kind of call failed, since the same error means other things
// for other calls.
type Act uint8

// The acts.
const (
	Reading Act = iota // a question: nothing is changed by it
	Sending            // initiate, create link, finalize
)

// Lost reports whether nobody knows what became of something that was sent: no
// usable answer came, or the console itself failed while it waited.
func Lost(err error) bool { return errors.Is(err, api.ErrUnresolved) || errors.Is(err, ui.ErrBroken) }

// Error words an error of the client.
func Error(err error, act Act) Trouble {
	var no *api.Refusal
	if errors.As(err, &no) {
		return refusal(no, act)
	}
	var lost *api.Unresolved
	if errors.As(err, &lost) {
		return Trouble{
			What: "No usable answer came: " + kind(lost.Kind, lost.HTTP) + ".",
			Done: "Nobody knows whether this was done.",
			Next: "Do not send it again. Look for it first.", Detail: lost.Detail.Line(0),
		}
	}
	if act == Sending && errors.Is(err, ui.ErrBroken) {
		return Trouble{
			What: "The console itself failed while sending.", Done: "Nobody knows whether this was done.",
			Next: "Do not send it again. Look for it first.",
		}
	}
	t := Trouble{What: "It did not work.", Next: "Try again."}
	var f *api.Failure
	if errors.As(err, &f) {
		t.What, t.Detail = sentence(kind(f.Kind, f.HTTP)), f.Detail.Line(0)
	} else if err != nil {
		t.Detail = api.Clean(err.Error()).Line(0)
	}
	if act == Sending {
		t.Done, t.Next = "Nothing was sent.", "You can send it again."
	}
	return t
}

func refusal(no *api.Refusal, act Act) Trouble {
	t := Trouble{What: "The service said no.", Next: "Correct it and try again.", Detail: no.Text.Line(0)}
	if act == Sending {
		t.Done = "Nothing was done."
	}
	switch no.HTTP {
	case 401, 403:
		t.Next = "Check the secret key: it may have been reset, or belong to the other environment."
	case 404:
		t.What = "The service does not know it."
		t.Next = "Check what was asked for, and the environment."
	case 429:
		t.What = "The service asks for fewer questions."
		t.Next = "Wait a little."
	}
	if !no.Code.Empty() {
		t.Detail += " (code " + no.Code.Line(20) + ")"
	}
	return t
}

// kind is the fixed words for a kind of failure (R55).
func kind(k api.Kind, http int) string {
	switch k {
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
