package api

import (
	"slices"
	"strings"

	"paydesk/api/card"
)

// State is the meaning of a status word (3.1).
type State uint8

// The states of a payment. The zero State is Unrecognised, which never counts as success.
const (
	Unrecognised     State = iota // an unknown word: displayed as received, and still polled
	Initiated                     // INITIATED
	ActionRequired                // REQUIRE_USER_OFFLINE_ACTION: the customer must pay outside
	BankAuthRequired              // REQUIRE_BANK_AUTH, REQUIRED_BANK_AUTH
	Pending                       // PENDING: authorised, awaiting bank settlement
	Successful                    // SUCCESSFUL, Successfull: funds have been secured
	Failed                        // FAILED: the charge was rejected
	Claimed                       // a final word where only a status answer is final: see [ParseClaim]
)

// statusWords lists every known word. REQUIRED_BANK_AUTH and REQUIRE_BANK_AUTH are observed, the
// rest is from 3.1.
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

// Final reports whether the state cannot change any more.
func (s State) Final() bool { return s == Successful || s == Failed }

// stateWords are the documented words of the states.
var stateWords = [...]string{
	Unrecognised:     "UNRECOGNISED",
	Initiated:        "INITIATED",
	ActionRequired:   "REQUIRE_USER_OFFLINE_ACTION",
	BankAuthRequired: "REQUIRE_BANK_AUTH",
	Pending:          "PENDING",
	Successful:       "SUCCESSFUL",
	Failed:           "FAILED",
	Claimed:          "CLAIMED",
}

// StateWords are the words of all states, as [State.String] has them.
func StateWords() []string { return slices.Clone(stateWords[:]) }

// String is the documented word of the state, or UNRECOGNISED.
func (s State) String() string {
	if int(s) >= len(stateWords) {
		s = Unrecognised
	}
	return stateWords[s]
}

// A Status is a state and the word it was read from.
type Status struct {
	State State
	Text  Text // the word as received, cleaned
}

// Next is the status to keep after another one is reported. A final status stays, in its first
// spelling, whatever is reported after it.
func (s Status) Next(reported Status) Status {
	if s.State.Final() {
		return s
	}
	return reported
}

// ParseStatus parses a status word. It ignores only ASCII spaces around it and ASCII case. Of an
// unknown word every non-ASCII rune is spelled out.
func ParseStatus(s string) Status {
	state, known := statusWords[LowerASCII(trimSpace(s))]
	if !known {
		return Status{Text: CleanASCII(card.Redact(s))}
	}
	return Status{state, Clean(s)}
}

// ParseClaim parses a status word of the response to an initiation. A final word in it is only
// [Claimed]: the payment is final once the status endpoint reports so.
func ParseClaim(s string) Status {
	status := ParseStatus(s)
	if status.State.Final() {
		status.State = Claimed
	}
	return status
}

// StateOf is the state with a documented word, as [State.String] has it, and [Unrecognised] for
// every other word.
func StateOf(word string) State { return State(max(slices.Index(stateWords[:], word), 0)) }

// Spellings are the documented words of a state, in lower case.
func (s State) Spellings() (all []string) {
	for word, state := range statusWords {
		if state == s {
			all = append(all, word)
		}
	}
	slices.Sort(all)
	return all
}

// trimSpace removes ASCII spaces. Unicode spaces and look-alikes stay.
func trimSpace(s string) string { return strings.Trim(s, " \t\r\n\v\f") }

// LowerASCII folds ASCII letters only; Unicode would fold others into them.
func LowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}
