package api

import (
	"iter"

	"paydesk/api/card"
)

// A value is one value of a document. The zero value is absent, and so are all its parts, so that a
// path can be walked without checks at each step.
type value struct {
	t *jsonDoc
	i int
}

func (v value) kind() byte {
	if v.t == nil {
		return 0
	}
	return v.t.entries[v.i].kind
}

// raw is the source text of the value.
func (v value) raw() string {
	if v.t == nil {
		return ""
	}
	return v.t.entries[v.i].raw
}

// items yields the elements of an array or the values of an object.
func (v value) items() iter.Seq[value] {
	return func(yield func(value) bool) {
		if k := v.kind(); k != '{' && k != '[' {
			return
		}
		all := v.t.entries
		for i := v.i + 1; i < all[v.i].after; i = all[i].after {
			if !yield(value{v.t, i}) {
				return
			}
		}
	}
}

// field is the member of an object with exactly this key; absent when there is none or v is not an
// object.
func (v value) field(key string) value {
	if v.kind() != '{' {
		return value{}
	}
	for m := range v.items() {
		if v.t.entries[m.i].key == key {
			return m
		}
	}
	return value{}
}

// null reports whether v is absent or null.
func (v value) null() bool { return v.t == nil || v.kind() == 'n' }

// text returns the decoded string, and whether v is a string.
func (v value) text() (string, bool) {
	if v.kind() != '"' {
		return "", false
	}
	return unquote(v.raw()), true
}

// plain is the decoded string, or the source text of any other value. Absent, null and "" are the
// same, because the service uses all three for "none".
func (v value) plain() string {
	if v.null() {
		return ""
	}
	if s, ok := v.text(); ok {
		return s
	}
	return v.raw()
}

// number returns the literal of a number, which may be quoted, as the service was observed to send
// it.
func (v value) number() (string, bool) {
	switch v.kind() {
	case '0':
		return v.raw(), true
	case '"':
		s, _ := v.text()
		return s, s != "" && numberLength(s) == len(s)
	}
	return "", false
}

// redacted is [value.plain] without the secrets of the request.
func (v value) redacted() string {
	if v.null() {
		return ""
	}
	return v.t.redactor.redact(v.plain())
}

// display is the value as text for people. Free text is where payers type card numbers, so those
// are hidden too.
func (v value) display() Text { return Clean(card.Redact(v.redacted())) }

// displayID is the value as an identifier, an account number or an amount. One such number in ten
// looks like a card's, so none is hidden.
func (v value) displayID() Text { return Clean(v.redacted()) }

// displayASCII is [value.display] for words that decide something: see [CleanASCII].
func (v value) displayASCII() Text { return CleanASCII(card.Redact(v.redacted())) }
