package present

import (
	"paydesk/api"
	"paydesk/ui"
)

// PaymentName names a payment by its reference. One that looks like a card number is not named.
func PaymentName(r api.Reference) string {
	if r == "" || r.LooksLikeCard() {
		return "Payment"
	}
	return "Payment " + string(r)
}

// Settled says in the console's own words how a payment has ended, or that it is in doubt, for a notice and for a
// notification on the desktop, where the environment is said too.
func Settled(r api.Reference, s api.Status, doubt bool, environment string) string {
	word := OwnWord(s)
	if doubt {
		word = Mismatch
	}
	if environment != "" {
		word += " (" + environment + ")"
	}
	return PaymentName(r) + ": " + word
}

// SettledTone is the colour of that.
func SettledTone(s api.Status, doubt bool) ui.Tone {
	if doubt {
		return ui.ToneMismatch
	}
	return Tone(s)
}
