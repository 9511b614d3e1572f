package keystore

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The kinds of trouble that a source may have, for [errors.Is].
var (
	// ErrNotFound: everything is in order, but there is no key.
	ErrNotFound = errors.New("there is no key for this profile")
	// ErrAsk: the key is typed at each start. It is an ErrNotFound too.
	ErrAsk error = askError{}
	// ErrPassphrase: the key is there, behind a passphrase; see [Sealed].
	ErrPassphrase      = errors.New("the key needs its passphrase")
	ErrWrongPassphrase = errors.New("wrong passphrase")
	ErrEmpty           = errors.New("the key is empty")
	ErrNotAKey         = errors.New("this is not a valid secret key")
	// ErrUnsafe: others can read the key or put another one in its place.
	ErrUnsafe    = errors.New("others can access the key")
	ErrNoProgram = errors.New("the key command cannot be run")
	ErrFailed    = errors.New("the source of the key failed")
	// ErrRefused: the profile does not allow this source.
	ErrRefused = errors.New("the profile does not allow this source")
	// ErrNotKept: paydesk cannot write to this source.
	ErrReadOnly = errors.New("paydesk cannot store keys there")
)

type askError struct{}

func (askError) Error() string        { return "the key of this profile is typed at each start" }
func (askError) Is(target error) bool { return target == ErrNotFound }

// A Problem says why a source does not give or take a key, and what to do about it.
// Neither holds anything of a key, nor text from outside.
type Problem struct {
	Kind    error
	Message string
	Hint    string // a step or the command to run; "" when there is none
	stderr  string
}

func (p *Problem) Error() string {
	if p.Hint == "" {
		return p.Message
	}
	return p.Message + "; " + p.Hint
}

// Unwrap gives the kind.
func (p *Problem) Unwrap() error { return p.Kind }

// Stderr is the last line that a command complained with, at most 200 bytes of
// printable characters; "" when there is none. It comes from outside: clean it as
// every text from outside before it is shown.
func (p *Problem) Stderr() string { return p.stderr }

const maxStderr = 200 // bytes

// lastLine is the end of what a program complained with, without control characters,
// and nothing of it when it may hold a key.
func lastLine(said []byte) string {
	if secretLike.Match(said) {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	line := strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, lines[len(lines)-1])
	if len(line) > maxStderr {
		line = strings.ToValidUTF8(line[:maxStderr], "")
	}
	return strings.TrimSpace(line)
}

// ShellQuote is a path as a shell takes it, for commands that a person may run.
func ShellQuote(path string) string {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@") == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
