package present

import (
	"paydesk/api"
)

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

// said name what was asked when the service said something.
var said = map[api.Operation]string{
	api.OpInitiate: "initiation", api.OpTransaction: "status check", api.OpFinalize: "finalize", api.OpAuthenticate: "authentication check",
}

// Said returns what the service said about a payment, with what was asked then; "" for nothing.
func Said(words api.Text, of api.Operation) string {
	if words.Empty() {
		return ""
	}
	return Quote(words) + " (" + said[of] + ")"
}
