package watch

import "paydesk/api"

// A History is what the reported statuses of a payment come to.
type History struct {
	Last  api.Status // the last reported status
	Shown api.Status // the status to display: the final one, if any
	Any   bool       // a status was reported
}

// report adds a reported status, and reports whether that made the payment final.
func (h *History) report(s api.Status) bool {
	settled := h.Settled()
	h.Last, h.Shown, h.Any = s, h.Shown.Next(s), true
	return h.Settled() && !settled
}

// Settled reports whether there is a final status.
func (h History) Settled() bool { return h.Shown.State.Final() }
