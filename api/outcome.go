package api

import "errors"

// writeOutcome maps the response to a POST that changes something:
//
//	no connection was made                           *Failure
//	2xx, isSuccess true, a value                     the envelope
//	2xx or 4xx, isSuccess false                      *Refusal
//	4xx without an envelope, not 408, 409, 425       *Refusal by a gateway
//	everything else                                  *Unresolved
//
// "Everything else" includes a 4xx whose body was cut off, and a 4xx with isSuccess true: half
// of it is wrong, and it cannot be known which half. A rejection that names what was made becomes
// unresolved too: see [envelope.contradicted].
func writeOutcome(a response, f *transportError) (envelope, error) {
	if f != nil {
		if !f.sent {
			return envelope{}, failure(a, f)
		}
		return envelope{}, &Unresolved{Kind: f.kind, HTTP: a.status, Detail: Clean(f.text)}
	}
	e := parseEnvelope(a, standardEnvelope)
	switch turned := notCarriedOut(a.status); {
	case a.ok() && e.verdict == succeeded:
		return e, nil
	case a.ok() && e.verdict == rejected, turned && e.verdict == rejected, turned && e.verdict == unusable:
		return e, e.refusal()
	case a.ok() && e.verdict == unusable:
		return e, &Unresolved{Kind: e.malformed.kind, HTTP: a.status, Detail: e.summary()}
	case a.ok():
		return e, e.unresolved("the response reports success but contains no value")
	case e.verdict == succeeded, e.verdict == noValue:
		return e, e.unresolved("the response reports success with a failing HTTP status")
	case e.verdict == rejected:
		return e, &Unresolved{Kind: KindService, HTTP: a.status, Detail: e.summary()}
	case a.redirect != "":
		return e, &Unresolved{Kind: KindRedirect, HTTP: a.status, Detail: Clean(a.redirect)}
	}
	return e, &Unresolved{Kind: KindHTTP, HTTP: a.status, Detail: e.summary()}
}

// contradicted is the error of a POST whose response has evidence that it was carried out: it names
// what it made, or says the word of success. A rejection with such evidence is not
// one: half of it is wrong, and it cannot be known which half.
func (e envelope) contradicted(err error, evidence string) error {
	refusal, is := errors.AsType[*Refusal](err)
	if evidence == "" || !is {
		return err
	}
	words := "the response reports a rejection, and " + evidence
	if !refusal.Text.Empty() {
		words += ": " + refusal.Text.Line(120)
	}
	return &Unresolved{Kind: KindSchema, HTTP: e.status, Detail: Clean(words)}
}

// named is contradicted by the reference or the alias that the response names, which stays with the
// error for whoever looks for what was made. One that tells a secret, or looks like a card number, is
// evidence too, and is not shown.
func (e envelope) named(err error, what, made string, tells bool) error {
	if tells || e.redactor.hide(made) != made {
		return e.contradicted(err, "names the "+what+" by what looks like card data or a key")
	}
	if made == "" {
		return err
	}
	err = e.contradicted(err, "names the "+what+" "+made)
	if u, is := errors.AsType[*Unresolved](err); is {
		u.Named = Clean(made)
	}
	return err
}

// unresolved is the error of a readable response that does not tell what was done.
func (e envelope) unresolved(words string) error {
	return &Unresolved{Kind: KindSchema, HTTP: e.status, Detail: Clean(words)}
}

// readOutcome maps the response to a request that changes nothing, a GET or channel validation: a
// *Refusal for a rejection (isSuccess false, or any 4xx), a *Failure without a usable response. A
// 5xx is a *Failure whatever its body reports: the service is in trouble.
func readOutcome(a response, f *transportError, format envelopeFormat) (envelope, error) {
	if f != nil {
		return envelope{}, failure(a, f)
	}
	e := parseEnvelope(a, format)
	switch {
	case a.status/100 == 4, a.ok() && e.verdict == rejected:
		return e, e.refusal()
	case a.ok() && e.verdict == succeeded:
		return e, nil
	case a.ok() && e.verdict == noValue:
		return e, &Refusal{Kind: KindService, HTTP: a.status, Code: e.code(),
			Text: Clean("nothing was found (the response reports success without a value)"), RetryAfter: a.retryAfter}
	}
	bad := &Failure{Kind: KindHTTP, HTTP: a.status, Detail: e.summary(), RetryAfter: a.retryAfter}
	switch {
	case a.ok():
		bad.Kind = e.malformed.kind
	case a.redirect != "":
		bad.Kind, bad.Detail = KindRedirect, Clean(a.redirect)
	case e.verdict == rejected:
		bad.Kind = KindService
	}
	return e, bad
}

// failure is the error of a transport failure that changed nothing.
func failure(a response, f *transportError) error {
	return &Failure{Kind: f.kind, HTTP: a.status, Detail: Clean(f.text), RetryAfter: a.retryAfter}
}

// refusal is the error of a rejection by the service or a gateway.
func (e envelope) refusal() error {
	r := &Refusal{Kind: KindHTTP, HTTP: e.status, Code: e.code(), RetryAfter: e.retryAfter}
	if e.verdict == rejected && e.isServices() {
		r.Kind = KindService
	}
	if r.Text, r.Failures = e.messages(); r.Text.Empty() {
		r.Text = e.summary()
	}
	return r
}

func (e envelope) code() Text { return e.top.field("responseCode").display() }
