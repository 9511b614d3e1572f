package ledger

import (
	"strings"

	"paydesk/api"
	"paydesk/api/card"
)

const maxText = 200 // bytes

// Stored makes a text fit to be recorded: cleaned, without card numbers, 200 bytes at most.
func Stored(s string) string {
	s = card.Redact(api.Clean(s).Line(0))
	if len(s) <= maxText {
		return s
	}
	const more = "…"
	return strings.ToValidUTF8(s[:maxText-len(more)], "") + more // without half a rune
}

func storedText(t api.Text) string { return Stored(t.Line(0)) }

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
