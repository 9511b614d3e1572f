package sandbox

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// The aliases of the channels, as used in an initiation.
const (
	channelCard     = "Card"
	channelTransfer = "PayByTransfer"
	channelAccount  = "PayByAccount"
	channelInterac  = "Interac"
)

// currencies lists those with channels, and channelsOf their channels.
var (
	currencies = []string{"NGN", "GBP", "CAD"}
	channelsOf = map[string][]string{
		"NGN": {channelCard, channelTransfer},
		"GBP": {channelCard, channelAccount},
		"CAD": {channelInterac},
	}
)

// mustBeCurrency says which currencies there are.
func mustBeCurrency() string { return "must be one of " + strings.Join(currencies, ", ") }

// A channel is a payment method (2.9).
type channel struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Alias       string `json:"alias"`
	Description any    `json:"description"` // a string; null without one
}

// accountChannels lists all channels. Their ids depend on the seed.
func accountChannels(seed uint64) []channel {
	r := rand.New(rand.NewPCG(seed, streamChannels))
	return []channel{
		{uuid(r), "Card", channelCard, nil},
		{uuid(r), "Pay by transfer", channelTransfer, "The customer pays into an account made for this payment."},
		{uuid(r), "Pay by account", channelAccount, "The customer approves the payment at their bank."},
		{uuid(r), "Interac", channelInterac, "A request for money is sent to the customer's e-mail address."},
	}
}

// validate returns the channels for a currency, or those of them that are named (endpoint 3). The request is valid when
// at least one is left and every name was found.
func (s *Sandbox) validate(c call) *answer {
	currency := ""
	if a := c.body.part("amount", true); a != nil {
		currency = a.requiredText("currencyCode")
		a.amount("amount", minAmount)
	}
	names := c.body.texts("channels") // to check
	if no := c.refusal(); no != nil {
		return no
	}
	found, missing := []channel{}, slices.Clone(names)
	for _, ch := range s.channels {
		named := func(n string) bool { return n == ch.Name || n == ch.Alias }
		if !slices.Contains(channelsOf[currency], ch.Alias) || len(names) > 0 && !slices.ContainsFunc(names, named) {
			continue
		}
		found = append(found, ch)
		missing = slices.DeleteFunc(missing, named)
	}
	v := objectNode("isValid", len(found) > 0 && len(missing) == 0, "channels", found)
	return succeeded(v, "The channels were validated.")
}
