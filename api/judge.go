package api

import (
	"errors"
	"net/url"
	"time"
)

// An Outcome says what became of a POST, as far as that is known. [OutcomeOf] derives it from the error; it
// is the one place that answers "was it done, and may it be sent again?".
type Outcome string

// The outcomes. What is none of the others is [OutcomeUnresolved], so that nothing is sent twice
// by mistake.
const (
	OutcomeUnresolved Outcome = "unresolved" // it may have been carried out; never send it again
	OutcomeNotSent    Outcome = "not sent"   // nothing left, or nothing was changed; send it freely
	OutcomeRefused    Outcome = "refused"    // the service rejected it; correct it and send it again
	OutcomeAccepted   Outcome = "accepted"   // it was carried out
)

// ErrNotSent is in the chain of every error that stopped a request before it left: those of the
// gate, the journal and the check for duplicates.
var ErrNotSent = errors.New("nothing was sent")

// OutcomeOf derives the outcome of a call from its error. Doubt wins: an error with [ErrUnresolved]
// in its chain is unresolved, whatever else is in the chain, and so is an error of unknown type,
// such as a panic or an expired context.
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

// KeyRejected reports whether the service rejected the key (HTTP 401 or 403). A response that was
// cut off is no refusal, whatever its status line.
func KeyRejected(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && (r.HTTP == 401 || r.HTTP == 403)
}

// Temporary reports a refusal that depends on the moment (HTTP 408, 409, 425, 429): the same
// request may be accepted later.
func Temporary(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && (mayHaveArrived(r.HTTP) || r.HTTP == 429)
}

// Definite reports a refusal of the request itself, neither of the key nor of the moment. For a
// read it means that the service has nothing to report: HTTP 404, a rejection, or a success without
// a value. A gateway that answers in its place, as during a deployment, does not know that.
func Definite(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && r.Kind != KindHTTP && !KeyRejected(err) && !Temporary(err)
}

// NotFound reports a definite refusal with HTTP 404.
func NotFound(err error) bool {
	var r *Refusal
	return Definite(err) && errors.As(err, &r) && r.HTTP == 404
}

// Backoff returns how long the response asks to wait, 0 when it does not say, and whether it
// rejected the request as one too many (HTTP 429).
func Backoff(err error) (wait time.Duration, tooMany bool) {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r.RetryAfter, r.HTTP == 429
	}
	if f, ok := errors.AsType[*Failure](err); ok {
		return f.RetryAfter, f.HTTP == 429
	}
	return 0, false
}

// notCarriedOut reports whether a status is a 4xx that means a POST was not carried out.
func notCarriedOut(status int) bool { return status/100 == 4 && !mayHaveArrived(status) }

// mayHaveArrived reports whether a status is a 4xx that may follow a request that was carried out.
func mayHaveArrived(status int) bool { return status == 408 || status == 409 || status == 425 }

// redirectWords say where a response from one of the configured origins redirects to, and which setting
// of the profile names that origin. A path is not repeated: it may hold what was typed.
func (c *Client) redirectWords(origin *url.URL, location string) string {
	setting := "base_url"
	if origin == c.list {
		setting = "list_url"
	}
	to, err := origin.Parse(location)
	switch {
	case location == "":
		return setting + " redirects without saying where to"
	case err != nil || to.Host == "":
		return setting + " redirects to something that is not a web address"
	case to.Scheme == origin.Scheme && to.Host == origin.Host:
		return setting + " redirects to another path of the same host"
	}
	return setting + " redirects to " + redactor{key: c.config.Key.Expose(), sent: &c.sent}.hide(to.Scheme+"://"+to.Host)
}
