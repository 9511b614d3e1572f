package keystore

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// Harden keeps the key and cards in memory from other programs of the same user and
// from files (R27): no debugger can attach, /proc shows neither memory nor
// environment, which still has what [FromEnv] took out, and no core is written. The
// limit on core files alone would not do, since a program that receives them does
// not heed it. It is for the start of the program, and cannot be taken back there.
func Harden() error {
	err := errors.Join(unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0), unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}))
	if err != nil {
		return fmt.Errorf("other programs of this user may be able to read paydesk's memory: %w", err)
	}
	return nil
}
