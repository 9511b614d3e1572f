// Package webhook receives the webhooks of the service (section 6), keeps them, compares them with what the status
// endpoint says, and passes them on.
//
// A webhook has no signature and no ID. Anyone who learns the address can post one, so a webhook is only a hint: the status
// is requested, and only the answer counts. No event makes a payment count as paid, here or on a screen.
//
//   - receiver.go, path.go, probe.go: the HTTP server, its secret path, and who answers at an address;
//   - store.go, keep.go, find.go: the file of the events, beside the journal;
//   - verdict.go, verify.go: what the service says about each event;
//   - target.go, forward.go: passing events on, as they arrive or again.
package webhook

import (
	"net/http"
	"time"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/api/query"
)

// A Record is one event: one body, however often it was delivered.
type Record struct {
	ID     int64 // in the store
	Number int64 // of the last delivery: see [Arrival]
	api.WebhookEvent
	First, Last time.Time // when it arrived
	Deliveries  int       // how often
	Size        int       // of the body, in bytes
	// Masked reports that something like a card number was masked before the body was stored. It is no longer
	// what was sent, so that it is neither forwarded nor replayed.
	Masked   bool
	Forwards int // how often it was sent to a target
	// Early reports that it claimed a success before the service reported one, whatever the service has said since.
	Early bool

	Answer  Answer   // the service's last answer about the reference; zero before the first
	Verdict Verdict  // what that says about the event
	Judged  int64    // the number of its last change since the event arrived, which those of one moment may share; 0 for none
	Differs []Differ // what differs, where the verdict is [Disagrees]
}

// A Detail is all that is stored of an event.
type Detail struct {
	Record
	Body     []byte      // as it came, or masked
	Header   http.Header // of the first delivery, with credentials masked
	Arrivals []Arrival   // the newest 100, newest first
	Sent     []Forward   // the newest 20, newest first
}

// An Arrival is one delivery of an event. Deliveries are numbered in the order in which they were stored.
type Arrival struct {
	Number int64
	At     time.Time
}

// A Delivered is one delivery with its event.
type Delivered struct {
	Arrival
	Detail // without arrivals and forwards
}

// A Forward is one sending of an event to a target.
type Forward struct {
	At      time.Time
	Target  string // the URL
	Replay  bool   // asked for by a person, not passed on as it arrived
	Status  int    // of the answer; 0 for none
	Took    time.Duration
	Problem string // a sentence; "" when the target answered 2xx
}

// An Answer holds what the status endpoint answered about the reference of an event.
type Answer struct {
	At        time.Time // zero before the first
	Status    api.Status
	Amount    money.Amount
	HasAmount bool
	NotFound  bool // the service does not know the payment
	// Mismatch reports that an answer about the payment was not what was asked from here: its status is no success. The journal knows
	// that, so that a [Store] leaves it false.
	Mismatch bool
	// Unchecked is set where that could not be looked up.
	Unchecked bool
	// Problem tells why the service could not be asked when it was asked last, a sentence; "" when it answered. What it
	// answered before stands.
	Problem string
}

// A Search tells [Store.Find] what to look for.
type Search struct {
	Profile string
	Query   query.Query // in [Language]
	From    time.Time   // of the last delivery; zero for any
	Before  int64       // only events whose last delivery has a lower number; 0 for all
	Skip    int         // so many of the last delivered are left out
	Limit   int         // 0 means 200
}

// Found describes what a search found.
type Found struct {
	Records []Record // the last delivered first
	More    bool     // there are older ones
	// Of the whole profile, whatever was looked for:
	Total, Disagree int
	Newest          int64 // the number of the last delivery
	Dropped         int64 // deliveries that were dropped, the oldest first, to stay within the limit
	// Replaced is the new name of a file that was found damaged in this run, "" for none.
	Replaced string
}
