package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"paydesk/keystore"
	"paydesk/keystore/doctor"
)

// Keys holds what the commands of `paydesk key` need, which store, show and remove the key of a
// profile, and check what works on this host: set.go (with delete), show.go (with the doctor); typed.go: keys and passphrases, asked for or piped.
type Keys struct {
	In     *os.File // nil where no question is put
	Out    io.Writer
	Stderr io.Writer
	Config string   // the configuration folder
	State  string   // folder of the journal; "" if unknown
	Others []string // other folders in which paydesk may keep files
	// Store returns the store of a profile's key.
	Store func(keystore.Profile) keystore.Store
	// Verify sends one read-only request with a key.
	Verify func(context.Context, keystore.Profile, keystore.Key) error
	// Network runs the network checks of the doctor.
	Network func(context.Context, keystore.Profile, keystore.Key) []doctor.Check
	Browser string // why no browser can be opened; "" if one can
	// Clean makes a line safe to show. Everything is passed through it, since names and errors
	// may come from a file or the network.
	Clean func(string) string
	// Ask asks a person for a line; nil where there is none to ask. The caller wipes what was hidden.
	Ask func(ctx context.Context, question string, hidden bool) ([]byte, error)
}

// A UsageError is the error of a command that cannot do what it was asked for as the profile and the options are.
// Nothing was tried.
type UsageError struct{ error }

func usageError(words string) error { return UsageError{errors.New(words)} }

// ErrUnconfirmed is the error of [CLI.Delete] where no person can be asked.
var ErrUnconfirmed = usageError("Nothing was removed: there is no terminal to confirm at. Add --yes to remove it.")

// ErrReported is the error of a command that failed and has said so.
var ErrReported = errors.New("failed")

// printErr writes to standard error, each line made safe to show.
func (c Keys) printErr(words string) {
	for line := range strings.SplitSeq(words, "\n") {
		fmt.Fprintln(c.Stderr, "paydesk:", c.Clean(line))
	}
}

// printf writes one line of output.
func (c Keys) printf(format string, of ...any) {
	fmt.Fprintln(c.Out, c.Clean(fmt.Sprintf(format, of...)))
}

// A workedEntry records when a key last worked. The last four characters tell a key from one
// that replaced it elsewhere.
type workedEntry struct {
	LastFour string    `json:"lastFour"`
	Time     time.Time `json:"time"`
}

const workedFile = "keys.json" // in the state folder

// lastWorked returns all records by profile; none if the file cannot be read.
func (c Keys) lastWorked() map[string]workedEntry {
	var all map[string]workedEntry
	b, err := os.ReadFile(filepath.Join(c.State, workedFile))
	if c.State == "" || err != nil || json.Unmarshal(b, &all) != nil || all == nil {
		return map[string]workedEntry{}
	}
	return all
}

// workedAt returns when a key last worked.
func (c Keys) workedAt(profile string, k keystore.Key) (time.Time, bool) {
	t, ok := c.lastWorked()[profile]
	return t.Time, ok && t.LastFour != "" && t.LastFour == k.LastFour() && !t.Time.IsZero()
}

// recordWorked records that a key works. A key too short to show its last four is not recorded,
// because nothing would tell it from its successor.
func (c Keys) recordWorked(profile string, k keystore.Key, at time.Time) {
	if k.LastFour() != "" {
		all := c.lastWorked()
		all[profile] = workedEntry{k.LastFour(), at.UTC().Truncate(time.Second)}
		c.writeWorked(all)
	}
}

// forgetWorked removes the record of a profile, whose key has been removed.
func (c Keys) forgetWorked(profile string) {
	all := c.lastWorked()
	if _, ok := all[profile]; ok {
		delete(all, profile)
		c.writeWorked(all)
	}
}

// writeWorked replaces the file in one step. It ignores errors: only the record is lost, and the key
// itself is already stored.
func (c Keys) writeWorked(all map[string]workedEntry) {
	if b, err := json.Marshal(all); err == nil && c.State != "" {
		_ = keystore.ReplaceFile(filepath.Join(c.State, workedFile), append(b, '\n'), 0o600)
	}
}
