package journal

import "paydesk/api"

// A UnresolvedAttempt is the error of a POST of which nobody knows what became: the attempt that was
// written down before it, and what went wrong. It always is an [api.ErrUnresolved],
// whatever Err is.
type UnresolvedAttempt struct {
	ID  ID
	Err error
}

// Error is what went wrong, in plain sentences.
func (l *UnresolvedAttempt) Error() string {
	if l.Err == nil {
		return "Nobody knows whether this was done."
	}
	return l.Err.Error()
}

// Unwrap is what went wrong.
func (l *UnresolvedAttempt) Unwrap() error { return l.Err }

// Is reports that every Lost is [api.ErrUnresolved].
func (l *UnresolvedAttempt) Is(target error) bool { return target == api.ErrUnresolved }
