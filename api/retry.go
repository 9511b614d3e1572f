package api

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// retryable reports whether a GET may be asked again at once (R56): nobody was
// reached, the connection broke before an answer began, or a gateway had no
// service behind it. An answer that says how long to wait goes back to the one who
// asked, who has a schedule.
func retryable(a response, f *transportError) bool {
	if f == nil {
		return a.retryAfter == 0 && (a.status == 502 || a.status == 503 || a.status == 504)
	}
	if f.gotHeaders {
		return false
	}
	switch f.kind {
	case KindConnect, KindProtocol:
		return true
	case KindDNS:
		return f.text != dnsNotFound
	case KindTimeout:
		return !f.sent
	}
	return false
}

// backoff is how long to wait before the next try: full jitter from 0.5 s up to 2
// s, then 8 s.
func backoff(try int) time.Duration {
	most := min(2*time.Second<<(2*try), 8*time.Second)
	least := 500 * time.Millisecond
	return least + rand.N(most-least)
}

// sleep waits; it reports false when ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// A budget allows 10 retries a minute for each host, so that many screens asking a
// service in trouble do not make the trouble worse.
type budget struct {
	mu   sync.Mutex
	used map[string][]time.Time
}

const budgetSize = 10

func (b *budget) spend(host string, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	var recent []time.Time
	for _, t := range b.used[host] {
		if now.Sub(t) < time.Minute {
			recent = append(recent, t)
		}
	}
	if len(recent) >= budgetSize {
		return false
	}
	if b.used == nil {
		b.used = make(map[string][]time.Time)
	}
	b.used[host] = append(recent, now)
	return true
}

// longestWait is the most a Retry-After is believed (R47).
const longestWait = 5 * time.Minute

// retryAfter reads Retry-After, which is seconds or a date. A date is counted from
// the answer's own Date where it has one: clocks differ.
func retryAfter(h http.Header, now time.Time) time.Duration {
	s := strings.TrimSpace(h.Get("Retry-After"))
	if s == "" {
		return 0
	}
	if strings.Trim(s, "0123456789") == "" {
		n, err := strconv.Atoi(s)
		if err != nil || n > int(longestWait/time.Second) {
			return longestWait
		}
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(s)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(at.Sub(now), 0), longestWait)
}
