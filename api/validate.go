package api

import (
	"context"

	"paydesk/api/money"
)

// Channels are the usable channels (2.9).
type Channels struct {
	Valid    bool
	Channels []Channel
	Message  Text // the service's words
}

// A ChannelAlias is the name of a channel as an initiation sends it: [A-Za-z0-9_-]{1,64}.
type ChannelAlias string

// A Channel is one way to pay (2.9). Alias is empty when the service sent no valid one.
type Channel struct {
	Name        Text
	Alias       ChannelAlias
	Description Text
}

// ValidateChannels checks which channels are usable for an amount (endpoint 3). Without names it
// checks those that the account may use. It is a POST that changes nothing, so its errors are
// [*Refusal] and [*Failure]; it too is sent only once.
func (c *Client) ValidateChannels(ctx context.Context, amount money.Amount, names ...string) (Channels, error) {
	return observe(ctx, c, OpValidateChannels, "", func(ctx context.Context) (Channels, error) {
		if amount.Currency.IsZero() {
			return Channels{}, notSent("the currency is unknown")
		}
		body, err := encode(validateBody{validateAmount.body(amount), names}, "")
		if err != nil {
			return Channels{}, err
		}
		ctx, stop := context.WithTimeout(ctx, ReadLimit) // a question is waited for no longer than any other
		defer stop()
		a, f := c.post(ctx, request{origin: c.base, path: "/api/payment/pay/validate", body: body, limit: smallBody})
		e, err := readOutcome(a, f, standardEnvelope)
		if err != nil {
			return Channels{}, err
		}
		found := Channels{Valid: e.payload.field("isValid").kind() == 't', Message: e.top.field("message").display()}
		for _, v := range e.payload.field("channels").items() {
			found.Channels = append(found.Channels, channel(v))
		}
		return found, nil
	})
}

// channel reads one channel (2.9). Its alias goes into a later request, so it must be a valid one.
func channel(v *value) Channel {
	ch := Channel{
		Name: v.field("name").display(), Description: v.field("description").display(),
	}
	alias, _ := v.field("alias").text()
	if isToken(alias, 64, "_-") && !v.field("alias").tells() {
		ch.Alias = ChannelAlias(alias)
	}
	return ch
}

// validateBody is the request of 2.9.
type validateBody struct {
	Amount   amountBody `json:"amount"`
	Channels []string   `json:"channels,omitempty"`
}
