//go:build !unix

package journal

// File modes mean nothing here: a user's folders are closed to other users already.
const hasModes = false

// lockDir does not lock: two consoles that create their first journal at the same moment may
// collide.
func lockDir(string) (release func(), err error) { return func() {}, nil }

// processGone is not known here. [maxSendTime] still applies.
func processGone(int64) bool { return false }
