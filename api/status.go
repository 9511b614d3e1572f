package api

import (
	"strings"

	"paydesk/api/card"
)

// State is what a status word is taken to mean (3.1, R48).
type State uint8

// The states of a payment. The zero State is Unrecognised and never good news.
const (
	Unrecognised     State = iota // a word we do not know: shown as it came, still asked
	Initiated                     // INITIATED
	ActionRequired                // REQUIRE_USER_OFFLINE_ACTION: the customer must pay outside
	BankAuthRequired              // REQUIRE_BANK_AUTH, REQUIRED_BANK_AUTH
	Pending                       // PENDING: authorised, awaiting bank settlement
	Successful                    // SUCCESSFUL, Successfull: funds have been secured
	Failed                        // FAILED: the charge was rejected
)

// statusWords is every word that means something; REQUIRED_BANK_AUTH and REQUIRE_BANK_AUTH
// come from the facts page, the rest from 3.1.
var statusWords = map[string]State{
	"initiated":                   Initiated,
	"require_user_offline_action": ActionRequired,
	"require_bank_auth":           BankAuthRequired,
	"required_bank_auth":          BankAuthRequired,
	"pending":                     Pending,
	"successful":                  Successful,
	"successfull":                 Successful,
	"failed":                      Failed,
}

// Final reports whether the state will not change any more.
func (s State) Final() bool { return s == Successful || s == Failed }

// String is the documented word of the state, and UNRECOGNISED for what has none.
func (s State) String() string {
	switch s {
	case Initiated:
		return "INITIATED"
	case ActionRequired:
		return "REQUIRE_USER_OFFLINE_ACTION"
	case BankAuthRequired:
		return "REQUIRE_BANK_AUTH"
	case Pending:
		return "PENDING"
	case Successful:
		return "SUCCESSFUL"
	case Failed:
		return "FAILED"
	}
	return "UNRECOGNISED"
}

// A Status is a state and the word it was read from.
type Status struct {
	State State
	Text  Text // the word as it came, cleaned
}

// Next is the status to keep once another was reported: a final one stands, in its first
// spelling, whatever is reported after it.
func (s Status) Next(reported Status) Status {
	if s.State.Final() {
		return s
	}
	return reported
}

// ParseStatus reads a status word: ASCII blanks around it and ASCII case are
// ignored, and nothing else is (R48). A word that is not known shows every rune
// beyond ASCII (R5).
func ParseStatus(s string) Status {
	state, known := statusWords[lowerASCII(trimSpace(s))]
	if !known {
		return Status{Text: CleanASCII(card.Redact(s))}
	}
	return Status{state, Clean(s)}
}

// trimSpace takes ASCII blanks away. Unicode's blanks stay, and so does what only looks
// like none.
func trimSpace(s string) string { return strings.Trim(s, " \t\r\n\v\f") }

// lowerASCII folds ASCII letters only; Unicode would fold others into them.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}
