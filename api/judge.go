package api

import (
	"errors"
	"time"
)

// An Outcome is what is known about a POST once it ended: what the error it ended in says
// was done. Everything that asks "was it done, may it be sent again?" asks [OutcomeOf].
type Outcome string

// The outcomes of reliability, section 6. Whatever is none of the others is
// [OutcomeUnresolved], so that nothing is sent twice by mistake.
const (
	OutcomeUnresolved Outcome = "unresolved" // it may have been carried out; never send it again
	OutcomeNotSent    Outcome = "not sent"   // nothing left, or nothing was changed; send it freely
	OutcomeRefused    Outcome = "refused"    // the service said no; correct it and send it again
	OutcomeAccepted   Outcome = "accepted"   // it was carried out
)

// ErrNotSent is in the chain of every error of something that stopped a request before it
// left: the gate, the journal, the guard against duplicates.
var ErrNotSent = errors.New("nothing was sent")

// OutcomeOf says what a call's error means. Doubt wins: an error with [ErrUnresolved] in its
// chain is unresolved, whatever else is in it, and so is one of no known kind, such as a
// panic or a context that ended.
func OutcomeOf(err error) Outcome {
	var refusal *Refusal
	var failure *Failure
	switch {
	case err == nil:
		return OutcomeAccepted
	case errors.Is(err, ErrUnresolved):
		return OutcomeUnresolved
	case errors.As(err, &refusal):
		return OutcomeRefused
	case errors.As(err, &failure), errors.Is(err, ErrNotSent):
		return OutcomeNotSent
	}
	return OutcomeUnresolved
}

// KeyRejected reports a refusal of the key (HTTP 401 or 403) and not of what was requested.
// An answer that was cut short is no refusal, whatever its status line says.
func KeyRejected(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && (r.HTTP == 401 || r.HTTP == 403)
}

// Temporary reports a refusal that is about the moment (HTTP 408, 409, 425, 429): the same
// request may be accepted later.
func Temporary(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && (mayHaveArrived(r.HTTP) || r.HTTP == 429)
}

// Definite reports a refusal of exactly what was requested, neither of the key nor of the
// moment. Of a read it means that the service has nothing to report: HTTP 404, a plain no, or
// a success without a value (facts page).
func Definite(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && !KeyRejected(err) && !Temporary(err)
}

// NotFound reports a refusal by HTTP 404.
func NotFound(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && r.HTTP == 404
}

// Backoff says how long an answer asked to wait, 0 when it did not, and whether it was a
// refusal of too many requests (HTTP 429).
func Backoff(err error) (wait time.Duration, tooMany bool) {
	var r *Refusal
	var f *Failure
	switch {
	case errors.As(err, &r):
		return r.RetryAfter, r.HTTP == 429
	case errors.As(err, &f):
		return f.RetryAfter, f.HTTP == 429
	}
	return 0, false
}

// notCarriedOut reports a 4xx that means a POST was not carried out.
func notCarriedOut(status int) bool { return status/100 == 4 && !mayHaveArrived(status) }

// mayHaveArrived reports the 4xx that leave open whether a request was carried out before.
func mayHaveArrived(status int) bool { return status == 408 || status == 409 || status == 425 }
