package api

import (
	"context"

	"paydesk/api/money"
)

// Channels is which channels are usable (2.9).
type Channels struct {
	Valid    bool
	Channels []Channel
}

// A ChannelAlias is a name of a channel that can be sent back: [A-Za-z0-9_-]{1,64}.
type ChannelAlias string

// A Channel is one way to pay (2.9). Alias is what initiation sends; it is
// empty when what came is none.
type Channel struct {
	ID          Text
	Name        Text
	Alias       ChannelAlias
	AliasText   Text
	Description Text
}

// ValidateChannels asks which channels are usable for an amount (endpoint 3). No
// names ask for those eligible on the account. It is a POST that moves nothing, so
// its errors are [*Refusal] and [*Failure]; it too is sent once.
func (c *Client) ValidateChannels(ctx context.Context, amount money.Amount, names ...string) (Channels, error) {
	if amount.Currency.IsZero() {
		return Channels{}, notSent("the currency is not known")
	}
	body, err := encode(validateBody{validateAmountBody{amount.Currency.Code(), validateAmount{}.of(amount)}, names}, "")
	if err != nil {
		return Channels{}, notSent("the question cannot be written as JSON")
	}
	a, f := c.post(ctx, request{origin: c.base, path: "/api/payment/pay/validate", body: body, limit: smallBody})
	e, err := readOutcome(a, f, standardEnvelope)
	if err != nil {
		return Channels{}, err
	}
	found := Channels{Valid: e.payload.field("isValid").kind() == 't'}
	for v := range e.payload.field("channels").items() {
		found.Channels = append(found.Channels, channel(v))
	}
	return found, nil
}

// channel reads one channel (2.9). Its alias goes into a later request, so it is
// held to the letters of an alias.
func channel(v value) Channel {
	ch := Channel{
		ID: v.field("id").displayID(), Name: v.field("name").display(),
		AliasText: v.field("alias").displayASCII(), Description: v.field("description").display(),
	}
	alias, _ := v.field("alias").text()
	if isToken(alias, 64, "_-") {
		ch.Alias = ChannelAlias(alias)
	}
	return ch
}

// validateBody is the request of 2.9.
type validateBody struct {
	Amount   validateAmountBody `json:"amount"`
	Channels []string           `json:"channels,omitempty"`
}

type validateAmountBody struct {
	Currency string         `json:"currencyCode"`
	Amount   validateAmount `json:"amount"`
}
