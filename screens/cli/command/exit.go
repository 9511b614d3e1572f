package command

import (
	"errors"
	"slices"
	"strings"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/api/webhook"
	"paydesk/screens/present"
	"paydesk/ui/terminal"
)

// A Code ends paydesk. A signal n ends it with 128+n.
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

// gravest orders the codes of several references: the command ends with the first that one of them has.
var gravest = []Code{Defect, Unresolved, Locked, Duplicate, Usage, Failed, Refused, PaymentFailed, NotFinal, Done}

// Worse returns the graver of two reasons.
func Worse(a, b Reason) Reason {
	if slices.Index(gravest, a.Exit) <= slices.Index(gravest, b.Exit) {
		return a
	}
	return b
}

// A Reason tells scripts in a word why a command ends with another code than 0. They may depend on it as on the exit codes.
type Reason struct {
	Name    string // "code" of a refusal
	Exit    Code
	Words   string // what happened, where the command has no better words
	command string // safe to run next; ATTEMPT, REF and COMMAND stand for those of the refusal
	does    string // says what the command is for, or what else comes next, where the refusal does not say it
}

var (
	WhyFailed        = Reason{"failed", Failed, "it failed", "", ""}
	NoAnswer         = Reason{"no-answer", Failed, "the service gave no answer that can be used", "paydesk doctor", "checks what works"}
	NoKey            = Reason{"no-key", Failed, "no usable key was found", "paydesk doctor", "checks what works"}
	WhyJournal       = Reason{"journal", Failed, "the journal cannot be used", "paydesk journal status", "says what is wrong with it"}
	WhyFile          = Reason{"file", Failed, "a file cannot be read or written", "", ""}
	WhyAddress       = Reason{"address-in-use", Failed, "another program listens at the address", "", ""}
	WhyRecorded      = Reason{"recorded", Failed, "what is recorded does not allow it", "paydesk activity", "lists what is recorded"}
	WhyDeclined      = Reason{"declined", Failed, "a person did not confirm it", "", ""}
	badUsage         = Reason{"usage", Usage, "the arguments are wrong", "COMMAND --help", "shows its usage"}
	badQuery         = Reason{"query", Usage, "a query cannot be understood", "paydesk help query", "describes the language"}
	badConfig        = Reason{"configuration", Usage, "the configuration cannot be used", "paydesk config check", "says what is wrong with it"}
	WhyNoConfig      = Reason{"no-configuration", Usage, "there is no configuration", "paydesk profile add NAME --base-url URL", "makes one"}
	noProfile        = Reason{"no-profile", Usage, "there is no such profile, or no default one", "paydesk profile list", "lists them"}
	WhySecret        = Reason{"secret", Usage, "an argument may be a key or a card number", "paydesk help configuration", "says where a key is kept"}
	WhyUnconfirmed   = Reason{"unconfirmed", Usage, "a person has to confirm it, or --yes", "", ""}
	WhyNoTerminal    = Reason{"no-terminal", NoTerminal, "the console needs a terminal", "paydesk --plain", "asks line by line"}
	WhyDefect        = Reason{"defect", Defect, "a defect of paydesk", "paydesk bundle", "prints what support needs to know"}
	WhyRefused       = Reason{"refused", Refused, "the service refused it", "", ""}
	WhyNotFound      = Reason{"not-found", Refused, "there is no record of it", "", "Check what was named, and the profile"}
	keyRejected      = Reason{"key-rejected", Refused, "the service rejected the key", "paydesk key show", "shows which key was used"}
	tooMany          = Reason{"too-many-requests", Refused, "the service received too many requests", "", ""} // the answer says when to try again
	WhyUnresolved    = Reason{"unresolved", Unresolved, "it is not known what was done", "paydesk activity show ATTEMPT", "shows what is known"}
	WhyMismatch      = Reason{"mismatch", Unresolved, "the service's answer differs from what was asked for", "paydesk activity show ATTEMPT", "shows what is known"}
	WhyPaymentFailed = Reason{"payment-failed", PaymentFailed, "the payment ended without success", "paydesk status REF", "shows how it ended"}
	WhyNotFinal      = Reason{"not-final", NotFinal, "a payment is not final", "paydesk status REF --until final", "waits for its end"}
	WhyListChanged   = Reason{"list-changed", NotFinal, "the list changed meanwhile, or may not be whole", "paydesk transactions --all", "reads it again"}
	duplicate        = Reason{"duplicate", Duplicate, "an earlier attempt is like it", "paydesk activity show ATTEMPT", "shows the earlier one"}
	WhyFinalized     = Reason{"finalized", Duplicate, "it is finalized already, or may be", "paydesk status REF --until final", "waits for its end"}
	WhyLocked        = Reason{"locked", Locked, "a person at a terminal has to allow it", "paydesk", "asks a person at a terminal"}
	lossStands       = Reason{"loss", Locked, "a loss of the journal was not acknowledged", "paydesk journal acknowledge", "shows it, and allows sending again"}
)

// Reasons lists all of them, in the order of their exit codes. The first of each code stands for an error without a reason.
var Reasons = []Reason{
	WhyFailed, NoAnswer, NoKey, WhyJournal, WhyFile, WhyAddress, WhyRecorded, WhyDeclined,
	badUsage, badQuery, badConfig, WhyNoConfig, noProfile, WhySecret, WhyUnconfirmed,
	WhyNoTerminal, WhyDefect, WhyRefused, WhyNotFound, keyRejected, tooMany, WhyUnresolved, WhyMismatch,
	WhyPaymentFailed, WhyNotFinal, WhyListChanged, duplicate, WhyFinalized, WhyLocked, lossStands,
}

// Correctable reports whether plain mode asks for other answers after an error: nothing was made, and other answers may help.
func (p *Program) Correctable(err error) bool {
	return slices.Contains([]Reason{badUsage, badQuery, WhySecret, WhyDeclined, WhyRefused, duplicate}, Judge(err)) &&
		slices.Contains([]api.Outcome{"", api.OutcomeNotSent, api.OutcomeRefused}, p.About.sent)
}

// ReasonOf returns the first reason of an exit code.
func ReasonOf(c Code) Reason {
	for _, r := range Reasons {
		if r.Exit == c {
			return r
		}
	}
	return Reason{"stopped", c, "stopped", "", ""}
}

// CodeOf returns the exit code of an error.
func CodeOf(err error) Code { return Judge(err).Exit }

// Judge returns the reason of an error: the one place that decides it.
func Judge(err error) Reason {
	if refused, is := errors.AsType[*Refusal](err); is {
		return refused.Reason
	}
	var signal Signalled
	var conflict *ledger.FinalizeConflict
	refusal, refused := errors.AsType[*api.Refusal](err)
	_, throttled := api.Backoff(err)
	switch {
	case err == nil:
		return Reason{}
	case errors.Is(err, api.ErrUnresolved):
		return WhyUnresolved
	case errors.As(err, &signal):
		return ReasonOf(Code(128 + int(signal.Signal)))
	case errors.As(err, &conflict) && conflict.Other.Mismatch.InDoubt():
		return WhyMismatch
	case errors.As(err, &conflict):
		return WhyFinalized
	case errors.As(err, new(*ledger.Duplicate)):
		return duplicate
	case errors.Is(err, journal.ErrLoss):
		return lossStands
	case errors.As(err, new(*session.GateClosed)):
		return WhyLocked
	case api.KeyRejected(err):
		return keyRejected
	case refused && throttled:
		busy := tooMany
		busy.does = strings.TrimSuffix(present.Error(err, present.Reading).Next, ".")
		return busy
	case api.NotFound(err):
		return WhyNotFound
	case errors.Is(err, webhook.ErrAddress), errors.Is(err, webhook.ErrNotLoopback):
		return badUsage
	case refused && refusal.Kind == api.KindHTTP: // by a gateway, which does not know what the service has
		return NoAnswer
	case refused:
		return WhyRefused
	case errors.As(err, new(*ledger.Unavailable)):
		return WhyJournal
	case errors.As(err, new(*api.Failure)):
		return NoAnswer
	}
	return WhyFailed
}
