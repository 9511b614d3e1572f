package api

import (
	"errors"
	"strconv"
	"time"
)

// Kind says in which of eleven ways a call went wrong (R55). The zero Kind is a
// call that was refused here, before anything was sent.
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
	KindSchema  // JSON, but not what the specification says
	KindService // the envelope said no
)

// The fixed sentence of each kind.
var sentences = [...]string{
	0:             "This cannot be sent.",
	KindDNS:       "The name of the host could not be found.",
	KindConnect:   "The service could not be reached.",
	KindTLS:       "No connection that can be trusted could be made.",
	KindTimeout:   "No whole answer came in time.",
	KindCancelled: "The call was cancelled.",
	KindProtocol:  "The answer broke off, or did not keep to HTTP.",
	KindHTTP:      "The server answered, but not with what it was asked for.",
	KindNotJSON:   "The server did not answer with JSON.",
	KindTooLarge:  "The answer was too large.",
	KindSchema:    "The answer is not what the specification says.",
	KindService:   "The service reported an error of its own.",
}

// String is a fixed sentence about the kind.
func (k Kind) String() string {
	if int(k) >= len(sentences) {
		k = 0
	}
	return sentences[k]
}

// A Refusal is the service's no: nothing was done. Correct and send again.
type Refusal struct {
	Kind     Kind // KindService, or KindHTTP when a gateway answered
	HTTP     int
	Code     Text   // responseCode
	Text     Text   // the first useful text: failures, detail, error, message, title
	Failures []Text // every entry of failures (error body B of the facts page)
	// RetryAfter is how long the answer asked to wait; 0 when it did not.
	RetryAfter time.Duration
}

// Error is a plain sentence or two.
func (e *Refusal) Error() string {
	who := "The service"
	if e.Kind == KindHTTP {
		who = "A server on the way, or the service without its envelope,"
	}
	words := who + " said no"
	if e.HTTP/100 != 2 {
		words += withStatus(e.HTTP)
	}
	if e.Text.Empty() {
		words += " and gave no reason."
	} else {
		words += ": " + sentence(e.Text)
	}
	if e.HTTP == 401 {
		words += " The key may have been replaced, or a test key used for live, or a live key for test."
	}
	return words
}

// ErrUnresolved is in the chain of every error of a POST that may have been
// carried out. Never send again; look (R42).
var ErrUnresolved = errors.New("nobody knows whether this was done")

// An Unresolved error says what is known about a POST whose outcome is not.
type Unresolved struct {
	Kind   Kind
	HTTP   int  // the status of the answer, 0 when none came
	Detail Text // what the network or the answer said
}

// Error is a few plain sentences.
func (e *Unresolved) Error() string {
	return "Nobody knows whether this was done. " + e.Kind.String() + detail(e.HTTP, e.Detail)
}

// Is reports that every Unresolved is [ErrUnresolved].
func (e *Unresolved) Is(target error) bool { return target == ErrUnresolved }

// A Failure is anything else: a POST that was never sent, or a GET without a
// usable answer. Nothing was done; it may be asked again.
type Failure struct {
	Kind       Kind
	HTTP       int  // 0 when no answer came
	Detail     Text // what the network or the answer said
	RetryAfter time.Duration
}

// Error is a few plain sentences.
func (e *Failure) Error() string {
	return e.Kind.String() + detail(e.HTTP, e.Detail) + " Nothing was done; it may be asked again."
}

// detail is the second sentence of an error, with a blank in front.
func detail(status int, said Text) string {
	switch {
	case said.Empty() && status == 0:
		return ""
	case said.Empty():
		return " The answer came" + withStatus(status) + "."
	case status == 0:
		return " What is known: " + sentence(said)
	}
	return " The answer came" + withStatus(status) + ": " + sentence(said)
}

func withStatus(status int) string {
	if status == 0 {
		return ""
	}
	return " with HTTP " + strconv.Itoa(status)
}

// sentence is t on one line with a full stop.
func sentence(t Text) string {
	s := t.Line(200)
	if s == "" {
		return s
	}
	switch s[len(s)-1] {
	case '.', '!', '?':
		return s
	}
	return s + "."
}

// notSent is the failure of a call that was refused before it left.
func notSent(words string) error {
	return &Failure{Detail: Clean(words)}
}
