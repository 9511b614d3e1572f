package present

import (
	"strings"
	"time"

	"paydesk/api"
)

// AmountUnstated is said of a success whose answer has no amount that can be read: the one that is shown was requested, or is raw.
const AmountUnstated = "The service states no readable amount: compare it with the provider's first."

// ReceivedWords return what has been paid so far, of how much, in w cells, and whether that cannot be compared with the amount; "" where the
// service does not say.
func ReceivedWords(paid api.Reported, asked api.Asked, w int) (words string, odd bool) {
	of := asked.Amount
	switch {
	case paid.IsZero():
		return "", false
	case paid.Amount.Currency.IsZero():
		return paid.Text.Line(max(w-10, 1)) + " (raw)", true
	case paid.Amount.Minor < 0, paid.Amount.Currency != of.Currency && !of.Currency.IsZero():
		return paid.Amount.String(), true
	case of.Currency.IsZero():
		return paid.Amount.String(), false
	case paid.Amount.Minor > of.Minor:
		more := paid.Amount
		more.Minor -= of.Minor
		return ReceivedOf(paid, asked) + ": " + more.String() + " more than asked", false
	}
	return ReceivedOf(paid, asked), false
}

// ReceivedWhen says what was received of a payment when the service was last asked; "" where that is not known, which
// it says of a transfer.
func ReceivedWhen(paid string, transfer bool, s api.Status, at time.Time) string {
	checked := "(checked " + Clock(at.Local()) + ")"
	switch {
	case paid != "":
		return "Received " + paid + " " + checked
	case transfer:
		return "The service does not say whether any money was received; its status is " + OwnWord(s) + " " + checked + "."
	}
	return ""
}

// ReceivedOf returns what has been paid so far of a payment in the same currency: "5.00 of 12.50 GBP".
func ReceivedOf(paid api.Reported, asked api.Asked) string {
	return paid.Amount.Grouped() + " of " + asked.Amount.String()
}

// ReceivedAll reports whether all that was asked for has been paid.
func ReceivedAll(paid api.Reported, asked api.Asked) bool {
	return receivedSome(paid, asked) && paid.Amount.Minor >= asked.Amount.Minor
}

// ReceivedPart reports whether some of what was asked for has been paid, and not all.
func ReceivedPart(paid api.Reported, asked api.Asked) bool {
	return receivedSome(paid, asked) && paid.Amount.Minor < asked.Amount.Minor
}

func receivedSome(paid api.Reported, asked api.Asked) bool {
	return !paid.Amount.Currency.IsZero() && paid.Amount.Currency == asked.Amount.Currency && paid.Amount.Minor > 0
}

// Brought says that the money of a payment, in any currency, "was received", or "may have been received" where the amount cannot be
// read; "" for none.
func Brought(paid api.Reported) string {
	switch {
	case paid.Amount.Minor > 0:
		return "was received"
	case paid.Brought():
		return "may have been received"
	}
	return ""
}

// AskAboutMoney is the order where money was received for a payment that cannot succeed any more.
const AskAboutMoney = "Ask the provider about the money. Charge nothing and provide nothing."

// Meaning returns what the status of a payment means and what to do, where one that is open, or failed, has brought money too.
func Meaning(s api.Status, c api.Circumstances, paid api.Reported, asked api.Asked) (means, action string) {
	open := s.State == api.Initiated || s.State == api.ActionRequired || s.State == api.Pending
	received, _ := ReceivedWords(paid, asked, 60)
	switch brought := Brought(paid); {
	case brought == "":
	case s.State == api.Failed:
		return "The payment failed, but money " + brought + ": " + received + ".", AskAboutMoney
	case !open:
	case ReceivedAll(paid, asked):
		return "The full amount was received, but the service has not confirmed it.", "Provide nothing yet. Do not charge again."
	case ReceivedPart(paid, asked) && c.AccountExpired():
		return "The account has expired, and part of the amount was received: " + ReceivedOf(paid, asked) + ".", AskAboutMoney
	case c.AccountExpired():
		return "The account has expired, and money " + brought + ": " + received + ".", AskAboutMoney
	case ReceivedPart(paid, asked):
		return "Part of the amount was received: " + ReceivedOf(paid, asked) + ".", "Provide nothing yet. Do not charge the full amount again."
	default:
		return "Money " + brought + ": " + received + ".", "Provide nothing yet. Do not charge again."
	}
	return s.State.Meaning(c)
}

// AmountDue returns what the customer pays: with the fees, where the service says that they are added.
func AmountDue(asked api.Asked) string {
	due, _ := asked.Due()
	return withFees(asked, due.Minor-asked.Amount.Minor)
}

// withFees is the requested amount and what is added to it.
func withFees(asked api.Asked, added int64) string {
	if added <= 0 {
		return asked.Amount.String()
	}
	fees, sum := asked.Amount, asked.Amount
	fees.Minor, sum.Minor = added, asked.Amount.Minor+added
	return asked.Amount.String() + " + " + fees.String() + " fees = " + sum.String()
}

// Fees are the fees that the service states where they are not added to the amount; "" where it states
// none.
func Fees(asked api.Asked) string {
	due, known := asked.Due()
	switch {
	case asked.Fees.Minor <= 0, due != asked.Amount:
		return ""
	case known:
		return asked.Fees.String() + ", part of the amount"
	}
	return asked.Fees.String() + "; the service does not say who pays"
}

// Quote is a text of the service as its own words, "" for none.
func Quote(words api.Text) string {
	if words.Empty() {
		return ""
	}
	return "“" + words.Prose(200) + "”"
}

// Said returns what the service said about a payment, with what was asked then; "" for nothing.
func Said(words api.Text, of api.Operation) string {
	if words.Empty() {
		return ""
	}
	return Quote(words) + " (" + strings.ToLower(OperationName(of)) + ")"
}

// ExpiryWords returns when an account expires and the time left, that it has expired, or why it is not known. What
// changes each second stands at the end, so that little is sent over a slow connection.
func ExpiryWords(a api.Transfer, now time.Time) string {
	e := a.Expiration
	switch {
	case e.Time.IsZero() && e.Text.Empty():
		return "not reported"
	case e.Time.IsZero():
		return e.Text.Line(30) + ", not a readable time"
	case !e.Zoned:
		return momentOf(e.Time, now) + ", time zone not given"
	case a.Expired(now):
		return "expired at " + momentOf(e.Time.Local(), now) + skew(a.Ahead)
	}
	return momentOf(e.Time.Local(), now) + skew(a.Ahead) + ", in " + Countdown(a.Left(now))
}

// skew says how wrong this machine's clock is by the service's; "" where that is not worth a word.
func skew(ahead time.Duration) string {
	wrong := "slow"
	if ahead < 0 {
		wrong = "fast"
	}
	if ahead.Abs() <= api.MaxSkew {
		return ""
	}
	return " (this machine's clock is " + Age(ahead.Abs()) + " " + wrong + ")"
}

// NotToBePaid stands beside an account while it is in doubt what it is for.
const NotToBePaid = "do not use: mismatch"

// PayInto says what the customer of a transfer does.
func PayInto(asked api.Asked) string {
	due, known := asked.Due()
	if !known {
		return "The customer pays into this account, from their own bank. Ask the provider whether the fees are added to the amount."
	}
	return "The customer pays exactly " + due.String() + " into this account, from their own bank."
}

// NextSecond is the time until the countdown of [ExpiryWords] changes; 0 where there is none.
func NextSecond(a api.Transfer, now time.Time) time.Duration {
	left := a.Left(now)
	if left <= 0 {
		return 0
	}
	return (left-1)%time.Second + 1
}

// momentOf is a time of day, with the date unless it is today.
func momentOf(when, now time.Time) string {
	if when.Format(time.DateOnly) == now.In(when.Location()).Format(time.DateOnly) {
		return Clock(when)
	}
	return when.Format(time.DateOnly) + " " + Clock(when)
}
