package api

import (
	"context"
	"strings"
	"time"

	"paydesk/api/card"
	"paydesk/api/money"
)

// Channel names. The specification has the first two; the others are observed, for GBP and for CAD.
const (
	ChannelCard     = "Card"
	ChannelTransfer = "PayByTransfer"
	ChannelAccount  = "PayByAccount"
	ChannelInterac  = "Interac"
)

// KnownChannels are the channels that have a name here.
var KnownChannels = [...]string{ChannelCard, ChannelTransfer, ChannelAccount, ChannelInterac}

// A Customer is the userInformation of an initiation (2.3).
type Customer struct {
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
	Email     string `json:"emailAddress"`
	Phone     string `json:"phone"`
}

// A CardEntry is the card part of an initiation (2.4).
type CardEntry struct {
	PAN    card.PAN
	CVV    card.CVV
	Expiry card.Expiry
}

// Wipe overwrites the number and the CVV in every copy of the card, if there is one.
func (c *CardEntry) Wipe() {
	if c != nil {
		c.PAN.Wipe()
		c.CVV.Wipe()
	}
}

// An Initiation is one payment to be sent (2.2). It is a value: it is sent as it was
// reviewed.
type Initiation struct {
	Amount    money.Amount
	Channel   string
	Narration string
	Link      Alias // empty unless the payment is for a link
	Customer  Customer
	Card      *CardEntry // nil unless Channel is [ChannelCard]
	ReturnURL string     // not sent for [ChannelTransfer]
	Email     string     // where [ChannelInterac] sends its request; not sent for others
	MetaData  []Pair
	// OwnReference is ours, at most 20 letters and digits; "" to send none. The specification does not mention one, but the
	// service accepts it.
	OwnReference string
}

// A Pair is one entry of metaData.
type Pair struct{ Key, Value string }

// A Payment is the response to an initiation (2.5, 2.6).
type Payment struct {
	Reference Reference
	Status    Status
	BankAuth  Address // zero when no bank authorisation is needed
	// BankAuthRefused tells why the URL in the response cannot be used; empty when it can, or there is
	// none.
	BankAuthRefused Text
	// Amount is as reported, in the reported currency; a number without one is in the currency that was
	// sent.
	Amount    money.Amount
	HasAmount bool      // the response contains a readable amount
	Transfer  *Transfer // nil unless the channel is a transfer
	// Fees and Total are as the response states them beside the amount; zero when it states none.
	Fees, Total money.Amount
	// Difference tells how amount or currency differ from the request; zero when they agree.
	Difference Difference
	Message    Text `json:"-"` // the service's words about the payment
}

// A Transfer is the account that the customer pays into (2.7).
type Transfer struct {
	Note, Bank, AccountNumber, AccountName, Mode Text
	Expiration                                   Timestamp
	// Ahead is by how much the service's clock, by which the account expires, is ahead of this machine's. It is not recorded.
	Ahead time.Duration `json:"-"`
}

// Initiate sends one payment (endpoint 1), once. Its errors are [*Refusal], [*Unresolved] and
// [*Failure].
func (c *Client) Initiate(ctx context.Context, in Initiation) (Payment, error) {
	return observe(ctx, c, OpInitiate, "", func(ctx context.Context) (Payment, error) {
		if err := in.check(); err != nil {
			return Payment{}, err
		}
		body, hide, err := c.initiationBytes(in)
		if err != nil {
			return Payment{}, err
		}
		defer hide.wipe()
		r := request{origin: c.base, path: "/api/payment/pay/initiate", body: body, limit: smallBody, redactor: hide}
		e, err := writeOutcome(c.post(ctx, r))
		if err != nil {
			named, tells := e.payloadReference()
			return Payment{}, e.named(err, "payment", string(named), tells)
		}
		return c.payment(in, e)
	})
}

// payloadReference is the reference of the payment in the response to an initiation: see [firstReference].
func (e envelope) payloadReference() (first Reference, tells bool) {
	item := e.payload.field("paymentItem")
	return firstReference(item.field("paymentReference"), item.field("reference"))
}

// payment reads the response to an initiation (2.5, 2.6). Without a reference the status can never
// be checked, so the outcome is unresolved.
func (c *Client) payment(in Initiation, e envelope) (Payment, error) {
	item := e.payload.field("paymentItem")
	reference, tells := e.payloadReference()
	switch {
	case tells:
		return Payment{}, e.unresolved("the response reports success, but its reference repeats the card data or the key that was sent")
	case reference == "":
		return Payment{}, e.unresolved("the response reports success but contains no valid reference")
	case namesTwo(item, in.OwnReference):
		return Payment{}, e.named(e.unresolved("the response names two different references"), "payment", string(reference), false)
	}
	c.name(string(reference))
	p := Payment{
		Reference: reference,
		Status:    ParseClaim(e.payload.field("paymentStatus").redacted()),
		Transfer:  transfer(item.field("metaData").field("transfer-info")),
		Message:   firstText(e.payload.field("message"), item.field("message"), e.top.field("message")),
	}
	if p.Transfer != nil {
		p.Transfer.Ahead = e.ahead
	}
	p.BankAuth, p.BankAuthRefused = c.handoff(e.payload.field("bankAuthURL"))
	reported := readReported(item.field("amount"), item, initiateAmount).In(in.Amount.Currency)
	p.Amount, p.HasAmount = reported.Amount, reported.Readable()
	p.Fees, _ = readAmount(item.field("fees"), in.Amount.Currency, initiateAmount)
	p.Total, _ = readAmount(item.field("totalAmount"), in.Amount.Currency, initiateAmount)
	asked := Asked{Amount: in.Amount, Fees: p.Fees, Total: p.Total}
	if p.Total.Minor == 0 && asked.explains(reported.Amount) {
		p.Total = reported.Amount // the amount has the fees in it
	}
	p.Difference = asked.compareAmount(reported)
	return p, nil
}

// namesTwo reports whether a payment item has two references, which are the same one for a card (2.6);
// reference may also be our own.
func namesTwo(item *value, own string) bool {
	service, _ := firstReference(item.field("paymentReference"))
	other, _ := firstReference(item.field("reference"))
	return service != "" && other != "" && !strings.EqualFold(string(service), string(other)) && string(other) != own
}

// handoff reads a URL that is to be opened in a browser; absent, null and "" mean that none is needed.
func (c *Client) handoff(v *value) (Address, Text) {
	if v.plain() == "" {
		return Address{}, Text{}
	}
	raw, ok := v.text()
	if !ok {
		return Address{}, Clean("it is not a string")
	}
	if v.secrets.tellsURL(raw) {
		return Address{}, Clean("it contains card data or the key")
	}
	a, err := c.parseHandoff(raw)
	if err != nil {
		return Address{}, Clean(err.Error())
	}
	return a, Text{}
}

// transfer reads transfer-info (2.7); nil when there is none.
func transfer(v *value) *Transfer {
	if v.kind() != '{' {
		return nil
	}
	return &Transfer{
		Note: v.field("note").display(), Bank: v.field("bank").display(),
		AccountNumber: Clean(v.field("account_number").redacted()), AccountName: v.field("account_name").display(),
		Mode: v.field("mode").display(), Expiration: ParseTimestamp(v.field("expiration").redacted()),
	}
}
