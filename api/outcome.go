package api

// The outcome of a call (reliability, section 6). What a POST that moves money may
// have done decides which error it ends in, and that decides what may be done
// next.

// writeOutcome is the outcome of a POST that moves money or makes a link:
//
//	no connection was had                            *Failure
//	2xx, isSuccess true, a value                     the envelope
//	2xx or 4xx, isSuccess false                      *Refusal
//	4xx without an envelope, not 408, 409, 425       *Refusal by a gateway
//	everything else                                  *Unresolved
//
// A 4xx whose body was cut short is everything else, and so is a 4xx that says
// isSuccess true: one half of it is wrong, and nobody can say which.
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
		return e, e.unresolved("it says yes, without a value")
	case e.verdict == succeeded, e.verdict == noValue:
		return e, e.unresolved("it says yes, with a status that says no")
	case e.verdict == rejected:
		return e, &Unresolved{Kind: KindService, HTTP: a.status, Detail: e.summary()}
	}
	return e, &Unresolved{Kind: KindHTTP, HTTP: a.status, Detail: e.summary()}
}

// unresolved is a readable answer that does not say what was done.
func (e envelope) unresolved(words string) error {
	return &Unresolved{Kind: KindSchema, HTTP: e.status, Detail: Clean(words)}
}

// readOutcome is the outcome of a call that moves nothing, a GET or channel validation: a
// *Refusal for a no (isSuccess false, or any 4xx), a *Failure for no usable answer.
// A 5xx is a *Failure whatever its body says: the service is in trouble.
func readOutcome(a response, f *transportError, by envelopeFormat) (envelope, error) {
	if f != nil {
		return envelope{}, failure(a, f)
	}
	e := parseEnvelope(a, by)
	switch {
	case a.status/100 == 4, a.ok() && e.verdict == rejected:
		return e, e.refusal()
	case a.ok() && e.verdict == succeeded:
		return e, nil
	case a.ok() && e.verdict == noValue:
		return e, &Refusal{Kind: KindService, HTTP: a.status, Code: e.code(),
			Text: Clean("nothing was found (the answer is a success without a value)"), RetryAfter: a.retryAfter}
	}
	bad := &Failure{Kind: KindHTTP, HTTP: a.status, Detail: e.summary(), RetryAfter: a.retryAfter}
	switch {
	case a.ok():
		bad.Kind = e.malformed.kind
	case e.verdict == rejected:
		bad.Kind = KindService
	}
	return e, bad
}

// failure is a fault that did nothing.
func failure(a response, f *transportError) error {
	return &Failure{Kind: f.kind, HTTP: a.status, Detail: Clean(f.text), RetryAfter: a.retryAfter}
}

// refusal is the service's no, or a gateway's.
func (e envelope) refusal() error {
	r := &Refusal{Kind: KindHTTP, HTTP: e.status, Code: e.code(), RetryAfter: e.retryAfter}
	if e.verdict == rejected {
		r.Kind = KindService
	}
	if r.Text, r.Failures = e.messages(); r.Text.Empty() {
		r.Text = e.summary()
	}
	return r
}

// code is the responseCode.
func (e envelope) code() Text { return e.top.field("responseCode").display() }
