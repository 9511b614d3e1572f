// Package keycmd has the commands of `paydesk key`: it stores, shows and removes the key of a
// profile, and checks what works on this host.
//
//   - keycmd.go: what the commands need, how they end, and what may be a key among arguments;
//   - set.go, show.go (with the doctor), delete.go: the four commands;
//   - typed.go: hidden input at the terminal, and piped input;
//   - lastused.go: the record of when a key last worked, without the key.
package keycmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"paydesk/keystore"
	"paydesk/keystore/doctor"
)

// A CLI holds what the commands need.
type CLI struct {
	In     *os.File // nil where nobody is asked
	Out    io.Writer
	Stderr io.Writer
	Config string // the configuration folder
	State  string // folder of the journal; "" if unknown
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
	// Ask asks instead of reading In, for a program that reads In line by line itself; nil otherwise. The caller
	// wipes what was hidden.
	Ask func(ctx context.Context, question string, hidden bool) ([]byte, error)
}

// A UsageError is the error of a command that cannot do what it was asked for as the profile and the options are.
// Nothing was tried.
type UsageError struct{ error }

func usageError(words string) error { return UsageError{errors.New(words)} }

// ErrReported is the error of a command that failed and has said so.
var ErrReported = errors.New("failed")

// printErr writes to standard error, each line made safe to show.
func (c CLI) printErr(words string) {
	for line := range strings.SplitSeq(words, "\n") {
		fmt.Fprintln(c.Stderr, "paydesk:", c.Clean(line))
	}
}

// printf writes one line of output.
func (c CLI) printf(format string, of ...any) {
	fmt.Fprintln(c.Out, c.Clean(fmt.Sprintf(format, of...)))
}
