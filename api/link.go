package api

import (
	"cmp"
	"context"

	"paydesk/api/card"
	"paydesk/api/money"
)

// LinkType tells how often a link can be paid (2.8).
type LinkType int

// The link types, with their wire integers.
const (
	OneTime  LinkType = 0
	Reusable LinkType = 1
)

// AmountType tells who chooses the amount (2.8).
type AmountType int

// The amount types, with their wire integers.
const (
	Static  AmountType = 0
	Dynamic AmountType = 1
)

// A LinkDraft is a payment link to be created (2.8). The currency of Amount is sent in both places
// that have one. Of a [Dynamic] link the number is not sent: see [LinkDraft.SentAmount].
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
	Page        Address // zero when the URL in the response cannot be used
	PageText    Text    // the URL as received
	Amount      money.Amount
	HasAmount   bool
	Type        Text // OneTime, Reuseable, or another word as received
	// AmountType comes from the draft where the response does not contain it (2.8).
	AmountType  AmountType
	Status      Text
	Created     Timestamp
	Environment Text
	Message     Text             `json:"-"` // the service's words about the creation
	Differs     []LinkDifference // how it differs from the draft
	Lacks       []Text           // the parts that the response does not contain, so that nothing is known of them
}

// CreateLink creates a payment link (endpoint 2), once. Its errors are [*Refusal], [*Unresolved]
// and [*Failure].
func (c *Client) CreateLink(ctx context.Context, d LinkDraft) (Link, error) {
	return observe(ctx, c, OpCreateLink, "", func(ctx context.Context) (Link, error) {
		r, err := c.linkRequest(d)
		if err != nil {
			return Link{}, err
		}
		e, err := writeOutcome(c.post(ctx, r))
		if err != nil {
			tells := e.payload.field("alias").tells() || e.payload.field("link").tells()
			return Link{}, e.named(err, "link", string(e.alias()), tells)
		}
		return c.link(d, e)
	})
}

// linkRequest creates the link of a draft.
func (c *Client) linkRequest(d LinkDraft) (request, error) {
	switch {
	case d.Amount.Currency.IsZero():
		return request{}, notSent("the currency is unknown")
	case d.Amount.Minor < 0:
		return request{}, notSent("the amount is negative")
	case card.In(d.Name, d.Description):
		return request{}, notSent("a text contains a card number")
	}
	b, err := encode(d.body(), "")
	return request{origin: c.base, path: "/api/payment/payment-link", body: b, limit: smallBody}, err
}

// alias is the alias of the link in the response to a creation: the last path segment of its URL
// where it has none of its own; "" without a valid one.
func (e envelope) alias() Alias {
	alias, _ := e.payload.field("alias").text()
	address, _ := e.payload.field("link").text()
	named, _ := ParseAlias(cmp.Or(alias, address))
	return named
}

// link reads the response to a creation (2.8). A link without an alias cannot be used, so the
// outcome is unresolved.
func (c *Client) link(d LinkDraft, e envelope) (Link, error) {
	v := e.payload
	a := e.alias()
	if a == "" || e.redactor.tells(string(a)) {
		return Link{}, e.unresolved("the response reports success but contains no valid alias")
	}
	l := Link{
		ID: v.field("id").displayID(), Name: v.field("name").display(), Description: v.field("description").display(),
		Alias: a, PageText: v.field("link").displayASCII(),
		Type: v.field("linkType").displayASCII(), Status: v.field("status").displayASCII(),
		Created: ParseTimestamp(v.field("createdDate").redacted()), Environment: v.field("environment").displayASCII(),
		Message: e.top.field("message").display(),
	}
	l.Page, _ = c.handoff(v.field("link")) // PageText shows one that cannot be used
	amount := readReported(v.field("amountInfo"), v, linkAmount)
	l.Amount, l.HasAmount = amount.Amount, amount.Readable()
	d.compare(&l, v)
	return l, nil
}

// linkBody is the request of 2.8.
type linkBody struct {
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Type        LinkType   `json:"linkType"`
	AmountType  AmountType `json:"amountType"`
	Currency    string     `json:"currencyCode"`
	AmountInfo  amountBody `json:"amountInfo"`
}

// SentAmount returns what amountInfo.amount carries. The request must have an amount also where the customer
// chooses it (2.8). For that the specification names no least amount, but deployed services were observed to
// accept none below 1.00 anywhere, so that 0 might be rejected: what is sent is 1 of the currency. It is
// no price, and nothing here shows it as one.
func (d LinkDraft) SentAmount() money.Amount {
	if d.AmountType != Dynamic {
		return d.Amount
	}
	one, _ := money.Parse("1", d.Amount.Currency) // zero without a currency
	return one
}

func (d LinkDraft) body() linkBody {
	return linkBody{d.Name, d.Description, d.Type, d.AmountType, d.Amount.Currency.Code(), linkAmount.body(d.SentAmount())}
}

// Preview is the JSON that [Client.CreateLink] sends for d, indented. It has no amount while d has none.
func (d LinkDraft) Preview() string {
	b := d.body()
	if d.SentAmount().Minor == 0 {
		b.AmountInfo.Amount = ""
	}
	return preview(b)
}
