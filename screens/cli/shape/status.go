package shape

import "time"

const StatusSchema Schema = "paydesk.status/1"

// PaymentStatus is how a payment stands.
type PaymentStatus struct {
	Schema    Schema `json:"schema"`
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
}

const RefusalSchema Schema = "paydesk.refusal/1"

// Refusal is the last object of a command that ends with another code than 0.
type Refusal struct {
	Schema Schema `json:"schema"`
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
	// Reference is that of the payment that it is about.
	Reference string `json:"reference,omitempty"`
	// Next is what a person can do now.
	Next string `json:"next,omitempty"`
	// Command is one that is safe to run next: it sends nothing that changes anything. Words in capitals are filled in.
	Command string `json:"command,omitempty"`
}
