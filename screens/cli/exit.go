package cli

import (
	"errors"
	"slices"
	"syscall"

	"paydesk/api"
	"paydesk/api/gate"
	"paydesk/api/journal"
	"paydesk/ui/terminal"
)

// A Code is how paydesk ends. A signal n ends it with 128+n.
type Code int

// The exit codes. Scripts depend on them.
const (
	Done          Code = 0
	Failed        Code = 1
	Usage         Code = 2 // wrong arguments or configuration
	NoTerminal    Code = 3
	Defect        Code = terminal.ExitCrash
	Refused       Code = 5  // by the service; an unknown reference too
	Unresolved    Code = 6  // it is not known what something that was sent did, or a payment is a mismatch
	PaymentFailed Code = 7  // a payment ended without success
	NotFinal      Code = 8  // a payment has no final status, not yet or not in time; or a list changed while it was read
	Duplicate     Code = 9  // a possible duplicate, or a second finalize, was held back
	Locked        Code = 10 // live is read-only here, or a loss of the journal was not acknowledged
)

// gravest orders the codes of several references: the first of them is that of the command.
var gravest = []Code{Defect, Unresolved, Locked, Duplicate, Usage, Failed, Refused, PaymentFailed, NotFinal, Done}

// worse returns the graver of two codes.
func worse(a, b Code) Code {
	if slices.Index(gravest, a) <= slices.Index(gravest, b) {
		return a
	}
	return b
}

// An ending is an error with the code that it ends paydesk with. Without an error nothing more is printed.
type ending struct {
	code Code
	err  error
}

// Error is that of the error.
func (e *ending) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

// Unwrap returns the error.
func (e *ending) Unwrap() error { return e.err }

// exit ends the command with a code: an error with its own words, or nil when everything has been printed.
func exit(c Code, err error) error {
	if c == Done && err == nil {
		return nil
	}
	return &ending{c, err}
}

// A sentence is an error in whole sentences, as a person reads it.
type sentence string

// Error implements error.
func (s sentence) Error() string { return string(s) }

// usage ends the command because its arguments are wrong.
func usage(why string) error { return exit(Usage, sentence(why)) }

// A signalled error is the signal that ended a command.
type signalled struct{ syscall.Signal }

// Error is never shown: the exit code tells which signal it was.
func (s signalled) Error() string { return "stopped" }

// codeOf returns the code of an error: the one place that decides it.
func codeOf(err error) Code {
	var end *ending
	var signal signalled
	var duplicate *journal.Duplicate
	var conflict *journal.FinalizeConflict
	var closed *gate.Closed
	var refusal *api.Refusal
	switch {
	case err == nil:
		return Done
	case errors.As(err, &end):
		return end.code
	case errors.Is(err, api.ErrUnresolved):
		return Unresolved
	case errors.As(err, &signal):
		return Code(128 + int(signal.Signal))
	case errors.As(err, &conflict) && conflict.Other.Mismatch.Undecided():
		return Unresolved
	case errors.As(err, &duplicate), errors.As(err, &conflict):
		return Duplicate
	case errors.As(err, &closed), errors.Is(err, journal.ErrLoss):
		return Locked
	case errors.As(err, &refusal):
		return Refused
	}
	return Failed
}
