package keystore

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"path/filepath"
	"slices"
	"sync"
)

const (
	confirmedFile = "confirmed.json" // in the state folder
	maxConfirmed  = 32               // fingerprints kept, which fit a private file
)

// Confirmed remembers which keys a person has confirmed to be for test or for live, because their prefix
// does not say it. It holds fingerprints: hashes with a key of the file's own, never a secret key. A file
// that cannot be read, or that others could have written, only means that the person is asked again.
type Confirmed struct {
	path string // "" to remember for this run only
	mu   sync.Mutex
	held confirmations
}

type confirmations struct {
	Key          []byte   `json:"key"` // of the hash
	Fingerprints []string `json:"fingerprints"`
}

// OpenConfirmed reads what was confirmed from a state folder; "" for none.
func OpenConfirmed(folder string) *Confirmed {
	c := &Confirmed{}
	if folder != "" {
		c.path = filepath.Join(folder, confirmedFile)
		if b, err := readPrivate(c.path, false); err != nil || json.Unmarshal(b, &c.held) != nil {
			c.held = confirmations{}
		}
	}
	if len(c.held.Key) != sha256.Size {
		c.held = confirmations{Key: make([]byte, sha256.Size)}
		rand.Read(c.held.Key)
	}
	return c
}

// fingerprint returns the fingerprint of a key and of the environment that it was confirmed for.
func (c *Confirmed) fingerprint(k Key, e Environment) string {
	h := hmac.New(sha256.New, c.held.Key)
	h.Write([]byte(string(e) + " " + k.Expose()))
	return base64.RawStdEncoding.EncodeToString(h.Sum(nil))
}

// Has reports whether a person has confirmed that a key is for an environment. It does no I/O.
func (c *Confirmed) Has(k Key, e Environment) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Contains(c.held.Fingerprints, c.fingerprint(k, e))
}

// Add remembers that a person has confirmed that a key is for an environment: at least for this run, if
// there is an error.
func (c *Confirmed) Add(k Key, e Environment) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.fingerprint(k, e); !k.IsZero() && !slices.Contains(c.held.Fingerprints, f) {
		c.held.Fingerprints = append(c.held.Fingerprints, f)
	}
	c.held.Fingerprints = c.held.Fingerprints[max(0, len(c.held.Fingerprints)-maxConfirmed):]
	if c.path == "" {
		return nil
	}
	b, err := json.Marshal(c.held)
	if err != nil {
		return err
	}
	return replaceFile(c.path, append(b, '\n'), 0o600)
}
