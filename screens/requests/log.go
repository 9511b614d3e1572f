package requests

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"paydesk/api"
	"paydesk/screens/present"
)

// Capacity limits how many requests are kept, the newest ones.
const Capacity = 1000

// ScanCapacity limits how many of them may be of scans: a scan makes thousands, and what a person did must
// not go for them.
const ScanCapacity = 20

// An Entry is one request.
type Entry struct {
	N       int // counts all requests from 1, including those that are no longer kept
	Profile string
	api.Exchange
}

// A Log keeps what the console asked and was answered for as long as the process runs: across profiles and keys, and in memory only,
// until a person writes it to a file. It is safe for concurrent use. The zero Log is empty.
type Log struct {
	mu      sync.Mutex
	entries []Entry // oldest first
	bulk    int     // the number of them that scans made
	total   int
	added   chan struct{} // closed by the next entry; nil while none is waited for
}

// Observer returns what receives the requests of a profile; nil for a nil Log, which keeps none.
func (l *Log) Observer(profile string) func(api.Exchange) {
	if l == nil {
		return nil
	}
	return func(e api.Exchange) { l.add(Entry{Profile: profile, Exchange: e}) }
}

func (l *Log) add(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Attempt == "" {
		e.Attempt = l.attemptOf(e)
	}
	switch {
	case e.Bulk && l.bulk == ScanCapacity:
		l.forget(slices.IndexFunc(l.entries, func(old Entry) bool { return old.Bulk }))
	case len(l.entries) == Capacity:
		l.forget(0)
	}
	if e.Bulk {
		l.bulk++
	}
	l.total++
	e.N = l.total
	l.entries = append(l.entries, e)
	if l.added != nil {
		close(l.added)
		l.added = nil
	}
}

// forget removes one entry.
func (l *Log) forget(i int) {
	if l.entries[i].Bulk {
		l.bulk--
	}
	l.entries = slices.Delete(l.entries, i, i+1)
}

// attemptOf is the attempt that made the payment of a request, as far as it is in the log.
func (l *Log) attemptOf(e Entry) string {
	for _, old := range slices.Backward(l.entries) {
		if e.Reference != "" && old.Reference == e.Reference && old.Profile == e.Profile &&
			old.Operation == api.OpInitiate {
			return old.Attempt
		}
	}
	return ""
}

// Entries returns what is kept, newest first. A nil Log has none.
func (l *Log) Entries() []Entry {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	newest := slices.Clone(l.entries)
	slices.Reverse(newest)
	return newest
}

// notable returns the last n requests of a profile that sent something or went wrong, newest first. A failure that repeats is
// listed once, as of its first occurrence since the read last succeeded, so that a console that waits for a host stands still.
func (l *Log) notable(profile string, n int) (last []Entry) {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	failing := map[string]int{} // where a read that fails is in last, by its path
	for _, e := range slices.Backward(l.entries) {
		at, again := failing[e.Path]
		switch {
		case e.Profile != profile || e.Outcome == api.OutcomeCancelled:
		case e.Operation.Rule().Sends():
			last = append(last, e)
		case e.Outcome == api.OutcomeAnswered:
			delete(failing, e.Path)
		case again:
			last[at] = e
		default:
			failing[e.Path] = len(last)
			last = append(last, e)
		}
		if len(last) > n {
			return last[:n]
		}
	}
	return last
}

// Wait returns when there has been a request after the first n, or ctx ends.
func (l *Log) Wait(ctx context.Context, n int) error {
	l.mu.Lock()
	if l.total > n {
		l.mu.Unlock()
		return nil
	}
	if l.added == nil {
		l.added = make(chan struct{})
	}
	added := l.added
	l.mu.Unlock()
	select {
	case <-added:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// String is the request on one line, for a ticket and for the file.
func (e Entry) String() string {
	parts := []string{
		e.Time(), string(e.Operation), e.Method + " " + e.Host + e.Path, e.StatusText(), present.Took(e.Took),
		fmt.Sprintf("%d B sent, %d B received", e.Sent, e.Received), string(e.Outcome),
	}
	for _, more := range [][2]string{{"reference", e.Reference}, {"attempt", e.Attempt}, {"profile", e.Profile}} {
		if more[1] != "" {
			parts = append(parts, more[0]+" "+more[1])
		}
	}
	if e.Try > 1 {
		parts = append(parts, fmt.Sprintf("try %d", e.Try))
	}
	if e.Why != "" {
		parts = append(parts, e.Why)
	}
	return api.Clean(strings.Join(parts, " | ")).Line(0)
}

// Time returns when it was sent, with the zone.
func (e Entry) Time() string { return e.At.Format("2006-01-02 15:04:05.000 -07:00") }

// StatusText is the status of the response.
func (e Entry) StatusText() string {
	if e.Status == 0 {
		return "no response"
	}
	return fmt.Sprintf("HTTP %d", e.Status)
}

// lines are the requests, newest first, on a line each; without any, a line that says so.
func (l *Log) lines() (lines []string) {
	for _, e := range l.Entries() {
		lines = append(lines, e.String())
	}
	if lines == nil {
		lines = []string{"none"}
	}
	return lines
}
