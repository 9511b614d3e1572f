package api

import (
	"context"

	"paydesk/api/card"
	"paydesk/api/money"
)

// Channel names as the specification and the facts page write them.
const (
	ChannelCard     = "Card"
	ChannelTransfer = "PayByTransfer"
)

// A Customer is the userInformation of an initiation (2.3).
type Customer struct{ FirstName, LastName, Email, Phone string }

// A CardEntry is the card part of an initiation (2.4).
type CardEntry struct {
	PAN    card.PAN
	CVV    card.CVV
	Expiry card.Expiry
}

// An Initiation is one payment as it will be sent (2.2). It is a value: what
// was reviewed is what is sent.
type Initiation struct {
	Amount    money.Amount
	Channel   string
	Narration string
	Link      Alias // empty unless a link is paid
	Customer  Customer
	Card      *CardEntry // nil unless Channel is [ChannelCard]
	ReturnURL string
	MetaData  []Pair
	// OwnReference is sent when the client's SendReference is on: at most 20
	// alphanumeric characters.
	OwnReference string
}

// A Pair is one entry of metaData.
type Pair struct{ Key, Value string }

// A Payment is what came of an initiation (2.5, 2.6).
type Payment struct {
	Reference Reference
	Status    Status
	Message   Text
	BankAuth  Address // zero when none is needed
	// BankAuthRefused says why an address that came cannot be used; empty when
	// it can or none came.
	BankAuthRefused Text
	Channel         Text
	Amount          money.Amount // as the answer says, in the currency that was sent
	Fees            money.Amount
	HasAmount       bool // the answer named an amount that could be read
	HasFees         bool
	Transfer        *Transfer // nil unless the channel is a transfer
	// Mismatch says how amount or currency differ from what was asked; empty
	// when they agree (R32).
	Mismatch Text
}

// A Transfer is the account a customer shall pay into (2.7).
type Transfer struct {
	Note, Bank, AccountNumber, AccountName, Mode Text
	Expiration                                   Moment
}

// Initiate sends one payment (endpoint 1), once. The errors are [*Refusal],
// [*Unresolved] and [*Failure].
func (c *Client) Initiate(ctx context.Context, in Initiation) (Payment, error) {
	panic("contract")
}

// InitiationBody is the JSON that [Client.Initiate] sends for in, indented, with the
// card masked, for people to read before they send it.
func (c *Client) InitiationBody(in Initiation) string { panic("contract") }
