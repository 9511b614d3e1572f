package ledger

import (
	"strings"

	"paydesk/api"
)

// Stored makes a text fit to be recorded: see [api.Text.Stored].
func Stored(s string) string { return api.Clean(s).Stored() }

// RejectCardNumber rejects a reference or an alias that would not be recorded as it is: both are short and
// clean, so there is a card number in it.
func RejectCardNumber(name string) error {
	if Stored(name) != name {
		return Rejected("That looks like a card number, which is never recorded.")
	}
	return nil
}

// digits returns the ASCII digits in s.
func digits(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }), "")
}

// lastFour returns at most the last four digits in s.
func lastFour(s string) string {
	all := digits(s)
	return all[max(0, len(all)-4):]
}

// isSpelledAs reports whether two references or aliases differ at most in the case of their letters. They are
// taken for one, because the service answers in either spelling.
func isSpelledAs[S ~string](a, b S) bool {
	return api.LowerASCII(string(a)) == api.LowerASCII(string(b))
}
