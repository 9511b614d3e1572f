//go:build !unix

package statefile

import (
	"context"
	"errors"
	"os"
	"time"
)

// File modes mean nothing here: a user's folders are closed to other users already.
const hasModes = false

// LockDir does not lock: two consoles that create their first file at the same moment may collide.
func LockDir(string) (release func(), err error) { return func() {}, nil }

// Lock does not lock.
func Lock(context.Context, *os.File, time.Duration) error { return errors.ErrUnsupported }

// Unlock does nothing.
func Unlock(*os.File) {}
