//go:build !linux

package journal

import "time"

// sinceBoot is not known here.
func sinceBoot() time.Duration { return 0 }
