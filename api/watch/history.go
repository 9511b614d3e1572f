package watch

import (
	"slices"
	"time"

	"paydesk/api"
)

// A Source says how a change became known.
type Source uint8

// The sources.
const (
	FromInitiation Source = iota // the answer to the initiation
	FromStatus                   // the status endpoint
	FromFinalize                 // the answer to a finalize
)

// A Change is one thing that was seen to happen.
type Change struct {
	At     time.Time // zero when it happened before this watch
	Source Source    // of [FromFinalize] there is no status: the payment was finalized
	Status api.Status
	Wrong  bool // it came after a final status and says otherwise
}

// historySize bounds what is kept: a service that changes its mind with every answer must not
// fill the memory.
const historySize = 200

// A History is every change seen, oldest first, and what is final in it.
type History struct {
	Changes []Change
	Last    api.Status // the status reported last
	Shown   api.Status // the status to show: the final one, when there is one
	Any     bool       // there was a status
	Count   int        // of all changes there ever were; Changes has the first and the latest
}

// report takes a reported status; it says whether that made the payment final.
func (h *History) report(at time.Time, s api.Status, from Source) bool {
	same := h.Any && sameStatus(h.Last, s)
	settled := h.Settled()
	h.Last, h.Shown, h.Any = s, h.Shown.Next(s), true
	if !same {
		h.add(Change{At: at, Status: s, Source: from, Wrong: h.Contradicted()})
	}
	return h.Settled() && !settled
}

// finalized notes that the service accepted a finalize.
func (h *History) finalized(at time.Time) { h.add(Change{At: at, Source: FromFinalize}) }

func (h *History) add(c Change) {
	h.Count++
	if len(h.Changes) == historySize {
		h.Changes = slices.Delete(h.Changes, 1, 2) // the first stays: it is where the payment began
	}
	h.Changes = append(h.Changes, c)
}

func (h History) clone() History {
	c := h
	c.Changes = slices.Clone(h.Changes)
	return c
}

// Since are the changes that came after the first n, as far as they are kept.
func (h History) Since(n int) []Change {
	return h.Changes[max(len(h.Changes)-(h.Count-n), 0):]
}

// Settled reports whether there is a final status.
func (h History) Settled() bool { return h.Shown.State.Final() }

// Contradicted reports whether the service now says something else than the final status it
// reported before.
func (h History) Contradicted() bool { return h.Settled() && h.Last.State != h.Shown.State }

// Doubted reports whether it ever did.
func (h History) Doubted() bool {
	return slices.ContainsFunc(h.Changes, func(c Change) bool { return c.Wrong })
}

// sameStatus takes two spellings of a known state for the same; words that are not known are
// compared as they came.
func sameStatus(a, b api.Status) bool {
	return a.State == b.State && (a.State != api.Unrecognised || a.Text.Line(0) == b.Text.Line(0))
}
