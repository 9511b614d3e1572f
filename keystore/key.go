package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
)

// Variable is the environment variable that [FromEnv] reads.
const Variable = "PAYDESK_SECRET_KEY"

const (
	minKey = 8
	maxKey = 512
	// minTold is the length below which four characters would tell too much.
	minForLastFour = 12
	hidden         = "[secret]"
)

// A Key is a secret key. Only [Key.Expose] gives it; every formatting, logging and
// marshalling shows "[secret]" (R74). The text is behind a closure because fmt
// does not ask the methods of values it reaches through unexported fields. Copies
// of a Key share its text, so that one [Key.Wipe] is for all of them.
type Key struct{ text func(wipe bool) string }

// wrapKey puts text, which it takes over, behind a Key.
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

// ParseKey reads a key: one line of printable ASCII without blanks, at least 8 and at
// most 512 characters; a newline at its end, as pasted, is dropped. Errors never
// quote it.
func ParseKey(s string) (Key, error) { return readKey([]byte(s)) }

// readKey is ParseKey for what was read from outside, which it wipes.
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
	}
	return wrapKey(bytes.Clone(line)), nil
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
		return Key{}, &Problem{Kind: ErrNotAKey, Message: Variable + ": " + err.Error(), Hint: "correct it and restart paydesk"}
	}
	return k, nil
}

// envError is [ErrNotFound] in words that do not speak of a keyring.
type envError struct{}

func (envError) Error() string        { return Variable + " is not set; this profile reads its key from it" }
func (envError) Is(target error) bool { return target == ErrNotFound }

// Expose gives the key, for the request header; "" once it is wiped.
func (k Key) Expose() string {
	if k.text == nil {
		return ""
	}
	return k.text(false)
}

// Wipe forgets the key and overwrites its bytes. What Expose gave before is out of
// reach: strings cannot be overwritten, nor can the copies of the network library.
func (k Key) Wipe() {
	if k.text != nil {
		k.text(true)
	}
}

// IsZero reports whether there is no key, or no more.
func (k Key) IsZero() bool { return k.text == nil || k.text(false) == "" }

// LastFour is "…abcd", for people to tell keys apart; nothing for a key shorter than
// 12 characters.
func (k Key) LastFour() string {
	s := k.Expose()
	if len(s) < minForLastFour {
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

// Environment is what the prefix of the key tells of it (facts page): [Test], [Live], or ""
// for a key that has none, which proves nothing.
func (k Key) Environment() Environment {
	for prefix, e := range map[string]Environment{
		"sk_test_": Test, "pk_test_": Test, "sk_live_": Live, "pk_live_": Live,
	} {
		if strings.HasPrefix(k.Expose(), prefix) {
			return e
		}
	}
	return ""
}

// A KeyHolder holds the key that a client sends. Another key can take its place while the
// client is in use; which hosts get it is the client's business and stays as it is (R50).
type KeyHolder struct {
	mu  sync.Mutex
	key Key
}

// NewKeyHolder holds a key.
func NewKeyHolder(k Key) *KeyHolder { return &KeyHolder{key: k} }

// Put replaces the key. A request that is under way keeps the one it was sent with. The
// former is not wiped: its source may have it still.
func (s *KeyHolder) Put(k Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = k
}

// Take empties the slot: what asks with it now asks with no key.
func (s *KeyHolder) Take() Key {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.key
	s.key = Key{}
	return k
}

// Expose gives the key, for the request header.
func (s *KeyHolder) Expose() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.key.Expose()
}
