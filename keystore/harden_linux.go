package keystore

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// Harden keeps keys and cards in memory away from other programs of the same user and out of
// core files: no debugger can attach, and /proc shows neither the memory nor the environment,
// which still contains what [FromEnv] removed. The limit on core files is not enough, because
// a program that receives cores through a pipe ignores it. Call Harden at the start of the
// program; it cannot be undone.
func Harden() error {
	err := errors.Join(unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0), unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}))
	if err != nil {
		return fmt.Errorf("other programs of this user may be able to read paydesk's memory: %w", err)
	}
	return nil
}
