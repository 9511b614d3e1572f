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
	unusable verdict = iota // there is no envelope to believe
	yes                     // and there is a value
	no                      // nothing was done
	nothing                 // yes, with no value in it
)

// An envelope is an answer opened (2.1).
type envelope struct {
	response
	top       value // the whole document; absent when unusable
	payload   value // what the operation reads
	said      verdict
	malformed *malformed // why it is unusable
}

// A judge finds the payload and the verdict of a document.
type judge func(top value, ok bool) (value, verdict, *malformed)

// open reads an answer with every drift that was seen (facts page). judge is
// [common], or [listed] for the list.
func open(a response, by judge) envelope {
	e := envelope{response: a}
	switch {
	case a.encoded:
		e.malformed = &malformed{KindProtocol, "the answer came in an encoding that was not asked for"}
	case a.over:
		e.malformed = &malformed{KindTooLarge, "the answer is larger than an answer to this can be"}
	case len(a.body) == 0:
		e.malformed = &malformed{KindNotJSON, "the answer is empty"}
	case !isJSON(a.media):
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
	e.payload, e.said, e.malformed = by(top, a.ok())
	return e
}

// common judges the envelope of every operation but the list (2.1, 7). isSuccess
// must be a boolean (R52). Where it is missing, a 2xx with a value is an answer,
// and anything but a 2xx a no: gateways and the service itself send bare problem
// documents.
func common(top value, ok bool) (value, verdict, *malformed) {
	payload := top.field("value")
	switch success := top.field("isSuccess"); {
	case success.kind() == 'f':
		return payload, no, nil
	case success.kind() == 0 && !ok:
		return payload, no, nil
	case success.kind() == 0 && payload.kind() == '{':
		return payload, yes, nil
	case success.kind() == 0:
		return payload, unusable, &malformed{KindSchema, "the answer says neither yes nor no"}
	case success.kind() != 't':
		return payload, unusable, &malformed{KindSchema, "isSuccess is neither true nor false"}
	case payload.null():
		return payload, nothing, nil
	case payload.kind() != '{':
		return payload, unusable, &malformed{KindSchema, "value is not an object"}
	}
	return payload, yes, nil
}

// listed judges the envelope of the list (2.13), whose status is a boolean.
func listed(top value, ok bool) (value, verdict, *malformed) {
	data := top.field("data")
	switch status := top.field("status"); {
	case status.kind() == 'f', top.field("isSuccess").kind() == 'f':
		return data, no, nil
	case !ok && status.kind() != 't':
		return data, no, nil
	case status.kind() != 't' && status.kind() != 0:
		return data, unusable, &malformed{KindSchema, "status is neither true nor false"}
	case data.kind() != '[':
		return data, unusable, &malformed{KindSchema, "data is not a list"}
	}
	return data, yes, nil
}

// useful is the first useful text of an envelope, and all of failures (facts page).
func (e envelope) useful() (first Text, failures []Text) {
	list := e.top.field("failures")
	for f := range list.items() {
		if t := f.show(); !t.Empty() {
			failures = append(failures, t)
		}
	}
	if s, ok := list.text(); ok && s != "" {
		failures = append(failures, list.show())
	}
	if len(failures) > 0 {
		return failures[0], failures
	}
	for _, name := range [...]string{"detail", "error", "message", "title"} {
		if t := e.top.field(name).show(); !t.Empty() {
			return t, nil
		}
	}
	return Text{}, nil
}

// words is the useful text of an answer that may not be an envelope: what is wrong
// with it, or the beginning of what came.
func (e envelope) words() Text {
	if e.malformed == nil {
		t, _ := e.useful()
		return t
	}
	return Clean(card.Redact(e.redactor.over(e.malformed.text)))
}

// isJSON reports a media type of application/json or one that ends in +json (R53).
func isJSON(media string) bool {
	t, _, err := mime.ParseMediaType(media)
	return err == nil && (t == "application/json" || strings.HasPrefix(t, "application/") && strings.HasSuffix(t, "+json"))
}

// excerpt is the beginning of an answer that is not JSON (R53). What is in it
// stays markup: nothing renders it.
func (a response) excerpt() string {
	s := a.redactor.over(string(a.body))
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
