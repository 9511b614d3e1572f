//go:build !unix

package journal

// processGone is not known here. [ledger.SendTime] still applies.
func processGone(int64) bool { return false }

// processLives is not known here either: [ledger.NotFoundAfter] alone applies.
func processLives(int64) bool { return false }
