package payment

import (
	"time"

	"paydesk/api"
)

// A source says how a change became known.
type source string

// The sources.
const (
	byInitiation source = "initiation"
	byAsking     source = "asked"
	byFinalize   source = "finalize"
)

// A change is one thing that was seen to happen.
type change struct {
	at     time.Time
	status api.Status
	word   string // in the place of a status, for what is not one
	from   source
	wrong  bool // it came after a final status and says otherwise
}

// inHistory bounds what is kept: a service that changes its mind at every question
// shall not fill the memory.
const inHistory = 200

// A history is every change seen, oldest first, and what is final in it.
type history struct {
	changes []change
	last    api.Status // the status told last
	told    bool       // there was one
	final   api.Status // the first final status
	finalAt time.Time
	settled bool // there is a final status
}

// see takes a status that was told; it reports whether that made the payment final.
func (h *history) see(at time.Time, s api.Status, from source) bool {
	same := h.told && sameStatus(h.last, s)
	h.last, h.told = s, true
	if same {
		return false
	}
	wrong := h.settled && s.State != h.final.State
	h.add(change{at: at, status: s, from: from, wrong: wrong})
	if h.settled || !s.State.Final() {
		return false
	}
	h.final, h.finalAt, h.settled = s, at, true
	return true
}

// note keeps what is no status.
func (h *history) note(at time.Time, word string, from source) {
	h.add(change{at: at, word: word, from: from})
}

func (h *history) add(c change) {
	if len(h.changes) == inHistory {
		copy(h.changes[1:], h.changes[2:]) // the first stays: it is where the payment began
		h.changes = h.changes[:inHistory-1]
	}
	h.changes = append(h.changes, c)
}

// shown is the status to show: the final one, when there is one.
func (h *history) shown() (api.Status, bool) {
	if h.settled {
		return h.final, true
	}
	return h.last, h.told
}

// contradicted reports whether the service now says something else than the
// final status it told before.
func (h *history) contradicted() bool { return h.settled && h.last.State != h.final.State }

// doubted reports whether it ever did.
func (h *history) doubted() bool {
	for _, c := range h.changes {
		if c.wrong {
			return true
		}
	}
	return false
}

// sameStatus takes two spellings of a known state for the same; words that are not
// known are compared as they came.
func sameStatus(a, b api.Status) bool {
	return a.State == b.State && (a.State != api.Unrecognised || a.Text.Line(0) == b.Text.Line(0))
}
