package keystore

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
)

// Variable is the environment variable that [FromEnv] reads.
const Variable = "PAYDESK_SECRET_KEY"

const (
	minKey = 8
	maxKey = 512
	// minTold is the length below which four characters would tell too much.
	minTold = 12
	hidden  = "[secret]"
)

// A Key is a secret key. Only [Key.Expose] gives it; every formatting, logging and
// marshalling shows "[secret]" (R74). The text is behind a closure because fmt
// does not ask the methods of values it reaches through unexported fields.
type Key struct{ text func() string }

// ParseKey reads a key: one line of printable ASCII without blanks, at least 8 and at
// most 512 characters; a newline at its end, as pasted, is dropped. Errors never
// quote it.
func ParseKey(s string) (Key, error) {
	s = strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
	switch {
	case strings.ContainsAny(s, "\r\n"):
		return Key{}, errors.New("a secret key is one line")
	case strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }):
		return Key{}, errors.New("a secret key has only letters, digits and signs of ASCII, without blanks")
	case len(s) < minKey:
		return Key{}, fmt.Errorf("a secret key has at least %d characters", minKey)
	case len(s) > maxKey:
		return Key{}, fmt.Errorf("a secret key has at most %d characters", maxKey)
	}
	return Key{func() string { return s }}, nil
}

// FromEnv takes the key out of PAYDESK_SECRET_KEY, so that neither this program's
// later readers nor its children find it (R72). It stays in what the system
// remembers of the program's start. Without the variable the error is
// [ErrNotFound].
func FromEnv() (Key, error) {
	s, set := os.LookupEnv(Variable)
	if err := os.Unsetenv(Variable); err != nil {
		return Key{}, fmt.Errorf("%s cannot be removed from the environment", Variable)
	}
	if !set || s == "" {
		return Key{}, envError{}
	}
	k, err := ParseKey(s)
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", Variable, err)
	}
	return k, nil
}

// envError is [ErrNotFound] in words that do not speak of a keyring.
type envError struct{}

func (envError) Error() string        { return Variable + " is not set; this profile takes its key from it" }
func (envError) Is(target error) bool { return target == ErrNotFound }

// Expose gives the key, for the request header.
func (k Key) Expose() string {
	if k.text == nil {
		return ""
	}
	return k.text()
}

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return k.text == nil }

// LastFour is "…abcd", for people to tell keys apart; nothing for a key shorter than
// 12 characters.
func (k Key) LastFour() string {
	s := k.Expose()
	if len(s) < minTold {
		return ""
	}
	return "…" + s[len(s)-4:]
}

// String is "[secret]".
func (k Key) String() string { return hidden }

// Format writes "[secret]" for every verb.
func (k Key) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// LogValue is "[secret]".
func (k Key) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText is "[secret]", in JSON and XML too.
func (k Key) MarshalText() ([]byte, error) { return []byte(hidden), nil }
