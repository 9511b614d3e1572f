package shape

import (
	"time"

	"paydesk/api"
	"paydesk/api/journal"
)

const LinkSchema Schema = "paydesk.link/1"

// Link is a payment link that was created from here.
type Link struct {
	Schema Schema `json:"schema"`
	// Attempt is the ID of its creation in the journal; absent without a journal.
	Attempt string `json:"attempt,omitempty"`
	// State is ready, unresolved where it is not known whether it was created, or differs where it is not as it was
	// asked for, and no person has read how: it has no URL then.
	State string `json:"state"`
	// Alias names the link in a payment.
	Alias string `json:"alias,omitempty"`
	URL   string `json:"url,omitempty"`
	Name  string `json:"name"`
	// Description is what the customer reads about it.
	Description string `json:"description,omitempty"`
	// Type is one-time or reusable: how often it can be paid; absent where neither was recorded.
	Type string `json:"type,omitempty"`
	// Environment and Status are the service's words, of when it was created.
	Environment string `json:"environment,omitempty"`
	Status      string `json:"status,omitempty"`
	// Amount is what the link is for; absent where the customer chooses.
	Amount          *Money `json:"amount,omitempty"`
	Currency        string `json:"currency"`
	CustomerChooses bool   `json:"customer_chooses"`
	// Created is when its creation was sent.
	Created *time.Time `json:"created,omitempty"`
	// Paid is how many payments through it succeeded without a mismatch, of those made from here.
	Paid int `json:"paid"`
	// Payments is how many payments through it the service accepted, of those made from here.
	Payments int `json:"payments"`
	// Differing is how many payments through it have a mismatch.
	Differing int `json:"differing"`
	// Differs is how the link differs from what was asked for.
	Differs []LinkDifference `json:"differs,omitempty"`
}

// LinkDifference is a part of a link that is not as it was asked for.
type LinkDifference struct {
	Part     string `json:"part"`
	Asked    string `json:"asked"`
	Answered string `json:"answered"`
}

// The states of a link as JSON has them.
const (
	LinkReady      = "ready"
	LinkUnresolved = "unresolved" // it is not known whether it was created
	LinkDiffers    = "differs"    // it is not as it was asked for, and no person has read how
)

// NewLink is a link of the journal as an object. One that has to be read first has no URL.
func NewLink(l journal.LinkRecord) Link {
	o := Link{
		Schema: LinkSchema, Attempt: string(l.ID), State: LinkReady, Created: Time(l.At), Name: l.Draft.Name,
		Description: l.Draft.Description, Type: linkType(l),
		CustomerChooses: l.CustomerChooses(), Currency: l.Amount.Currency.Code(), Paid: l.Paid, Payments: l.Accepted, Differing: l.Differ,
	}
	if !l.CustomerChooses() {
		o.Amount = NewMoney(l.Amount)
	}
	if l.CreatedLink == nil {
		o.State = LinkUnresolved
		return o
	}
	made := l.CreatedLink
	o.Alias, o.Name, o.Differs = string(made.Alias), made.Name.Line(0), LinkDifferences(*made)
	o.Description, o.Environment, o.Status = made.Description.Line(0), made.Environment.Line(0), made.Status.Line(0)
	if l.MustBeRead() {
		o.State = LinkDiffers
		return o
	}
	o.URL = made.Page.String()
	return o
}

// linkType is how often a link can be paid: as the service answered, or else as it was asked for; "" where neither is
// known.
func linkType(l journal.LinkRecord) string {
	t, known := l.Draft.Type, l.Draft.Name != ""
	if made := l.CreatedLink; made != nil {
		if answered, ok := api.ParseLinkType(made.Type.Line(0)); ok {
			t, known = answered, true
		}
	}
	switch {
	case !known:
		return ""
	case t == api.Reusable:
		return "reusable"
	}
	return "one-time"
}

// LinkDifferences are how a link differs from what was asked for.
func LinkDifferences(l api.Link) (all []LinkDifference) {
	for _, d := range l.Differs {
		all = append(all, LinkDifference{Part: d.Part.Line(0), Asked: d.Asked.Line(0), Answered: d.Answered.Line(0)})
	}
	return all
}
