package journal

import (
	"time"

	"golang.org/x/sys/unix"
)

// sinceBoot returns how long the machine has been running, by the clock that [procStat] counts in, which cannot be set; 0
// where there is none.
func sinceBoot() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return 0
	}
	return time.Duration(now.Nano())
}
