package output

import (
	"time"

	"paydesk/api"
	"paydesk/api/journal"
)

// Initiated is that the service accepted a payment.
type Initiated struct {
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
	Reference string `json:"reference"`
	// URL is where the customer authenticates or approves; absent where there is only a page.
	URL string `json:"url,omitempty"`
	// PageBytes is the size of the page for the customer's browser, which --open serves; absent where there is none.
	PageBytes int `json:"page_bytes,omitempty"`
}

// Collected is how collect ends with 0. It comes last.
type Collected struct {
	// Reference is the reference of the payment.
	Reference string `json:"reference"`
	// Attempt is the ID of what was sent, in the journal.
	Attempt string `json:"attempt,omitempty"`
	// Status is the last one that the service reported; absent where it was not asked.
	Status *Status `json:"status,omitempty"`
}

// Validation is which channels can be used for an amount.
type Validation struct {
	Amount *Money `json:"amount"`
	// Valid is whether the service accepts the amount and the channels that were asked about.
	Valid    bool      `json:"valid"`
	Channels []Channel `json:"channels"`
	// Message is what the service says.
	Message string `json:"message,omitempty"`
}

// Channel is one way to pay.
type Channel struct {
	// Alias is how a payment names it; absent where the service sent none that can be used.
	Alias       string `json:"alias,omitempty"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// Finalization is the answer to a finalize. It is never the payment's status.
type Finalization struct {
	Reference string `json:"reference"`
	// Accepted is true: what was refused or is unresolved has no object, but an exit code.
	Accepted bool `json:"accepted"`
	// Word is the service's own word for it, such as completed.
	Word    string `json:"word,omitempty"`
	Message string `json:"message,omitempty"`
}

// Authentication is whether the customer of a card payment must authenticate at their bank.
type Authentication struct {
	Reference    string `json:"reference"`
	AsksCustomer bool   `json:"asks_customer"`
	// Status is the service's word for the check; it is no status of the payment.
	Status string `json:"status,omitempty"`
	// ResponseCode is the service's code, such as 00.
	ResponseCode   string `json:"response_code,omitempty"`
	Recommendation string `json:"recommendation,omitempty"`
	Message        string `json:"message,omitempty"`
	// URL is where the customer authenticates, if the initiation named one.
	URL string `json:"url,omitempty"`
	// PageBytes is the size of the page for the customer's browser; absent where there is none.
	PageBytes int `json:"page_bytes,omitempty"`
}

// PaymentStatus is how a payment stands.
type PaymentStatus struct {
	Reference string `json:"reference"`
	// Status is what the service reports, or the final one; absent where the last check had no answer.
	Status *Status `json:"status,omitempty"`
	// At is when the status was reported.
	At *time.Time `json:"at,omitempty"`
	// Remembered is what an earlier answer reported, where the last check had none. It is no status of the payment now.
	Remembered *Remembered `json:"remembered,omitempty"`
	// Amount is what was asked for, or else what the service reports.
	Amount *Money `json:"amount,omitempty"`
	// AmountStated is whether the last answer has an amount that can be read. Without one nothing was compared with
	// what was asked for.
	AmountStated bool `json:"amount_stated"`
	// Received is what the service says was paid so far.
	Received *Money `json:"received,omitempty"`
	// MadeHere is whether the payment is in the journal of this profile.
	MadeHere bool `json:"made_here"`
	// Mismatch is set where the service answered something else than was asked.
	Mismatch *Mismatch `json:"mismatch,omitempty"`
	// Means is what the status means, in a sentence.
	Means string `json:"means,omitempty"`
	// Problem is why there is no status, or none that can be trusted.
	Problem *Problem `json:"problem,omitempty"`
	// Exit is the exit code that this payment alone would have.
	Exit int `json:"exit"`
}

// Remembered is the status of an earlier answer.
type Remembered struct {
	// Word is what the service said, cleaned.
	Word string `json:"word"`
	// Means is the documented status that the word stands for, or UNRECOGNISED.
	Means string `json:"means"`
	// At is when it was reported.
	At *time.Time `json:"at,omitempty"`
}

// Problem is what went wrong.
type Problem struct {
	// What happened, and whether anything was sent.
	What string `json:"what"`
	// Detail is the reason that the service or the network gave.
	Detail string `json:"detail,omitempty"`
	// Next is how long to wait where the service is busy.
	Next string `json:"next,omitempty"`
}

// Refusal is the last object of a command that ends with another code than 0.
type Refusal struct {
	// Code is the reason in a word, as paydesk help exit-codes lists them.
	Code string `json:"code"`
	// Exit is the exit code.
	Exit int `json:"exit"`
	// What happened, in sentences.
	What string `json:"what"`
	// Detail is the reason that the service or the network gave.
	Detail string `json:"detail,omitempty"`
	// Sent is what became of what the command sends the service to change something: not sent, refused, accepted or unresolved.
	Sent string `json:"sent"`
	// Attempt is the ID of the attempt that it is about.
	Attempt string `json:"attempt,omitempty"`
	// Reference is the reference of the payment that it is about.
	Reference string `json:"reference,omitempty"`
	// Next is what a person can do now.
	Next string `json:"next,omitempty"`
	// Command is a command that is safe to run next: it changes nothing at the service. Words in capitals are to be filled in.
	Command string `json:"command,omitempty"`
}

// Link is a payment link that was created from here.
type Link struct {
	// Attempt is the ID of its creation in the journal; absent without a journal.
	Attempt string `json:"attempt,omitempty"`
	// State is ready, unresolved where it is not known whether it was created, no-url where the service returned no URL
	// that is safe to open, or differs where it is not as it was asked for, and no person has read how: it has no URL
	// then.
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
	// Lacks names what the service's answer does not say, such as amount: whether that is as it was asked for is not known.
	Lacks []string `json:"lacks,omitempty"`
	// Unsafe is set where the answer has a URL that is not safe to open, so that there is none here.
	Unsafe bool `json:"unsafe,omitempty"`
}

// LinkDifference is a part of a link that is not as it was asked for.
type LinkDifference struct {
	Part     string `json:"part"`
	Asked    string `json:"asked"`
	Answered string `json:"answered"`
}

// NewLink is a link of the journal as an object. One that has to be read first has no URL.
func NewLink(l journal.LinkRecord) Link {
	o := Link{
		Attempt: string(l.ID), State: "ready", Created: Time(l.At), Name: l.Draft.Name,
		Description: l.Draft.Description, Type: linkType(l),
		CustomerChooses: l.CustomerChooses(), Currency: l.Amount.Currency.Code(), Paid: l.Paid, Payments: l.Accepted, Differing: l.Differ,
	}
	if !l.CustomerChooses() {
		o.Amount = NewMoney(l.Amount)
	}
	if l.CreatedLink == nil {
		o.State = "unresolved"
		return o
	}
	made := l.CreatedLink
	o.Alias, o.Name, o.Lacks = string(made.Alias), made.Name.Line(0), api.Lines(made.Lacks)
	for _, d := range made.Differs {
		o.Differs = append(o.Differs, LinkDifference{Part: d.Part.Line(0), Asked: d.Asked.Line(0), Answered: d.Answered.Line(0)})
	}
	o.Description, o.Environment, o.Status = made.Description.Line(0), made.Environment.Line(0), made.Status.Line(0)
	if l.MustBeRead() {
		o.State = "differs"
		return o
	}
	o.URL, o.Unsafe = made.Page.String(), made.Page.IsZero() && !made.PageText.Empty()
	if l.LacksURL() {
		o.State = "no-url"
	}
	return o
}

// linkType says how often a link can be paid: as the service answered, or else as it was asked for; "" where neither is
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
