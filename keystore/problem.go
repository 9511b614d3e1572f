package keystore

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The kinds of errors of a source, for [errors.Is].
var (
	// ErrNotFound: the source works but has no key.
	ErrNotFound = errors.New("there is no key for this profile")
	// ErrAsk: the key is typed at each start. ErrAsk is also an ErrNotFound.
	ErrAsk error = notFound("the key of this profile is typed at each start")
	// ErrPassphrase: the key is encrypted; see [Sealed].
	ErrPassphrase      = errors.New("the key needs its passphrase")
	ErrWrongPassphrase = errors.New("wrong passphrase")
	ErrEmpty           = errors.New("the key is empty")
	ErrNotAKey         = errors.New("this is not a valid secret key")
	// ErrUnsafe: other users can read or replace the key.
	ErrUnsafe    = errors.New("others can access the key")
	ErrNoProgram = errors.New("the key command cannot be run")
	ErrFailed    = errors.New("the source of the key failed")
	// ErrRefused: the profile does not allow this source.
	ErrRefused = errors.New("the profile does not allow this source")
	// ErrReadOnly: paydesk cannot write to this source.
	ErrReadOnly = errors.New("paydesk cannot store keys there")
)

// notFound is [ErrNotFound] with a message for its source.
type notFound string

func (e notFound) Error() string      { return string(e) }
func (notFound) Is(target error) bool { return target == ErrNotFound }

// A Problem says why a source cannot return or store a key, and what to do about it. Message
// and Hint contain no part of a key and no text from outside.
type Problem struct {
	Kind    error
	Message string
	Hint    string // a step or a command to run; "" if there is none
	stderr  string
}

// problem returns a Problem; hint may be "".
func problem(kind error, message, hint string) error {
	return &Problem{Kind: kind, Message: message, Hint: hint}
}

func (p *Problem) Error() string {
	if p.Hint == "" {
		return p.Message
	}
	return p.Message + "; " + p.Hint
}

// Unwrap returns the kind.
func (p *Problem) Unwrap() error { return p.Kind }

// Stderr returns the last line that a key command wrote to standard error, at most 200
// printable bytes, or "". It comes from outside: clean it before showing it.
func (p *Problem) Stderr() string { return p.stderr }

const maxStderr = 200 // bytes

// lastLine returns the last line of a program's output without control characters, or "" if
// the output may contain a key.
func lastLine(out []byte) string {
	if secretLike().Match(out) {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
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
