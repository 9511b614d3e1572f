package api

import (
	"strings"

	"paydesk/api/card"
)

// Values in files. Each value is kept as a text that is read back as the same value, or as none where it is no
// longer valid.

const maxStored = 200 // bytes

// Stored is the text as files keep it: one line, without card numbers, of 200 bytes at most.
func (t Text) Stored() string {
	s := card.Redact(t.Line(0))
	if len(s) <= maxStored {
		return s
	}
	const more = "…"
	s = strings.ToValidUTF8(s[:maxStored-len(more)], "") // without half a rune
	return strings.TrimRight(s, "\u200c\u200d") + more   // nor a joiner of letters that are not there
}

// MarshalText implements [encoding.TextMarshaler].
func (t Text) MarshalText() ([]byte, error) { return []byte(t.Stored()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It looks for card numbers again: a later paydesk knows more of
// their forms.
func (t *Text) UnmarshalText(stored []byte) error {
	*t = Clean(card.Redact(string(stored)))
	return nil
}

// MarshalText implements [encoding.TextMarshaler]. A URL is kept complete or not at all, because a part of one leads
// elsewhere; one that seems to contain a card number is dropped.
func (a Address) MarshalText() ([]byte, error) {
	if card.Redact(a.raw) != a.raw {
		return nil, nil
	}
	return []byte(a.raw), nil
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (a *Address) UnmarshalText(stored []byte) error {
	*a, _ = ParseAddress(string(stored))
	return nil
}

// MarshalText implements [encoding.TextMarshaler].
func (t Timestamp) MarshalText() ([]byte, error) { return t.Text.MarshalText() }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (t *Timestamp) UnmarshalText(stored []byte) error {
	*t = ParseTimestamp(string(stored))
	return nil
}

// MarshalText implements [encoding.TextMarshaler].
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *State) UnmarshalText(stored []byte) error {
	*s = StateOf(string(stored))
	return nil
}
