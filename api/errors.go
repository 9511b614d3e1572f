package api

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Kind classifies how a call failed. The zero Kind is a call that was rejected locally, before
// anything was sent.
type Kind uint8

// The kinds of failure.
const (
	KindDNS Kind = iota + 1
	KindConnect
	KindTLS
	KindTimeout
	KindCancelled
	KindProtocol
	KindHTTP // an HTTP status without an envelope
	KindNotJSON
	KindTooLarge
	KindSchema  // JSON that does not match the specification
	KindService // the envelope reports an error
	KindRedirect
)

// The sentence of each kind.
var sentences = [...]string{
	0:             "This cannot be sent.",
	KindDNS:       "The host name could not be found.",
	KindConnect:   "The host could not be reached.",
	KindTLS:       "No secure connection could be made.",
	KindTimeout:   "The request timed out.",
	KindCancelled: "The request was cancelled.",
	KindProtocol:  "The response was cut off or was not valid HTTP.",
	KindHTTP:      "The server answered with something unexpected.",
	KindNotJSON:   "The server did not answer with JSON.",
	KindTooLarge:  "The response was too large.",
	KindSchema:    "The response does not match the specification.",
	KindService:   "The service reported an internal error.",
	KindRedirect:  "The server redirected the request, and no redirect is followed.",
}

// String is one sentence about the kind.
func (k Kind) String() string {
	if int(k) >= len(sentences) {
		k = 0
	}
	return sentences[k]
}

// A Refusal is a rejected request: nothing was done. It can be corrected and sent again.
type Refusal struct {
	Kind     Kind // KindService, or KindHTTP when a gateway answered
	HTTP     int
	Code     Text   // responseCode
	Text     Text   // the first useful text: failures, detail, error, message, title
	Failures []Text // all entries of failures
	// RetryAfter tells how long the response asks to wait; 0 when it does not say.
	RetryAfter time.Duration
}

// Error is one or two sentences.
func (e *Refusal) Error() string {
	who := "The service"
	if e.Kind == KindHTTP {
		who = "A gateway (or the service, without its usual envelope)"
	}
	words := who + " rejected the request"
	if e.HTTP != 0 && e.HTTP/100 != 2 {
		words += " (" + statusText(e.HTTP) + ")"
	}
	if e.Text.Empty() {
		words += " without giving a reason."
	} else {
		words += ": " + sentence(e.Text)
	}
	if KeyRejected(e) {
		words += " The key may have been rotated, or it belongs to the other environment (test or live)."
	}
	return words
}

// ErrUnresolved is in the chain of every error of a POST that may have been carried out. Such a
// request must never be sent again; check first what became of it.
var ErrUnresolved = errors.New("it is not known whether this was done")

// An Unresolved is the error of a POST whose outcome is not known.
type Unresolved struct {
	Kind   Kind
	HTTP   int  // the status of the response, 0 without one
	Detail Text // what the network or the response reports
	// Named is the reference or the alias in the response, where it has one: a hint for a person who
	// looks for what was made, and no proof.
	Named Text
}

// Error is a few sentences.
func (e *Unresolved) Error() string { return "It is not known whether this was done. " + e.Cause() }

// Cause is [Unresolved.Error] without the sentence about the outcome.
func (e *Unresolved) Cause() string {
	if e.Kind == KindService && e.HTTP/100 == 4 && !e.Detail.Empty() { // no error of its own: its words say why
		return "The service answered (" + statusText(e.HTTP) + "): " + sentence(e.Detail)
	}
	return e.Kind.String() + detail(e.HTTP, e.Detail)
}

// Is reports that every Unresolved is an [ErrUnresolved].
func (e *Unresolved) Is(target error) bool { return target == ErrUnresolved }

// A Failure is any other error: a POST that was never sent, or a read without a usable response.
// Nothing was changed, so the request can be repeated.
type Failure struct {
	Kind       Kind
	HTTP       int  // the status of the response, 0 without one
	Detail     Text // what the network or the response reports
	RetryAfter time.Duration
}

// Error is a few sentences.
func (e *Failure) Error() string { return e.Cause() + " Nothing was changed; it is safe to try again." }

// Cause is [Failure.Error] without the sentence about the outcome.
func (e *Failure) Cause() string { return e.Kind.String() + detail(e.HTTP, e.Detail) }

// detail is the second sentence of an error, with a leading space, or "".
func detail(status int, reported Text) string {
	switch {
	case reported.Empty() && status == 0:
		return ""
	case reported.Empty():
		return " The status was " + statusText(status) + "."
	case status == 0:
		return " Details: " + sentence(reported)
	}
	return " Details (" + statusText(status) + "): " + sentence(reported)
}

func statusText(status int) string { return "HTTP " + strconv.Itoa(status) }

// sentence is t on one line with a full stop.
func sentence(t Text) string {
	s := t.Line(200)
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
}

// notSent is the failure of a call that was rejected before anything was sent.
func notSent(words string) error { return &Failure{Detail: Clean(words)} }
