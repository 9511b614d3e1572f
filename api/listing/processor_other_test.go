//go:build !unix

package listing_test

import "time"

func processorTime() time.Duration { return 0 }
