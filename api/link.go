package api

import (
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
	Status      Text
	Created     Moment
	Environment Text
}

// CreateLink creates a payment link (endpoint 2), once.
func (c *Client) CreateLink(ctx context.Context, d LinkDraft) (Link, error) { panic("contract") }

// LinkBody is the JSON that [Client.CreateLink] sends for d, indented.
func (c *Client) LinkBody(d LinkDraft) string { panic("contract") }
