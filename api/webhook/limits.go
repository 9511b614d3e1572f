package webhook

import (
	"time"
)

// limits bound what others can make a receiver do. Tests have shorter ones.
type limits struct {
	header, read, write, idle time.Duration // of a request's headers, of all of it, of its response, between two requests
	keep                      time.Duration // how long storing may take
	end                       time.Duration // how long Close waits for requests under way
	headerBytes               int
	body                      int64 // bytes
	connections               int
	rate, burst               int // requests a second to the secret path, and how many may come at once
	now                       func() time.Time
}

func defaultLimits() limits {
	return limits{
		header: 5 * time.Second, read: 10 * time.Second, write: 30 * time.Second, idle: 5 * time.Second,
		keep: 10 * time.Second, end: 5 * time.Second,
		headerBytes: 16<<10 - 4096, // net/http allows 4096 more
		body:        64 << 10, connections: 128, rate: 2000, burst: 4000, now: time.Now,
	}
}
