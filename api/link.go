package api

import (
	"cmp"
	"context"

	"paydesk/api/money"
)

// LinkType says how often a link can be paid (2.8).
type LinkType int

// The link types, with their wire integers.
const (
	OneTime  LinkType = 0
	Reusable LinkType = 1
)

// AmountType says who chooses the amount (2.8).
type AmountType int

// The amount types, with their wire integers.
const (
	Static  AmountType = 0
	Dynamic AmountType = 1
)

// A LinkDraft is a payment link as it will be created (2.8). The currency of
// Amount is sent in both places that name one.
type LinkDraft struct {
	Name, Description string
	Type              LinkType
	AmountType        AmountType
	Amount            money.Amount
}

// A Link is a hosted payment page (2.8).
type Link struct {
	ID          Text
	Name        Text
	Description Text
	Alias       Alias
	Page        Address // zero when the address that came cannot be used
	PageText    Text    // the address as it came
	Amount      money.Amount
	HasAmount   bool
	Type        Text // OneTime, Reuseable, or what came
	// AmountType is the draft's: the answer does not say it (2.8).
	AmountType  AmountType
	Status      Text
	Created     Timestamp
	Environment Text
}

// CreateLink creates a payment link (endpoint 2), once. The errors are [*Refusal],
// [*Unresolved] and [*Failure].
func (c *Client) CreateLink(ctx context.Context, d LinkDraft) (Link, error) {
	if d.Amount.Currency.IsZero() {
		return Link{}, notSent("the currency is not known")
	}
	if d.Amount.Minor < 0 {
		return Link{}, notSent("the amount is less than nothing")
	}
	body, err := encode(d.body(), "")
	if err != nil {
		return Link{}, notSent("the link cannot be written as JSON")
	}
	e, err := writeOutcome(c.post(ctx, request{origin: c.base, path: "/api/payment/payment-link", body: body, limit: smallBody}))
	if err != nil {
		return Link{}, err
	}
	return c.link(e)
}

// link reads the answer to a creation (2.8). A link without an alias cannot be
// used, and nobody knows whether it was made.
func (c *Client) link(e envelope) (Link, error) {
	v := e.payload
	address, _ := v.field("link").text()
	alias, _ := v.field("alias").text()
	a, err := ParseAlias(cmp.Or(alias, address)) // the last part of the address is the alias
	if err != nil || alias == "" && address == "" {
		return Link{}, e.unresolved("it says yes, without an alias that can be used")
	}
	l := Link{
		ID: v.field("id").displayID(), Name: v.field("name").display(), Description: v.field("description").display(),
		Alias: a, PageText: v.field("link").displayID(),
		Type: v.field("linkType").displayASCII(), Status: v.field("status").displayASCII(),
		Created: ParseTimestamp(v.field("createdDate").redacted()), Environment: v.field("environment").displayASCII(),
	}
	l.Page, _ = c.parseHandoff(address) // one that cannot be used is shown as it came
	l.Amount, l.HasAmount = readMoney(v.field("amountInfo"), linkAmount{}.read)
	return l, nil
}

// linkBody is 2.8 as it is sent.
type linkBody struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Type        LinkType       `json:"linkType"`
	AmountType  AmountType     `json:"amountType"`
	Currency    string         `json:"currencyCode"`
	AmountInfo  linkAmountBody `json:"amountInfo"`
}

type linkAmountBody struct {
	Currency string     `json:"currencyCode"`
	Amount   linkAmount `json:"amount"`
}

func (d LinkDraft) body() linkBody {
	code := d.Amount.Currency.Code()
	return linkBody{d.Name, d.Description, d.Type, d.AmountType, code, linkAmountBody{code, linkAmount{}.of(d.Amount)}}
}

// LinkBody is the JSON that [Client.CreateLink] sends for d, indented.
func (c *Client) LinkBody(d LinkDraft) string {
	b, err := encode(d.body(), "  ")
	if err != nil {
		return ""
	}
	return string(b)
}
