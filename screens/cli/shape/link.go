package shape

import "time"

// LinkSchema is that of [Link].
const LinkSchema Schema = "paydesk.link/1"

// Link is a payment link that was created from here.
type Link struct {
	Schema Schema `json:"schema"`
	// Attempt is the ID of its creation in the journal; absent without a journal.
	Attempt string `json:"attempt,omitempty"`
	// State is ready, unresolved where it is not known whether it was created, or differs where it is not as it was
	// asked for, and nobody has read how: it has no URL then.
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
