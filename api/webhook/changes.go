package webhook

import (
	"context"
	"os"
	"sync"
	"time"
)

// changes counts what was stored in this process and, while somebody waits, in others.
type changes struct {
	mu      sync.Mutex
	version uint64
	now     chan struct{} // closed at the next change
	written [2]time.Time  // when the file and SQLite's log were, as last seen
}

func (c *changes) touch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	close(c.now)
	c.now = make(chan struct{})
}

func (c *changes) at() (uint64, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version, c.now
}

// elsewhere sets how often another process is looked for.
const elsewhere = time.Second

// Wait waits until anything is stored or answered after a version, in this process at once, in another within a
// second, and returns the new version. Version 0 precedes every change. Its only error is that of ctx.
func (s *Store) Wait(ctx context.Context, version uint64) (uint64, error) {
	look := s.looking
	var tick <-chan time.Time
	for {
		at, next := s.changes.at()
		if at > version {
			return at, nil
		}
		select {
		case <-next:
		case look <- struct{}{}: // one of those who wait looks for all of them
			defer func() { <-s.looking }()
			ticker := time.NewTicker(elsewhere)
			defer ticker.Stop()
			look, tick = nil, ticker.C
		case <-tick:
			s.lookElsewhere()
		case <-ctx.Done():
			return at, ctx.Err()
		}
	}
}

// lookElsewhere counts a change when the file or SQLite's log was written since it was looked at. What this process
// wrote counts once more.
func (s *Store) lookElsewhere() {
	var written [2]time.Time
	for i, name := range [...]string{s.path, s.path + "-wal"} {
		if about, err := os.Stat(name); err == nil {
			written[i] = about.ModTime()
		}
	}
	s.changes.mu.Lock()
	changed := s.changes.written != written
	s.changes.written = written
	s.changes.mu.Unlock()
	if changed {
		s.changes.touch()
	}
}
