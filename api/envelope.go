package api

import (
	"mime"
	"strings"
	"unicode/utf8"

	"paydesk/api/card"
)

// A verdict is what an answer says of the request.
type verdict uint8

const (
	unusable  verdict = iota // there is no envelope to believe
	succeeded                // and there is a value
	rejected                 // nothing was done
	noValue                  // yes, with no value in it
)

// An envelope is an answer opened (2.1).
type envelope struct {
	response
	top       value // the whole document; absent when unusable
	payload   value // what the operation reads
	verdict   verdict
	malformed *malformed // why it is unusable
}

// A envelopeFormat finds the payload and the verdict of a document.
type envelopeFormat func(top value, ok bool) (value, verdict, *malformed)

// parseEnvelope reads an answer with every drift that was seen (facts page). judge is
// [standardEnvelope], or [listEnvelope] for the list.
func parseEnvelope(a response, by envelopeFormat) envelope {
	e := envelope{response: a}
	switch {
	case a.encoded:
		e.malformed = &malformed{KindProtocol, "the answer came in an encoding that was not asked for"}
	case a.tooLarge:
		e.malformed = &malformed{KindTooLarge, "the answer is larger than an answer to this can be"}
	case len(a.body) == 0:
		e.malformed = &malformed{KindNotJSON, "the answer is empty"}
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
		e.malformed = &malformed{KindSchema, "the answer is not an object"}
		return e
	}
	e.top = top
	e.payload, e.verdict, e.malformed = by(top, a.ok())
	return e
}

// standardEnvelope judges the envelope of every operation but the list (2.1, 7). isSuccess
// must be a boolean (R52). Where it is missing, a 2xx with a value is an answer,
// and anything but a 2xx a no: gateways and the service itself send bare problem
// documents.
func standardEnvelope(top value, ok bool) (value, verdict, *malformed) {
	payload := top.field("value")
	switch success := top.field("isSuccess"); {
	case success.kind() == 'f':
		return payload, rejected, nil
	case success.kind() == 0 && !ok:
		return payload, rejected, nil
	case success.kind() == 0 && payload.kind() == '{':
		return payload, succeeded, nil
	case success.kind() == 0:
		return payload, unusable, &malformed{KindSchema, "the answer says neither yes nor no"}
	case success.kind() != 't':
		return payload, unusable, &malformed{KindSchema, "isSuccess is neither true nor false"}
	case payload.null():
		return payload, noValue, nil
	case payload.kind() != '{':
		return payload, unusable, &malformed{KindSchema, "value is not an object"}
	}
	return payload, succeeded, nil
}

// listEnvelope judges the envelope of the list (2.13), whose status is a boolean.
func listEnvelope(top value, ok bool) (value, verdict, *malformed) {
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

// messages is the first useful text of an envelope, and all of failures (facts page).
func (e envelope) messages() (first Text, failures []Text) {
	list := e.top.field("failures")
	for f := range list.items() {
		if t := f.display(); !t.Empty() {
			failures = append(failures, t)
		}
	}
	if s, ok := list.text(); ok && s != "" {
		failures = append(failures, list.display())
	}
	if len(failures) > 0 {
		return failures[0], failures
	}
	for _, name := range [...]string{"detail", "error", "message", "title"} {
		if t := e.top.field(name).display(); !t.Empty() {
			return t, nil
		}
	}
	return Text{}, nil
}

// summary is the useful text of an answer that may not be an envelope: what is wrong
// with it, or the beginning of what came.
func (e envelope) summary() Text {
	if e.malformed == nil {
		t, _ := e.messages()
		return t
	}
	return Clean(card.Redact(e.redactor.redact(e.malformed.text)))
}

// isJSON reports a media type of application/json or one that ends in +json (R53).
func isJSON(media string) bool {
	t, _, err := mime.ParseMediaType(media)
	return err == nil && (t == "application/json" || strings.HasPrefix(t, "application/") && strings.HasSuffix(t, "+json"))
}

// excerpt is the beginning of an answer that is not JSON (R53). What is in it
// stays markup: nothing renders it.
func (a response) excerpt() string {
	s := a.redactor.redact(string(a.body))
	s = card.Redact(s[:min(len(s), 2*excerptSize)]) // before it is cut, maybe within a number
	if len(s) <= excerptSize {
		return s
	}
	n := excerptSize
	for n > excerptSize-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
