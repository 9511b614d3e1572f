// Package doctor says step by step what works on this host and what does not: the
// configuration, the folders, the way to the keyring, the source of the key, the
// terminal, and what it is told of the network. It asks, and changes nothing.
//
//   - doctor.go: the steps and their order;
//   - files.go keyring.go terminal.go: the steps themselves;
//   - write.go: the report for people, and as JSON.
//
// Nothing here knows the service: who wires the parts hands in the questions that
// need the network.
package doctor

import (
	"context"
	"os"
	"strings"
	"time"

	"paydesk/keystore"
)

// A Check is one thing that was looked at.
type Check struct {
	Name  string `json:"name"`
	State string `json:"state"` // OK, Warning, Failed or Skipped
	Words string `json:"words"` // what was found
	Do    string `json:"do"`    // what to do about it; "" when there is nothing to do
}

// The states of a step.
const (
	OK      = "ok"
	Warning = "warning"
	Failed  = "failed"
	Skipped = "skipped"
)

// The bounds of an examination: a keyring may hang for ever (R70). With the 10 s that a
// command may take for the key, all of it ends in about 30 s, not counting a person who
// types a passphrase.
const (
	keyringLimit       = 4 * time.Second
	unusedKeyringLimit = 500 * time.Millisecond // for a keyring that the profile does without
	networkLimit       = 20 * time.Second
)

// An Examination is what is to be looked at, and how.
type Examination struct {
	Config   string // the path of the file of profiles
	Profile  string // "" for the default one
	StateDir string // where the journal is; "" when none is known
	Out      *os.File
	Environ  []string
	Store    func(keystore.Profile) keystore.Store
	// Ask gets a key for which a store needs a person, as the error of its Get says, or
	// returns that error; nil when nobody can be asked.
	Prompt func(context.Context, keystore.Store, keystore.Profile, error) (keystore.Key, error)
	// Network asks the service. The key may be zero.
	Network func(context.Context, keystore.Profile, keystore.Key) []Check
	// Browser says why no browser can be opened; "" when one can.
	Browser string
	// Clean makes text from outside safe to show.
	Clean func(string) string

	inspect func(context.Context) keystore.KeyringState // keystore.Look, unless a test stands in
}

// A Report is what was found.
type Report struct {
	Profile string // its name; "" when there is none
	Checks  []Check
	Key     keystore.Key // what the profile's source gave
}

// Run looks at everything, one step after the other.
func (e Examination) Run(ctx context.Context) Report {
	if e.inspect == nil {
		e.inspect = keystore.InspectKeyring
	}
	p, found, steps := e.profile()
	r := Report{Profile: p.Name, Checks: append(steps, e.stateDir(p))}
	key, steps := e.keyChecks(ctx, p, found)
	r.Key = key
	r.Checks = append(r.Checks, steps...)
	r.Checks = append(r.Checks, e.terminal()...)
	if found {
		limited, stop := context.WithTimeout(ctx, networkLimit)
		defer stop()
		r.Checks = append(r.Checks, e.Network(limited, p, key)...)
	} else {
		r.Checks = append(r.Checks, Check{Name: "network", State: Skipped, Words: "not checked: there is no profile"})
	}
	return r.safe(e.Clean)
}

// safe makes every word fit to be shown. The key is in none of them; were it, it would
// end here.
func (r Report) safe(clean func(string) string) Report {
	for i := range r.Checks {
		s := &r.Checks[i]
		for _, part := range []*string{&s.Name, &s.Words, &s.Do} {
			if !r.Key.IsZero() {
				*part = strings.ReplaceAll(*part, r.Key.Expose(), "[key]")
			}
			*part = clean(*part)
		}
	}
	return r
}

// Count is how many steps have a state.
func (r Report) Count(state string) int {
	n := 0
	for _, s := range r.Checks {
		if s.State == state {
			n++
		}
	}
	return n
}

// Has reports whether the step called name has a state.
func (r Report) Has(name, state string) bool {
	for _, s := range r.Checks {
		if s.Name == name && s.State == state {
			return true
		}
	}
	return false
}

func (e Examination) env(name string) string {
	value := ""
	for _, one := range e.Environ {
		if n, v, _ := strings.Cut(one, "="); n == name {
			value = v // the last one counts
		}
	}
	return value
}
