package journal

import "strconv"

// A LookAlike is the error of a payment that looks like others that were sent already
// (R44). Nothing was sent and nothing written down.
type LookAlike struct{ Attempts []Attempt }

// Error says how many there are.
func (l *LookAlike) Error() string {
	if len(l.Attempts) == 1 {
		return "Nothing was sent: a payment like this one was sent already."
	}
	return "Nothing was sent: " + strconv.Itoa(len(l.Attempts)) + " payments like this one were sent already."
}

// A Blocked is the error of a journal that cannot be written, so that nothing was sent
// (R102, R103). Why is a sentence about what is wrong and what to do.
type Blocked struct {
	Why string
	err error
}

// Error is the sentence.
func (b *Blocked) Error() string { return b.Why }

// Unwrap is what the file system or the database said.
func (b *Blocked) Unwrap() error { return b.err }
