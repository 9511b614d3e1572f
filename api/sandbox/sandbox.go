// Package sandbox is the whole service in a box: an http.Handler with state,
// written from the interface specification. It imports nothing of paydesk/api, so
// that it can disagree with the client.
package sandbox

import (
	"net/http"
	"time"
)

// Options of a sandbox. The zero value works.
type Options struct {
	Key          string        // the secret key it accepts; made up when empty
	Seed         uint64        // makes ids, references and rows repeatable; 0 is a seed too
	Transactions int           // rows seeded into the list
	Settle       time.Duration // how long a payment or transfer takes to settle; 5 s when 0
	Now          func() time.Time
	// Origin is the address under which browsers reach it: "http://127.0.0.1:8099". It
	// goes into link pages and bank addresses.
	Origin string
}

// A Sandbox is the service.
type Sandbox struct{}

// New makes a sandbox and seeds it.
func New(o Options) *Sandbox { return &Sandbox{} }

// ServeHTTP answers the seven operations and the sandbox's own pages.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {}

// SetOrigin tells the sandbox where browsers reach it, once the port is known. Call
// it before serving.
func (s *Sandbox) SetOrigin(origin string) {}

// Key is the secret key it accepts.
func (s *Sandbox) Key() string { return "" }

// A TestCard is a published test number and what paying with it does.
type TestCard struct {
	Name   string // "approve", "challenge", …: one word, unique
	Number string
	CVV    string
	Month  int
	Year   int
	Does   string // one line for people
}

// Cards lists the test cards; no other number is accepted.
func Cards() []TestCard { return nil }

// Approve, Reject and Settle are what the bank, the customer and time would do
// to a payment. They report whether the payment was in a state for it.
func (s *Sandbox) Approve(reference string) bool { return false }

// Reject is the bank's no to a challenge.
func (s *Sandbox) Reject(reference string) bool { return false }

// Settle brings a payment that is pending, or a transfer, to its end at once.
func (s *Sandbox) Settle(reference string) bool { return false }

// Expire makes a transfer's account expire at once.
func (s *Sandbox) Expire(reference string) bool { return false }

// Took counts the payments taken since New, seeded ones left out.
func (s *Sandbox) Took() int { return 0 }

// SpellStatus makes the status endpoint answer word instead of the true status
// of every payment; "" ends it.
func (s *Sandbox) SpellStatus(word string) {}

// LoseNextAnswer carries out the next POST and closes the connection instead of answering.
func (s *Sandbox) LoseNextAnswer() {}
