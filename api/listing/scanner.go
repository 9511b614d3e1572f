package listing

import (
	"context"
	"slices"
	"sync"
	"time"

	"paydesk/api"
)

// A Source has a list of transactions.
type Source interface {
	Transactions(ctx context.Context, page, perPage int) (api.Page, error)
}

// The bounds of a scan.
const (
	MostAtOnce = 4     // pages that are asked for at once
	MostPages  = 1_000 // pages before a person is asked whether to go on
	mostTries  = 5     // of a page, until the scan is paused
	pace       = 250 * time.Millisecond
)

// A Scanner reads a list to its end in the background. It never asks for more than [MostAtOnce] pages at once,
// for fewer while the service is in trouble, and for none while it asks to wait. It is safe for concurrent use,
// and none of its methods waits but [Scanner.Changed].
type Scanner struct {
	ctx    context.Context
	from   Source
	keeper *Keeper // keeps each scan; nil where nothing does

	mu      sync.Mutex
	n       int
	changed chan struct{} // closed with the next change of n
	shownAt time.Time     // when n changed last
	soon    *time.Timer   // changes n later; nil unless something happened since
	phase   Phase
	why     Why
	until   time.Time
	err     error
	errPage int
	to      int        // rows that are asked for; 0 for all
	beyond  bool       // a person wants more than MostPages
	taking  sync.Mutex // held while rows are added: mu is not held meanwhile
	*scan
	stretch *stretch // what is reading now; nil while nothing is
}

// NewScanner is a scanner that has read nothing. Its reading ends with ctx.
func NewScanner(ctx context.Context, from Source) *Scanner {
	return &Scanner{ctx: ctx, from: from, changed: make(chan struct{}), scan: newScan()}
}

// Start reads the whole list, or goes on to its end.
func (s *Scanner) Start() { s.Read(0) }

// Read reads the list until there are so many rows, 0 for all, or goes on until then. A person looks at the last of so many
// rows, which therefore have their objects.
func (s *Scanner) Read(rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = rows
	s.resume()
}

// Again forgets what was read, and reads the list from its beginning until there are so many rows, 0 for all.
func (s *Scanner) Again(rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.halt(Idle, NotPaused)
	s.forget()
	s.to = rows
	s.begin()
}

// Resume goes on where reading stopped. At [AtLimit] it goes beyond the limit.
func (s *Scanner) Resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resume()
}

func (s *Scanner) resume() {
	if s.phase == Idle || s.phase == Paused {
		s.beyond = s.beyond || s.why == AtLimit
		if s.why == ByKey {
			s.forget()
		}
		s.begin()
	}
}

// Pause stops reading until [Scanner.Resume].
func (s *Scanner) Pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase.Running() {
		s.halt(Paused, ByPerson)
	}
}

// KeyReplaced stops reading after the key was replaced, and makes what was read [State.Stale], also where the end of
// the list was reached.
func (s *Scanner) KeyReplaced() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase != Idle {
		s.halt(Paused, ByKey)
	}
}

// forget forgets what was read, but not what the service asked for.
func (s *Scanner) forget() {
	throttle := s.throttle
	s.scan, s.beyond = newScan(), false
	s.throttle = throttle
}

// State is the state now.
func (s *Scanner) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state()
}

func (s *Scanner) state() State {
	st := State{
		N: s.n, Phase: s.phase, Why: s.why, Rows: s.rows, Read: s.rows.Len(), To: s.to,
		More: s.end == 0 || s.next <= s.end || len(s.again) > 0, Pages: s.pages, Of: s.of, Total: s.total,
		Counted: s.counted, Width: s.width, Began: s.began, Ended: s.ended, Until: s.until, Err: s.err, Page: s.errPage, Kept: s.kept,
	}
	if s.phase == Done {
		st.Verdict = s.verdict()
	} else {
		st.Verdict.Odd = slices.Clone(s.odd)
	}
	if s.phase == Reading {
		st.Rate, st.Left = s.speed(time.Now())
	}
	return st
}

// Changed returns the state once it is another than that with the number since. While pages arrive that is at
// most four times a second.
func (s *Scanner) Changed(ctx context.Context, since int) (State, error) {
	for {
		s.mu.Lock()
		st, changed := s.state(), s.changed
		s.mu.Unlock()
		if st.N != since {
			return st, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return st, ctx.Err()
		}
	}
}

// show lets those that wait know of a change: at once, or soon.
func (s *Scanner) show(atOnce bool) {
	left := pace - time.Since(s.shownAt)
	switch {
	case !atOnce && left > 0:
		if s.soon == nil {
			var due *time.Timer
			due = time.AfterFunc(left, func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				if s.soon == due { // else a change was shown while this waited, and the next one has its own timer
					s.show(true)
				}
			})
			s.soon = due
		}
		return
	case s.soon != nil:
		s.soon.Stop()
		s.soon = nil
	}
	s.n++
	s.shownAt = time.Now()
	close(s.changed)
	s.changed = make(chan struct{})
}

// halt ends the reading that is under way, if any is.
func (s *Scanner) halt(phase Phase, why Why) {
	if s.stretch != nil {
		s.stretch.stop()
		s.stretch = nil
		s.putBack()
	}
	s.phase, s.why, s.until = phase, why, time.Time{}
	if why != ByProblem {
		s.err, s.errPage = nil, 0
	}
	if phase == Done && s.keeper != nil {
		s.keep(s.scan)
	}
	s.show(true)
}

// keep has a scan kept that reached the end of the list.
func (s *Scanner) keep(sc *scan) {
	sc.kept.Step = Keeping
	s.keeper.newest.Store(sc)
	go s.keeper.keepScan(s.ctx, sc, s.state(), func(p Progress) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if sc.kept = p; s.scan == sc {
			s.show(true)
		}
	})
}
