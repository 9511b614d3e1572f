package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
)

// Variable is the environment variable that [FromEnv] reads.
const Variable = "PAYDESK_SECRET_KEY"

const (
	minKey = 8
	maxKey = 512
	// minForLastFour is the length below which four characters would reveal too much.
	minForLastFour = 12
	hidden         = "[secret]"
)

// A Key is a secret key. Only [Key.Expose] returns it; formatting, logging and marshalling
// always show "[secret]". The text is behind a closure, because fmt ignores the methods of
// values in unexported fields. Copies of a Key share its text, so one [Key.Wipe] wipes them
// all.
type Key struct{ text func(wipe bool) string }

// wrapKey returns a Key that owns text.
func wrapKey(text []byte) Key {
	var mu sync.Mutex
	return Key{func(wipe bool) string {
		mu.Lock()
		defer mu.Unlock()
		if wipe {
			clear(text)
			text = nil
		}
		return string(text)
	}}
}

// ParseKey parses a key: one line of 8 to 512 printable ASCII characters without spaces, which do not begin as a public
// key does. One newline at the end is ignored. Errors never quote the input.
func ParseKey(s string) (Key, error) { return readKey([]byte(s)) }

// readKey is ParseKey for bytes, which it wipes.
func readKey(b []byte) (Key, error) {
	defer clear(b)
	line := bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
	switch {
	case bytes.ContainsAny(line, "\r\n"):
		return Key{}, errors.New("a secret key is one line")
	case bytes.ContainsFunc(line, func(r rune) bool { return r <= ' ' || r > '~' }):
		return Key{}, errors.New("a secret key may contain only printable ASCII characters, without spaces")
	case len(line) < minKey:
		return Key{}, fmt.Errorf("a secret key must have at least %d characters", minKey)
	case len(line) > maxKey:
		return Key{}, fmt.Errorf("a secret key must have at most %d characters", maxKey)
	case bytes.EqualFold(line[:3], []byte("pk_")):
		return Key{}, errors.New("this is a public key, and not the secret one")
	}
	return wrapKey(bytes.Clone(line)), nil
}

// FromEnv reads the key from PAYDESK_SECRET_KEY and unsets the variable, so that child
// processes do not inherit it. The system still remembers the initial environment of the
// process; see [Harden]. If the variable is not set, the error is [ErrNotFound].
func FromEnv() (Key, error) {
	s, set := os.LookupEnv(Variable)
	if err := os.Unsetenv(Variable); err != nil {
		return Key{}, fmt.Errorf("%s cannot be removed from the environment", Variable)
	}
	if !set || s == "" {
		return Key{}, errEnvUnset
	}
	k, err := ParseKey(s)
	if err != nil {
		return Key{}, problem(ErrNotAKey, Variable+": "+err.Error(), "correct it and restart paydesk")
	}
	return k, nil
}

const errEnvUnset notFound = Variable + " is not set; this profile reads its key from it: set it, and start paydesk again"

// Expose returns the key for the request header, or "" after a Wipe.
func (k Key) Expose() string {
	if k.text == nil {
		return ""
	}
	return k.text(false)
}

// Wipe overwrites the key. It cannot reach the strings that Expose has returned, nor the
// copies in the network library.
func (k Key) Wipe() {
	if k.text != nil {
		k.text(true)
	}
}

// IsZero reports whether the key is empty or wiped.
func (k Key) IsZero() bool { return k.text == nil || k.text(false) == "" }

// LastFour returns "…abcd", so that people can tell keys apart, or "" if the key has fewer
// than 12 characters.
func (k Key) LastFour() string {
	s := k.Expose()
	if len(s) < minForLastFour {
		return ""
	}
	return "…" + s[len(s)-4:]
}

// String returns "[secret]".
func (k Key) String() string { return hidden }

// Format writes "[secret]" for every verb.
func (k Key) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// MarshalText returns "[secret]", for JSON, XML and log/slog too.
func (k Key) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Environment returns [Test] or [Live] according to the prefix of the key, or "" if the key
// has no known prefix. A key that begins with anything like live, such as SK_LIVE_, live_sk_ or
// sk-live-, is a live key: taking it for one costs a question, and not doing so may cost money. Only
// the exact prefix makes a test key.
func (k Key) Environment() Environment {
	const beginning = 16
	s := k.Expose()
	begins := strings.ToLower(s[:min(len(s), beginning)])
	switch {
	case strings.HasPrefix(s, "sk_test_"):
		return Test
	case strings.Contains(begins, "live"), strings.Contains(begins, "prod"):
		return Live
	}
	return ""
}

// Fits returns why a key is not for a profile, nil for one that may be: by the key the service decides which money moves.
func (k Key) Fits(p Profile) error {
	of := k.Environment()
	if of == "" || (of == Live) == (p.Environment == Live) {
		return nil
	}
	return fmt.Errorf("this is a %s key, but profile %s has environment %s", of, p.Name, p.Environment)
}

// A KeyHolder holds the key that a client sends. The key can be replaced while the client is
// in use; the hosts that receive it stay the same.
type KeyHolder struct{ key atomic.Pointer[Key] }

// NewKeyHolder returns a holder of k.
func NewKeyHolder(k Key) *KeyHolder {
	h := &KeyHolder{}
	h.Put(k)
	return h
}

// Put replaces the key. A request in flight keeps the previous one, which is not wiped: its
// source may still use it.
func (h *KeyHolder) Put(k Key) { h.key.Store(&k) }

// Take removes and returns the key. Later requests are sent without one.
func (h *KeyHolder) Take() Key { return *h.key.Swap(&Key{}) }

// Key returns the key without removing it.
func (h *KeyHolder) Key() Key { return *h.key.Load() }

// Expose returns the key for the request header.
func (h *KeyHolder) Expose() string { return h.key.Load().Expose() }
