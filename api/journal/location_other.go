//go:build !unix

package journal

import (
	"context"
	"errors"
	"os"
	"time"
)

// File modes mean nothing here: a user's folders are closed to other users already.
const hasModes = false

// lockDir does not lock: two consoles that create their first journal at the same moment may
// collide.
func lockDir(string) (release func(), err error) { return func() {}, nil }

// flock is not needed here, since nothing is remembered.
func flock(context.Context, *os.File, time.Duration) error { return errors.ErrUnsupported }

func unlock(*os.File) {}

// processGone is not known here. [maxSendTime] still applies.
func processGone(int64) bool { return false }
