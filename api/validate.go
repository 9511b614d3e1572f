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

// A Channel is one way to pay (2.9). Alias is what initiation sends; it is
// empty when what came does not match [A-Za-z0-9_-]{1,64} and cannot be sent.
type Channel struct {
	ID          Text
	Name        Text
	Alias       string
	AliasText   Text
	Description Text
}

// ValidateChannels asks which channels are usable for an amount (endpoint 3). No
// names ask for those eligible on the account.
func (c *Client) ValidateChannels(ctx context.Context, amount money.Amount, names ...string) (Channels, error) {
	panic("contract")
}
