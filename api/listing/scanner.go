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
	changed chan struct{} // closed with the next change of [State.N]
	shownAt time.Time     // when that changed last
	soon    *time.Timer   // changes it later; nil unless something happened since
	taking  sync.Mutex    // held while rows are added: mu is not held meanwhile
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
	s.now.To = rows
	s.resume()
}

// Again forgets what was read, and reads the list from its beginning until there are so many rows, 0 for all.
func (s *Scanner) Again(rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.halt(Idle, NotPaused)
	s.forget()
	s.now.To = rows
	s.begin()
}

// Resume goes on where reading stopped. At [AtLimit] it goes beyond the limit.
func (s *Scanner) Resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resume()
}

func (s *Scanner) resume() {
	if s.now.Phase == Idle || s.now.Phase == Paused {
		s.beyond = s.beyond || s.now.Why == AtLimit
		if s.now.Why == ByKey {
			s.forget()
		}
		s.begin()
	}
}

// Pause stops reading until [Scanner.Resume].
func (s *Scanner) Pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.Phase.Running() {
		s.halt(Paused, ByPerson)
	}
}

// KeyReplaced stops reading after the key was replaced, and makes what was read [State.Stale], also where the end of
// the list was reached.
func (s *Scanner) KeyReplaced() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.Phase != Idle {
		s.halt(Paused, ByKey)
	}
}

// forget forgets what was read, but not what the service and a person asked for.
func (s *Scanner) forget() {
	was := s.scan
	s.scan = newScan()
	s.throttle, s.now.N, s.now.To = was.throttle, was.now.N, was.now.To
}

// State is the state now.
func (s *Scanner) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state()
}

func (s *Scanner) state() State {
	st := s.now
	st.Read = st.Rows.Len()
	st.More = s.end == 0 || s.next <= s.end || len(s.again) > 0
	switch st.Phase {
	case Done:
		st.Verdict = s.verdict()
	case Reading:
		st.Rate, st.Left = s.speed(time.Now())
	}
	st.Verdict.Odd = slices.Clone(st.Verdict.Odd)
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
	s.now.N++
	s.shownAt = time.Now()
	close(s.changed)
	s.changed = make(chan struct{})
}

// halt ends the reading that is under way, if any is.
func (s *Scanner) halt(phase Phase, why Why) {
	if s.stretch != nil {
		s.stretch.stop()
		if s.stretch.timer != nil {
			s.stretch.timer.Stop()
		}
		s.stretch = nil
		s.putBack()
	}
	s.now.Phase, s.now.Why, s.now.Until = phase, why, time.Time{}
	if why != ByProblem {
		s.now.Err, s.now.Page = nil, 0
	}
	if phase == Done && s.keeper != nil {
		s.keep()
	}
	s.show(true)
}

// keep has the scan kept, which reached the end of the list. It is kept even if the session ends meanwhile, since
// reading it again takes as long.
func (s *Scanner) keep() {
	sc := s.scan
	sc.now.Kept.Step = Keeping
	st := s.state()
	go func() {
		p := s.keeper.keepScan(context.WithoutCancel(s.ctx), sc, st)
		s.mu.Lock()
		defer s.mu.Unlock()
		if sc.now.Kept = p; s.scan == sc {
			s.show(true)
		}
	}()
}
