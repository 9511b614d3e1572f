package shape

import "time"

// The schemas of the events of collect, in the order in which they come. Between a challenge and the result there
// are those of [StatusSchema], one for each change.
const (
	InitiatedSchema Schema = "paydesk.collect.initiated/1"
	ChallengeSchema Schema = "paydesk.collect.challenge/1"
	CollectedSchema Schema = "paydesk.collect.result/1"
)

// Initiated is that the service accepted a payment.
type Initiated struct {
	Schema    Schema `json:"schema"`
	Reference string `json:"reference"`
	// Attempt is the ID of the payment in the journal; absent without a journal.
	Attempt string `json:"attempt,omitempty"`
	// Amount is what was asked for, Due what the customer pays, with the fees that the service states.
	Amount *Money `json:"amount"`
	Due    *Money `json:"due,omitempty"`
	// Fees is what the service states as its fees; due says whether they are added. Absent where it states none.
	Fees    *Money `json:"fees,omitempty"`
	Channel string `json:"channel"`
	// Card is the card that is charged, masked; absent for other channels.
	Card string `json:"card,omitempty"`
	// Link is the alias of the link that is paid; absent for none.
	Link string `json:"link,omitempty"`
	// Status is what the answer says; a final one is only claimed by it, and says so with final false.
	Status *Status `json:"status,omitempty"`
	// Account is where the customer of a transfer pays into; absent for other channels, and where it must not be
	// paid into: because of a mismatch, or an answer that has a final status.
	Account  *Account  `json:"account,omitempty"`
	Mismatch *Mismatch `json:"mismatch,omitempty"`
	// Message is what the service says about the payment.
	Message string `json:"message,omitempty"`
}

// Account is where the customer of a transfer pays into.
type Account struct {
	Number string `json:"number"`
	Bank   string `json:"bank,omitempty"`
	Name   string `json:"name,omitempty"`
	Note   string `json:"note,omitempty"`
	Mode   string `json:"mode,omitempty"`
	// Expires is until when it may be paid into; absent where the service gave no readable time with a zone.
	Expires *time.Time `json:"expires,omitempty"`
}

// Challenge is what the customer has to do at their bank.
type Challenge struct {
	Schema    Schema `json:"schema"`
	Reference string `json:"reference"`
	// URL is where the customer authenticates or approves; absent where there is only a page.
	URL string `json:"url,omitempty"`
	// PageBytes is the size of the page for the customer's browser, which --open serves; absent where there is none.
	PageBytes int `json:"page_bytes,omitempty"`
}

// Collected is how collect ends with 0. It comes last.
type Collected struct {
	Schema Schema `json:"schema"`
	// Reference is that of the payment.
	Reference string `json:"reference"`
	// Attempt is the ID of what was sent, in the journal.
	Attempt string `json:"attempt,omitempty"`
	// Status is the last one that the service reported; absent where it was not asked.
	Status *Status `json:"status,omitempty"`
}
