package api

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// retryable reports whether a GET may be retried at once: the server was not reached, the
// connection broke before a response began, a gateway could not reach the service, or the service
// received too many requests.
func retryable(a response, f *transportError) bool {
	if f == nil {
		return a.status == 429 || a.status == 502 || a.status == 503 || a.status == 504
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

// A Retry is a GET that failed and is about to be sent again.
type Retry struct {
	Failure *Failure      // why
	In      time.Duration // until the next try
	Try, Of int           // the next try, and how many there are at most
}

type retriedContext struct{}

// Retried returns a context in which a status is requested again after a transient failure, as any other read is: no
// schedule asks again.
func Retried(ctx context.Context) context.Context {
	return context.WithValue(ctx, retriedContext{}, true)
}

type retryContext struct{}

// OnRetry returns a context with which f hears of each retry of a GET, in the goroutine and with the
// context of its call.
func OnRetry(ctx context.Context, f func(context.Context, Retry)) context.Context {
	return context.WithValue(ctx, retryContext{}, f)
}

// announce reports a retry after a response or the lack of one.
func announce(ctx context.Context, a response, f *transportError, r Retry) {
	hear, ok := ctx.Value(retryContext{}).(func(context.Context, Retry))
	if !ok {
		return
	}
	r.Failure = &Failure{Kind: KindHTTP, HTTP: a.status}
	if f != nil {
		r.Failure = &Failure{Kind: f.kind, HTTP: a.status, Detail: Clean(f.text)}
	}
	hear(ctx, r)
}

// backoff is the wait before the next try: random, from 0.5 s up to 2 s and then 8 s.
func backoff(try int) time.Duration {
	most := min(2*time.Second<<(2*try), 8*time.Second)
	least := 500 * time.Millisecond
	return least + rand.N(most-least)
}

// A budget allows 10 retries a minute per host, so that many screens polling a service in trouble
// do not add to the trouble.
type budget struct {
	mu   sync.Mutex
	used map[string][]time.Time
}

const budgetSize = 10

func (b *budget) spend(host string, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	recent := slices.DeleteFunc(b.used[host], func(t time.Time) bool { return now.Sub(t) >= time.Minute })
	allowed := len(recent) < budgetSize
	if allowed {
		recent = append(recent, now)
	}
	b.used[host] = recent
	return allowed
}

// LongestRetryAfter caps a Retry-After: a longer one counts as this. The caller decides how long to wait before it asks again.
const LongestRetryAfter = 24 * time.Hour

// retryAfter parses Retry-After, which is in seconds or a date. A date is relative to the
// response's own Date, where there is one, because clocks differ.
func retryAfter(h http.Header, now time.Time) time.Duration {
	s := strings.TrimSpace(h.Get("Retry-After"))
	if s == "" {
		return 0
	}
	if strings.Trim(s, "0123456789") == "" {
		n, err := strconv.Atoi(s)
		if err != nil || n > int(LongestRetryAfter/time.Second) {
			return LongestRetryAfter
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
	return min(max(at.Sub(now), 0), LongestRetryAfter)
}
