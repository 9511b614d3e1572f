package api

import (
	"mime"
	"strconv"
	"strings"
)

// A verdict says how a request went, by its response.
type verdict uint8

const (
	unusable  verdict = iota // there is no valid envelope
	succeeded                // success, with a value
	rejected                 // failure: nothing was done
	noValue                  // success, without a value
)

// An envelope is a parsed response (2.1).
type envelope struct {
	response
	top       *value // the whole document; absent when it is not a JSON object
	payload   *value // the part that the operation reads
	verdict   verdict
	malformed *malformed // why the response is unusable; nil when it is usable
}

// An envelopeFormat finds the payload and the verdict of a document. ok says that the
// HTTP status is a 2xx.
type envelopeFormat func(top *value, ok bool) (*value, verdict, *malformed)

// parseEnvelope parses a response, tolerating every observed deviation from the specification.
func parseEnvelope(a response, format envelopeFormat) envelope {
	e := envelope{response: a}
	switch {
	case a.encoded:
		e.malformed = &malformed{KindProtocol, "the response uses a content encoding that was not requested"}
	case a.tooLarge:
		e.malformed = &malformed{KindTooLarge, "the response exceeds the size limit"}
	case len(a.body) == 0:
		e.malformed = &malformed{KindNotJSON, "the response is empty"}
	case !isJSON(a.mediaType):
		e.malformed = &malformed{KindNotJSON, a.excerpt()}
	}
	if e.malformed != nil {
		return e
	}
	top, err := readStrict(a.body, a.redactor)
	if err != nil {
		e.malformed = err.(*malformed)
		return e
	}
	if top.kind() != '{' {
		e.malformed = &malformed{KindSchema, "the response is not a JSON object"}
		return e
	}
	e.top = top
	e.payload, e.verdict, e.malformed = format(top, a.ok())
	return e
}

// standardEnvelope reads the envelope of every operation except the list (2.1, 7). isSuccess must
// be a boolean. Gateways and the service itself also send bare problem documents, so where
// isSuccess is missing, a 2xx with a value is a success and anything but a 2xx a rejection.
func standardEnvelope(top *value, ok bool) (*value, verdict, *malformed) {
	payload := top.field("value")
	switch success := top.field("isSuccess"); {
	case success.kind() == 'f':
		return payload, rejected, nil
	case success.kind() == 0 && !ok:
		return payload, rejected, nil
	case success.kind() == 0 && payload.kind() != '{':
		return payload, unusable, &malformed{KindSchema, "the response does not say whether it succeeded"}
	case success.kind() != 't' && success.kind() != 0:
		return payload, unusable, &malformed{KindSchema, "isSuccess is neither true nor false"}
	case saysError(top.field("error")):
		return payload, unusable, contradiction(top, "an error")
	case !isSuccessCode(top.field("responseCode")):
		return payload, unusable, contradiction(top, "the code "+top.field("responseCode").displayASCII().Line(40))
	case payload.null():
		return payload, noValue, nil
	case payload.kind() != '{':
		return payload, unusable, &malformed{KindSchema, "value is not an object"}
	}
	return payload, succeeded, nil
}

// saysError reports whether the error of an envelope says anything. On success it is null or empty (2.1): one with words
// contradicts that, and which half is right cannot be known.
func saysError(v *value) bool {
	if s, is := v.text(); is {
		return trimSpace(s) != ""
	}
	return !v.null() && v.kind() != 'f'
}

// isSuccessCode reports whether a responseCode says success (section 7) or is absent. The specification lists no other.
func isSuccessCode(code *value) bool {
	s := trimSpace(code.plain())
	return s == "" || s == "00"
}

// contradiction is a response that reports success and a failure. Its words say more than which half is right, which cannot
// be known.
func contradiction(top *value, failure string) *malformed {
	said, _ := envelope{top: top}.messages()
	if own := top.field("value").field("message").display(); !own.Empty() {
		said = own
	}
	words := "the response reports both success and " + failure
	for _, more := range []Text{top.field("value").field("status").displayASCII(), said} {
		if !more.Empty() && !strings.HasSuffix(words, more.Line(120)) {
			words += ": " + more.Line(120)
		}
	}
	return &malformed{KindSchema, words}
}

// listEnvelope reads the envelope of the list (2.13), whose status is a boolean.
func listEnvelope(top *value, ok bool) (*value, verdict, *malformed) {
	data := top.field("data")
	switch status := top.field("status"); {
	case status.kind() == 'f', top.field("isSuccess").kind() == 'f':
		return data, rejected, nil
	case !ok && status.kind() != 't':
		return data, rejected, nil
	case status.kind() != 't' && status.kind() != 0:
		return data, unusable, &malformed{KindSchema, "status is neither true nor false"}
	case data.kind() != '[':
		return data, unusable, &malformed{KindSchema, "data is not a list"}
	}
	return data, succeeded, nil
}

// isServices reports whether a rejection has a form of the service's: its verdict, or the bare problem document that it was
// seen to send (2.1). A gateway answers with JSON too, and does not know what the service has.
func (e envelope) isServices() bool {
	says := !firstText(e.top.field("title"), e.top.field("detail")).Empty() || e.top.field("failures").kind() == '['
	status := e.top.field("status")
	return e.top.field("isSuccess").kind() == 'f' || status.kind() == 'f' || says && status.plain() == strconv.Itoa(e.status)
}

// messages returns the first useful text of an envelope, and all of its failures.
func (e envelope) messages() (first Text, failures []Text) {
	list := e.top.field("failures")
	for _, f := range list.items() {
		if t := f.display().prose(); !t.Empty() {
			failures = append(failures, t)
		}
	}
	if s, ok := list.text(); ok && s != "" {
		failures = append(failures, list.display().prose())
	}
	if len(failures) > 0 {
		return failures[0], failures
	}
	for _, name := range [...]string{"detail", "error", "message", "title"} {
		if t := e.top.field(name).display().prose(); !t.Empty() {
			return t, nil
		}
	}
	return Text{}, nil
}

// summary is the useful text of a response that may not be an envelope: its message, why it is
// unusable, or the beginning of its body.
func (e envelope) summary() Text {
	if e.malformed == nil {
		t, _ := e.messages()
		return t
	}
	return Clean(e.redactor.hide(e.malformed.text)).prose()
}

// isJSON reports whether a media type is application/json or ends in +json.
func isJSON(media string) bool {
	t, _, err := mime.ParseMediaType(media)
	return err == nil && (t == "application/json" || strings.HasPrefix(t, "application/") && strings.HasSuffix(t, "+json"))
}

// excerpt is the beginning of a response that is not JSON. Markup in it stays text: nothing renders
// it.
func (a response) excerpt() string {
	return firstBytes(a.redactor.hide(string(a.body)), excerptSize) // only then, since the cut may split a number
}
