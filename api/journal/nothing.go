package journal

import "paydesk/api"

// CameToNothing reports whether it is a payment of which it is known that nothing comes: it was never
// made, or failed. A failure of one with a mismatch says nothing: what was charged is unknown.
func (a Attempt) CameToNothing() bool {
	switch {
	case a.Kind != Initiate || !a.Mismatch.IsZero():
		return false
	case a.Outcome == Refused, a.Outcome == NotSent, a.Outcome == Unresolved && a.Decision == NotFound:
		return true
	}
	return a.Status.State == api.Failed
}
