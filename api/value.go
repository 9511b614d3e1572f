package api

import (
	"iter"

	"paydesk/api/card"
)

// A value is one value of a tree. The zero value is absent, and so is every part
// of it, so that a path can be walked without asking at each step.
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

// raw is the value as it was written.
func (v value) raw() string {
	if v.t == nil {
		return ""
	}
	return v.t.entries[v.i].raw
}

// items gives the elements of an array or the values of an object.
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

// field is the member of an object with exactly this key; absent when there is
// none or v is no object.
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

// null reports that there is nothing: absent, or null.
func (v value) null() bool { return v.t == nil || v.kind() == 'n' }

// text is the decoded string, and whether v is one.
func (v value) text() (string, bool) {
	if v.kind() != '"' {
		return "", false
	}
	return unquote(v.raw()), true
}

// plain is what v says: the decoded string, or anything else as it was written.
// Absent, null and "" are the same (facts page).
func (v value) plain() string {
	if v.null() {
		return ""
	}
	if s, ok := v.text(); ok {
		return s
	}
	return v.raw()
}

// number is the literal of a number, which may stand in quotes (facts page).
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

// redacted is what v says, without what we sent in confidence.
func (v value) redacted() string {
	if v.null() {
		return ""
	}
	return v.t.redactor.redact(v.plain())
}

// display is what v says in words, made safe to show. Who writes words writes card numbers into
// them (R22).
func (v value) display() Text { return Clean(card.Redact(v.redacted())) }

// displayID is what v says where it names something: an id, an account, an amount. One number in ten
// passes for a card's, so nothing in it is taken for one.
func (v value) displayID() Text { return Clean(v.redacted()) }

// displayASCII is [value.display] for words that decide something (R5).
func (v value) displayASCII() Text { return CleanASCII(card.Redact(v.redacted())) }
