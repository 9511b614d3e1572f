package api

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"paydesk/api/text"
)

// A Reference identifies a payment: a short code for cards, a UUID for transfers (2.6). It matches
// [A-Za-z0-9_.:-]{1,128} and is not "." or "..", so it is safe to display, to copy and to put into
// a path.
type Reference string

// keyStart matches how the keys of a service begin, of this profile or of another.
const keyStart = `((sk|pk|rk)[_-](test|live)|(test|live)[_-](sk|pk|rk))[_-]`

var (
	keyLike = text.Pattern(`(?i)^` + keyStart)
	// keysIn finds the keys in a text.
	keysIn = text.Pattern(`(?i)\b` + keyStart + `[a-z0-9_-]+`)
)

// ErrSecretKey is the error of a text that is a secret key and was typed as a reference.
var ErrSecretKey = errors.New("this is a secret key, not a payment reference")

// ParseReference parses a reference, ignoring spaces around it, and rejects what begins as a secret
// key does. Its errors do not quote s.
func ParseReference(s string) (Reference, error) {
	s = trimSpace(s)
	if !isToken(s, 128, "_.:-") || s == "." || s == ".." {
		return "", errors.New("a reference has 1 to 128 letters, digits or _ . : -")
	}
	if keyLike().MatchString(s) {
		return "", ErrSecretKey
	}
	return Reference(s), nil
}

// An Alias names a payment link at initiation (2.8). It matches [A-Za-z0-9_-]{1,64}.
type Alias string

// ParseAlias parses an alias, or the URL of a hosted payment page, whose last path segment is the
// alias (2.8). Spaces around it are ignored. Its errors do not quote s.
func ParseAlias(s string) (Alias, error) {
	s = trimSpace(s)
	if strings.Contains(s, "://") {
		a, err := ParseAddress(s)
		if err != nil {
			return "", err
		}
		s = lastSegment(a)
	}
	if !isToken(s, 64, "_-") {
		return "", errors.New("an alias has 1 to 64 letters, digits, - or _; the URL of its page also works")
	}
	return Alias(s), nil
}

// lastSegment is the last path segment of a URL, without a trailing slash.
func lastSegment(a Address) string {
	_, rest, _ := strings.Cut(a.raw, "://")
	path := rest[len(a.Host()):]
	path = strings.TrimSuffix(path[:strings.IndexAny(path+"?", "?#")], "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}

// isToken reports whether s is 1 to most ASCII letters, digits and characters of others.
func isToken(s string, most int, others string) bool {
	const lettersAndDigits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return 1 <= len(s) && len(s) <= most && strings.Trim(s, lettersAndDigits+others) == ""
}

// Markup is a page from the service that presents a challenge (2.10). It is for a browser, never
// for a terminal: formatting it shows only its size.
type Markup struct{ page func() string }

// NewMarkup wraps page so that formatting cannot reach it.
func NewMarkup(page string) Markup { return Markup{func() string { return page }} }

// Expose returns the page, for the browser that displays it.
func (m Markup) Expose() string {
	if m.page == nil {
		return ""
	}
	return m.page()
}

// IsZero reports whether there is no page.
func (m Markup) IsZero() bool { return m.Expose() == "" }

// Size is the size of the page in bytes.
func (m Markup) Size() int { return len(m.Expose()) }

// Sum is the first twelve hexadecimal digits of the page's SHA-256. By it, two people can tell that
// they have the same page.
func (m Markup) Sum() string {
	sum := sha256.Sum256([]byte(m.Expose()))
	return hex.EncodeToString(sum[:6])
}

// String states the size of the page.
func (m Markup) String() string { return "[page of " + strconv.Itoa(m.Size()) + " bytes]" }

// Format implements [fmt.Formatter], so that no verb prints the page.
func (m Markup) Format(f fmt.State, _ rune) { io.WriteString(f, m.String()) }

// MarshalText implements [encoding.TextMarshaler] and so covers JSON, XML and log/slog.
func (m Markup) MarshalText() ([]byte, error) { return []byte(m.String()), nil }
