package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Moment is when something happened. Seq orders what happened at one time; 0 where it is not known.
type Moment struct {
	At  time.Time `json:"at"`
	Seq int       `json:"seq,omitempty"`
}

// Before reports whether a moment comes before another.
func (m Moment) Before(o Moment) bool {
	if m.Seq > 0 && o.Seq > 0 {
		return m.Seq < o.Seq
	}
	return m.At.Before(o.At)
}

// A Request is what the service received, and what it answered.
type Request struct {
	Moment
	Console      string   `json:"console,omitempty"`
	Method       string   `json:"method"`
	Path         string   `json:"path"`
	Confirmation string   `json:"confirmation,omitempty"` // whose it is: the narration of a payment, the description of a link
	Attempt      string   `json:"attempt,omitempty"`      // metaData.paydesk_attempt
	Reference    string   `json:"reference,omitempty"`    // that it asks about, or finalizes
	Amount       string   `json:"amount,omitempty"`
	Currency     string   `json:"currency,omitempty"`
	Payer        []string `json:"payer,omitempty"` // e-mail address and phone number
	Link         string   `json:"link,omitempty"`
	Name         string   `json:"name,omitempty"` // of a link
	Card         bool     `json:"card,omitempty"`
	// Recorded is false where the journal did not have it when its first byte came.
	Recorded *bool `json:"recorded,omitempty"`

	AnsweredAt        time.Time `json:"answered_at,omitzero"`
	AnsweredSeq       int       `json:"answered_seq,omitempty"`
	HTTP              int       `json:"http,omitempty"`
	Success           *bool     `json:"success,omitempty"` // isSuccess; absent where the answer cannot be read
	AnsweredReference string    `json:"answered_reference,omitempty"`
	AnsweredStatus    string    `json:"answered_status,omitempty"`
	AnsweredAmount    string    `json:"answered_amount,omitempty"`
	Lost              bool      `json:"lost,omitempty"` // the console was never given the whole answer
	RetryAfter        int       `json:"retry_after,omitempty"`
}

// IsSend reports whether a request changes something.
func (r Request) IsSend() bool {
	return r.Method == "POST" && (r.initiates() || r.finalizes() || strings.HasSuffix(r.Path, "/payment-link"))
}

func (r Request) initiates() bool {
	return r.Method == "POST" && strings.HasSuffix(r.Path, "/initiate")
}
func (r Request) finalizes() bool {
	return r.Method == "POST" && strings.HasSuffix(r.Path, "/finalize")
}

// asks reports whether it asks for the status of a payment.
func (r Request) asks() bool {
	return r.Method == "GET" && strings.Contains(r.Path, "/transactions/") && r.Reference != ""
}

// answer is when the console was given the answer.
func (r Request) answer() Moment { return Moment{r.AnsweredAt, r.AnsweredSeq} }

// rejected reports whether the service said clearly that it did nothing.
func (r Request) rejected() bool {
	return !r.Lost && r.Success != nil && !*r.Success && r.HTTP < 500 && !slices.Contains([]int{408, 409, 425}, r.HTTP) && r.AnsweredReference == "" &&
		final(r.AnsweredStatus) != "SUCCESSFUL"
}

// states reports whether it is an answer of the status endpoint about the payment that was asked for.
func (r Request) states() bool {
	return r.asks() && !r.Lost && r.HTTP/100 == 2 && r.Success != nil && *r.Success && strings.EqualFold(r.AnsweredReference, r.Reference)
}

// An Act is what a person did or confirmed.
type Act struct {
	Moment
	Who          string        `json:"who,omitempty"`
	Console      string        `json:"console,omitempty"`
	Did          string        `json:"did"`
	Confirmation string        `json:"confirmation,omitempty"`
	Reference    string        `json:"reference,omitempty"`
	Attempt      string        `json:"attempt,omitempty"`
	Allowed      []string      `json:"allowed,omitempty"` // look-alikes that were shown, and sent another in spite of
	Decision     string        `json:"decision,omitempty"`
	Saw          string        `json:"saw,omitempty"` // of an attempt that is decided or taken: how it stood, in one word
	Done         bool          `json:"done,omitempty"`
	Before       time.Time     `json:"before,omitzero"` // of a purge
	Export       string        `json:"export,omitempty"`
	Live         bool          `json:"live,omitempty"`  // of a console that opens: real money may move
	Cards        bool          `json:"cards,omitempty"` // of a console that opens: live cards may be charged
	For          time.Duration `json:"for,omitempty"`   // how long an unlock lasts
}

// Said is what a screen or a command said to a person.
type Said struct {
	Moment
	Console      string `json:"console,omitempty"`
	Confirmation string `json:"confirmation,omitempty"`
	Did          string `json:"did,omitempty"`
	Said         string `json:"said"` // accepted, refused, not sent, held back, unresolved; or status
	Attempt      string `json:"attempt,omitempty"`
	Reference    string `json:"reference,omitempty"`
	Status       string `json:"status,omitempty"`
}

// An Entry is a row of the journal's export.
type Entry struct {
	ID              string    `json:"id"`
	Kind            string    `json:"kind"`
	At              time.Time `json:"at"`
	Outcome         string    `json:"outcome"`
	Status          string    `json:"status_means"`
	Reference       string    `json:"reference"`
	Link            string    `json:"link"`
	Verdict         string    `json:"verdict"`
	DecidedAt       time.Time `json:"decided_at,omitzero"`
	DecidedBy       string    `json:"decided_by"`
	Mismatch        string    `json:"mismatch"`
	MismatchVerdict string    `json:"mismatch_verdict"`
	Description     string    `json:"link_asked_description"`
	LinkDiffers     string    `json:"link_mismatch"`
}

// open reports whether a person, or the service, has still to say what became of it.
func (e Entry) open() bool {
	return e.Outcome == "sent" || e.Outcome == "unresolved" && e.Verdict == "" || e.Mismatch != "" && e.MismatchVerdict == ""
}

// Facts are what happened to an attempt, oldest first.
type Facts struct {
	ID      string `json:"id"`
	History []Fact `json:"history"`
}

// A Fact is one thing that happened to it.
type Fact struct {
	At     time.Time `json:"at"`
	What   string    `json:"what"`
	Detail string    `json:"detail,omitempty"`
	Words  string    `json:"words,omitempty"`
	Source string    `json:"source,omitempty"` // initiate, where the answer to it says so
}

// An Export is the journal as it was at a moment.
type Export struct {
	Moment
	Entries []Entry
}

// A History is all that is recorded of what happened.
type History struct {
	Requests []Request
	Acts     []Act
	Said     []Said
	Ledger   []Entry // at the end
	Exports  []Export
	Facts    []Facts
	Audit    []string // what differs between rows and facts
}

// sends are the requests that change something, in the order in which they came.
func (h *History) sends() (all []Request) {
	for _, r := range h.Requests {
		if r.IsSend() {
			all = append(all, r)
		}
	}
	return all
}

func (h *History) act(confirmation string) (Act, bool) {
	i := slices.IndexFunc(h.Acts, func(a Act) bool { return a.Confirmation == confirmation })
	if confirmation == "" || i < 0 {
		return Act{}, false
	}
	return h.Acts[i], true
}

func (h *History) said(confirmation string) (Said, bool) {
	i := slices.IndexFunc(h.Said, func(s Said) bool { return s.Confirmation == confirmation })
	if confirmation == "" || i < 0 {
		return Said{}, false
	}
	return h.Said[i], true
}

func (h *History) entry(id string) (Entry, bool) { return entryOf(h.Ledger, id) }

func entryOf(all []Entry, id string) (Entry, bool) {
	i := slices.IndexFunc(all, func(e Entry) bool { return e.ID == id })
	if id == "" || i < 0 {
		return Entry{}, false
	}
	return all[i], true
}

// losses are what takes a journal's memory away.
var losses = []string{"older", "delete", "damage", "restore"}

// lost reports whether memory was taken away after a moment.
func (h *History) lost(after Moment) bool {
	return slices.ContainsFunc(h.Acts, func(a Act) bool { return slices.Contains(losses, a.Did) && after.Before(a.Moment) })
}

// wentAway reports whether what the journal had of an attempt was purged, or may have been lost, after a moment.
func (h *History) wentAway(id string, after Moment) bool {
	_, has := h.entry(id)
	return h.lost(after) || !has && slices.ContainsFunc(h.Exports, func(e Export) bool {
		_, had := entryOf(e.Entries, id)
		return had
	})
}

// final is the final status that a word of the service means, "" for none.
func final(word string) string {
	switch strings.ToLower(strings.Trim(word, " \t\r\n\v\f")) {
	case "successful", "successfull":
		return "SUCCESSFUL"
	case "failed":
		return "FAILED"
	}
	return ""
}

// line formats what breaks a promise.
func line(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func (r Request) String() string {
	return line("%s %s %s (confirmation %q, attempt %q, reference %q, answered %d %q %q, lost %v)", r.At.UTC().Format("15:04:05.000"), r.Method, r.Path,
		r.Confirmation, r.Attempt, r.Reference, r.HTTP, r.AnsweredReference, r.AnsweredStatus, r.Lost)
}
