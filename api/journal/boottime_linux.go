package journal

import (
	"time"

	"golang.org/x/sys/unix"
)

// sinceBoot is how long the machine has been running, by the clock that [procStat] counts in and nobody sets; 0 where
// there is none.
func sinceBoot() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return 0
	}
	return time.Duration(now.Nano())
}
