package api

import (
	"errors"
	"time"
)

// Kind says in which of eleven ways a call went wrong (R55).
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

func (e *Refusal) Error() string { return "the service said no: " + e.Text.Line(200) }

// ErrUnresolved is in the chain of every error of a POST that may have been
// carried out. Never send again; look (R42).
var ErrUnresolved = errors.New("nobody knows whether this was done")

// An Unresolved error says what is known about a POST whose outcome is not.
type Unresolved struct {
	Kind   Kind
	HTTP   int  // the status of the answer, 0 when none came
	Detail Text // what the network or the answer said
}

func (e *Unresolved) Error() string { return ErrUnresolved.Error() }

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

func (e *Failure) Error() string { return "nothing was sent" }
