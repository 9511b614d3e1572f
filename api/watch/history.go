package watch

import (
	"slices"
	"time"

	"paydesk/api"
)

// A Source is how a change became known.
type Source uint8

// The sources.
const (
	FromInitiation Source = iota // the answer to the initiation
	FromStatus                   // the status endpoint
	FromFinalize                 // the answer to a finalize
)

// A Change is one observed event.
type Change struct {
	At     time.Time // zero when it was before this watch
	Source Source    // [FromFinalize] has no status: the payment was finalized
	Status api.Status
	Wrong  bool // it followed a final status and contradicts it
}

// historySize bounds a history: a service that changes its status with every response must not fill
// the memory.
const historySize = 200

// A History is the changes of a payment, oldest first, and its status.
type History struct {
	Changes []Change   // the first and the latest
	Last    api.Status // the last reported status
	Shown   api.Status // the status to display: the final one, if any
	Any     bool       // a status was reported
}

// report adds a reported status, and reports whether that made the payment final.
func (h *History) report(at time.Time, s api.Status, from Source) bool {
	same := h.Any && sameStatus(h.Last, s)
	settled := h.Settled()
	h.Last, h.Shown, h.Any = s, h.Shown.Next(s), true
	if !same {
		h.add(Change{At: at, Status: s, Source: from, Wrong: h.Contradicted()})
	}
	return h.Settled() && !settled
}

// finalized adds that the service accepted a finalize.
func (h *History) finalized(at time.Time) { h.add(Change{At: at, Source: FromFinalize}) }

func (h *History) add(c Change) {
	kept := slices.Clone(h.Changes) // others may have the slice
	if len(kept) == historySize {
		kept = slices.Delete(kept, 1, 2) // the first stays: it is where the payment began
	}
	h.Changes = append(kept, c)
}

// Settled reports whether there is a final status.
func (h History) Settled() bool { return h.Shown.State.Final() }

// Contradicted reports whether the last status contradicts the final one.
func (h History) Contradicted() bool { return h.Settled() && h.Last.State != h.Shown.State }

// sameStatus treats spellings of a known state as equal, and compares unknown words literally.
func sameStatus(a, b api.Status) bool {
	return a.State == b.State && (a.State != api.Unrecognised || a.Text.Line(0) == b.Text.Line(0))
}
