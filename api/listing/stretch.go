package listing

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"paydesk/api"
)

// A stretch is reading without a pause: after each answer the pages are asked for whose turn it is.
type stretch struct {
	ctx   context.Context
	stop  context.CancelFunc
	timer *time.Timer // of its wait; nil before the first
}

// begin begins a stretch.
func (s *Scanner) begin() {
	st := &stretch{}
	st.ctx, st.stop = context.WithCancel(s.ctx)
	s.stretch = st
	s.now.Why, s.resumed = NotPaused, true
	clear(s.tries)
	if s.now.Began.IsZero() {
		if s.now.Began = time.Now(); s.keeper != nil {
			s.keeper.expect(s.ctx, s.scan)
		}
	}
	s.enter(Reading, time.Time{})
	go s.wake(st)
	context.AfterFunc(st.ctx, func() { s.wake(st) })
}

// wake goes on with a stretch at its beginning, after a wait and at its end, once no rows are being added.
func (s *Scanner) wake(st *stretch) {
	s.taking.Lock()
	defer s.taking.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance(st)
}

// advance asks for the pages whose turn it is, unless the stretch has ended.
func (s *Scanner) advance(st *stretch) {
	if s.stretch != st {
		return
	}
	if st.ctx.Err() != nil {
		s.halt(Paused, ByPerson)
		return
	}
	if left := time.Until(s.held); left > 0 {
		s.enter(Waiting, s.held)
		if st.timer == nil {
			st.timer = time.AfterFunc(left, func() { s.wake(st) })
		} else {
			st.timer.Reset(left)
		}
		return
	}
	s.enter(Reading, time.Time{})
	for len(s.flying) < s.width && s.stretch == st {
		if s.checked {
			s.halt(Done, NotPaused)
			return
		}
		switch page, why := s.step(); {
		case why != NotPaused:
			s.halt(Paused, why)
		case page == noPage:
			return
		default:
			s.flying[page] = true
			go s.fetch(st, page, !s.looksAt(page))
		}
	}
}

// looksAt reports whether a page has some of the last rows that are asked for: those that a person looks at.
func (s *Scanner) looksAt(page int) bool {
	last := s.now.To
	if s.now.Counted {
		last = min(last, s.now.Total)
	}
	return s.now.To > 0 && page*api.MaxPerPage > last-5*api.MaxPerPage
}

// enter changes between reading and waiting.
func (s *Scanner) enter(p Phase, until time.Time) {
	if s.now.Phase == p && s.now.Until.Equal(until) {
		return
	}
	s.now.Phase, s.now.Until = p, until
	if p == Reading {
		s.now.Err, s.now.Page, s.wentOn, s.had = nil, 0, time.Now(), s.now.Rows.Len()
	}
	s.show(true)
}

// fetch asks for a page, takes what became of that, and goes on. One that a person looks at is not read in bulk: its rows have their
// objects.
func (s *Scanner) fetch(st *stretch, page int, bulk bool) {
	began := time.Now()
	got, err := s.from.Transactions(api.ForScan(st.ctx, bulk), max(page, 1), api.MaxPerPage)
	s.taking.Lock()
	defer s.taking.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stretch != st || st.ctx.Err() != nil {
		return
	}
	defer s.advance(st)
	delete(s.flying, page)
	if err == nil {
		s.throttle.well()
		s.receive(page, got)
		s.takeInTurn()
		s.show(false)
		return
	}
	if page != checkPage {
		s.again = slices.Sorted(slices.Values(append(s.again, page)))
	}
	s.tries[page]++
	s.now.Err, s.now.Page = err, max(page, 1)
	if hopeless(err) || s.tries[page] >= mostTries {
		s.halt(Paused, ByProblem)
		return
	}
	s.throttle.badly(began, time.Now(), err)
}

// takeInTurn adds the rows of the pages whose turn it is. Meanwhile a person may pause the scan, whose page is taken
// all the same, or begin another one.
func (s *Scanner) takeInTurn() {
	for sc := s.scan; ; {
		n, p, is := sc.inTurn()
		if !is || sc.full != nil {
			return
		}
		s.mu.Unlock()
		a, err := sc.now.Rows.add(p.Rows, false)
		s.mu.Lock()
		sc.take(n, p, a, err, time.Now())
		if s.scan != sc {
			return
		}
	}
}

// longestAsked is the longest wait that the service may ask for. What comes after a longer one, a person decides.
const longestAsked = 5 * time.Minute

// hopeless reports whether asking again soon would bring the same: the key was rejected, nothing may be sent, the
// request itself is refused, or the service asks to wait for long.
func hopeless(err error) bool {
	refusal, is := errors.AsType[*api.Refusal](err)
	wait, _ := api.Backoff(err)
	return errors.Is(err, api.ErrNotSent) || is && refusal.HTTP/100 == 4 && !api.Temporary(err) || wait > longestAsked
}

// A throttle decides how many pages are asked for at once, and when. Trouble halves that at once, and a long
// run of good pages adds one.
type throttle struct {
	width   int
	held    time.Time // no page is asked for before
	good    int       // pages in a row that came
	misses  int       // times in a row that it was lowered
	lowered time.Time
}

// The waits after trouble, where the service does not say how long.
const (
	firstWait   = 500 * time.Millisecond
	longestWait = 8 * time.Second
	goodRun     = 8 // pages, for each that is asked for at once, before there is one more
)

// well notes a page that came.
func (t *throttle) well() {
	t.misses = 0
	if t.good++; t.good >= goodRun*t.width && t.width < MostAtOnce {
		t.width, t.good = t.width+1, 0
	}
}

// badly notes a page that did not come. The pages that were under way together count as one.
func (t *throttle) badly(began, now time.Time, err error) {
	wait, _ := api.Backoff(err)
	if began.After(t.lowered) {
		t.lowered, t.good = now, 0
		t.width = max(t.width/2, 1)
		if wait == 0 {
			most := min(firstWait<<t.misses, longestWait)
			wait = most/2 + rand.N(most/2)
		}
		t.misses = min(t.misses+1, 8)
	}
	if until := now.Add(wait); until.After(t.held) {
		t.held = until
	}
}
