// Package keystore keeps the secret key of a profile in the keyring of the
// operating system, and the profiles in a TOML file.
package keystore

import (
	"context"
	"errors"
)

// Service is the name under which the keyring keeps the keys; the user is the
// profile's name.
const Service = "paydesk"

// A Key is a secret key. Only [Key.Expose] gives it.
type Key struct{ text func() string }

// ParseKey reads a key: one line of printable ASCII without blanks, at least 8 and at
// most 512 characters; a newline at its end, as pasted, is dropped. Errors never
// quote it.
func ParseKey(s string) (Key, error) { return Key{}, nil }

// Expose gives the key, for the request header.
func (k Key) Expose() string { return "" }

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return true }

// LastFour is "…abcd", for people to tell keys apart.
func (k Key) LastFour() string { return "" }

// The distinct ways in which a keyring does not give a key.
var (
	ErrNotFound  = errors.New("the keyring has no key for this profile")
	ErrNoKeyring = errors.New("there is no keyring on this host")
	ErrLocked    = errors.New("the keyring is locked")
	ErrTimeout   = errors.New("the keyring did not answer in time")
)

// A Store keeps one key for each profile. Calls may block up to their limits; make
// them off the event loop.
type Store interface {
	Get(ctx context.Context, profile string) (Key, error)
	Set(ctx context.Context, profile string, k Key) error
	Delete(ctx context.Context, profile string) error
	// Name is the word for the header: "keyring", "demo".
	Name() string
}

// Open is the operating system's keyring behind its guard. It does nothing yet.
func Open() Store { return nil }

// NewMemory is a store that lasts as long as the program; name is its word for the header.
func NewMemory(name string) Store { return nil }
