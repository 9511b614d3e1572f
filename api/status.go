package api

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

// Final reports whether the state will not change any more.
func (s State) Final() bool { return s == Successful || s == Failed }

// A Status is a state and the word it was read from.
type Status struct {
	State State
	Text  Text // the word as it came, cleaned
}

// ParseStatus reads a status word: blanks around it and case are ignored, and
// nothing else is (R48).
func ParseStatus(s string) Status { return Status{Text: Clean(s)} }
