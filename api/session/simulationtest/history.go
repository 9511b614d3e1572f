package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Request records what the service received, and what it answered.
type Request struct {
	At                    time.Time
	Console, Method, Path string   `json:",omitempty"`
	Confirmation          string   `json:",omitempty"` // whose it is: the narration of a payment, the description of a link
	Attempt               string   `json:",omitempty"` // metaData.paydesk_attempt
	Reference             string   `json:",omitempty"` // that it asks about, or finalizes
	Amount, Currency      string   `json:",omitempty"`
	Payer                 []string `json:",omitempty"` // e-mail address and phone number
	Link, Name            string   `json:",omitempty"` // the name of a link
	Card                  bool     `json:",omitempty"`
	// Recorded is false where the journal did not have it when its first byte came.
	Recorded *bool `json:",omitempty"`

	AnsweredAt                                        time.Time `json:",omitzero"` // when the console was given the answer
	HTTP                                              int       `json:",omitempty"`
	Success                                           *bool     `json:",omitempty"` // isSuccess; absent where the answer cannot be read
	AnsweredReference, AnsweredStatus, AnsweredAmount string    `json:",omitempty"`
	Lost                                              bool      `json:",omitempty"` // the console was never given the whole answer
	RetryAfter                                        int       `json:",omitempty"` // seconds
}

// IsSend reports whether a request changes something.
func (r Request) IsSend() bool { return r.initiates() || r.finalizes() || r.posts("/payment-link") }

func (r Request) initiates() bool { return r.posts("/initiate") }

func (r Request) finalizes() bool { return r.posts("/finalize") }

func (r Request) posts(to string) bool { return r.Method == "POST" && strings.HasSuffix(r.Path, to) }

// asks reports whether it asks for the status of a payment.
func (r Request) asks() bool {
	return r.Method == "GET" && strings.Contains(r.Path, "/transactions/") && r.Reference != ""
}

// succeeded reports whether the service said that it did what was asked.
func (r Request) succeeded() bool { return !r.Lost && r.Success != nil && *r.Success }

// rejected reports whether the service said clearly that it did nothing.
func (r Request) rejected() bool {
	return !r.Lost && r.Success != nil && !*r.Success && r.HTTP < 500 && !slices.Contains([]int{408, 409, 425}, r.HTTP) && r.AnsweredReference == "" &&
		final(r.AnsweredStatus) != "SUCCESSFUL"
}

// states returns the final status that an answer of the status endpoint gives to the payment that was asked for; "" for none.
func (r Request) states() string {
	if !r.asks() || !r.succeeded() || r.HTTP/100 != 2 || !strings.EqualFold(r.AnsweredReference, r.Reference) {
		return ""
	}
	return final(r.AnsweredStatus)
}

func (r Request) String() string {
	return fmt.Sprintf("%s %s %s (confirmation %q, attempt %q, reference %q, answered %d %q %q, lost %v)", r.At.UTC().Format("15:04:05.000"), r.Method, r.Path,
		r.Confirmation, r.Attempt, r.Reference, r.HTTP, r.AnsweredReference, r.AnsweredStatus, r.Lost)
}

// An Act records what a person did or confirmed.
type Act struct {
	At                                                  time.Time
	Who, Console, Did, Confirmation, Reference, Attempt string

	Allowed       []string // look-alikes that were shown, and sent another in spite of
	Decision, Saw string   // of an attempt that is decided or taken: how it stood, in one word
	Done          bool
	Before        time.Time // of a purge
	Export        string    // the file of an export
	Entries       []Entry   `json:"-"` // what an export has
}

// Said records what a screen or a command said to a person.
type Said struct {
	At                                                     time.Time
	Said                                                   string // accepted, refused, not sent, held back, unresolved; or status
	Console, Confirmation, Did, Attempt, Reference, Status string
}

// An Entry is a row of the journal's export.
type Entry struct {
	ID, Kind           string
	At                 time.Time
	Outcome, Reference string
	Status             string `json:"status_means"`
	Verdict            string
	DecidedAt          time.Time `json:"decided_at"`
	Mismatch           string
	MismatchVerdict    string `json:"mismatch_verdict"`
	Description        string `json:"link_asked_description"`
}

// Facts tell what happened to an attempt, oldest first.
type Facts struct {
	ID      string
	History []Fact
}

// A Fact is one thing that happened to it.
type Fact struct {
	What, Detail, Words string
	Source              string // initiate, where the answer to it says so
}

// A History is all that is recorded of what happened.
type History struct {
	Requests []Request
	Acts     []Act
	Said     []Said
	Ledger   []Entry // at the end
	Facts    []Facts
	Audit    []string // what differs between rows and facts
}

// find returns the first of all for which is reports true.
func find[T any](all []T, is func(T) bool) (found T, ok bool) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i], true
	}
	return found, false
}

// sends returns the requests that change something, in the order in which they came.
func (h *History) sends() []Request {
	return slices.DeleteFunc(slices.Clone(h.Requests), func(r Request) bool { return !r.IsSend() })
}

// act returns what a person confirmed.
func (h *History) act(confirmation string) (Act, bool) {
	return find(h.Acts, func(a Act) bool { return confirmation != "" && a.Confirmation == confirmation })
}

func entryOf(all []Entry, id string) (Entry, bool) {
	return find(all, func(e Entry) bool { return id != "" && e.ID == id })
}

// decision returns the last one about an attempt before a moment, the zero one for whenever; only those that are named, if any.
func (h *History) decision(id string, before time.Time, only ...string) (last Act, is bool) {
	for _, a := range h.Acts {
		if a.Did == "decide" && a.Done && a.Attempt == id && (before.IsZero() || a.At.Before(before)) && (len(only) == 0 || slices.Contains(only, a.Decision)) {
			last, is = a, true
		}
	}
	return last, is
}

// settled returns the first answer, among those that count, that calls a payment final; the zero one where none does.
func (h *History) settled(reference string, counts func(time.Time) bool) (first Request) {
	for _, r := range h.Requests {
		if r.states() != "" && r.Reference == reference && counts(r.AnsweredAt) && (first.Reference == "" || r.AnsweredAt.Before(first.AnsweredAt)) {
			first = r
		}
	}
	return first
}

// losses names the acts that take a journal's memory away.
var losses = []string{"older", "delete", "damage", "restore"}

// lost reports whether memory was taken away after a moment.
func (h *History) lost(after time.Time) bool {
	return slices.ContainsFunc(h.Acts, func(a Act) bool { return slices.Contains(losses, a.Did) && after.Before(a.At) })
}

// wentAway reports whether what the journal had of an attempt was purged, or may have been lost, after a moment.
func (h *History) wentAway(id string, after time.Time) bool {
	_, has := entryOf(h.Ledger, id)
	return h.lost(after) || !has && slices.ContainsFunc(h.Acts, func(a Act) bool {
		_, had := entryOf(a.Entries, id)
		return had
	})
}

// around returns what the journal had when it was exported before and after a moment; nothing unless it was both times.
func (h *History) around(at time.Time) (before, after []Entry) {
	for _, a := range h.Acts {
		switch {
		case a.Did == "export" && at.Before(a.At):
			return before, a.Entries
		case a.Did == "export":
			before = a.Entries
		}
	}
	return nil, nil
}

// finals are the words of the service that are final.
var finals = map[string]string{"successful": "SUCCESSFUL", "successfull": "SUCCESSFUL", "failed": "FAILED"}

// final returns the final status that a word of the service means, "" for none.
func final(word string) string { return finals[strings.ToLower(strings.Trim(word, " \t\r\n\v\f"))] }
