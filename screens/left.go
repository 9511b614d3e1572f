package screens

import (
	"context"
	"slices"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/present"
)

// The bounds of the end. A signal has set a deadline that is later than both together.
const (
	answerGrace  = 1500 * time.Millisecond // waiting for the answer to what was being sent
	journalGrace = 200 * time.Millisecond  // reading the journal
)

// Left returns what a person must hear once the console has ended: each payment, link and finalize that may or may not have
// been carried out, or whose answer differs, while no person has decided. Those sent in this run come first,
// then those of earlier runs that home lists. ours reports whether there are some of this run. First it waits a
// moment for requests in progress, because Bubble Tea abandons running commands.
func (a *App) Left() (lines []string, ours bool) {
	waiting, stop := context.WithTimeout(context.Background(), answerGrace)
	defer stop()
	answered := a.work.Wait(waiting)
	reading, stop := context.WithTimeout(context.Background(), journalGrace)
	defer stop()
	left := a.leave.unresolved(reading)
	if !answered && len(left) == 0 {
		lines = []string{"A request was unanswered when paydesk quit. It is not known whether it was carried out: check before you send it again."}
	}
	ours = len(left) > 0 || len(lines) > 0
	return append(lines, present.Left(append(left, a.leave.earlier(reading, left)...))...), ours
}

// earlier returns the attempts that home lists from earlier runs and from other consoles, without those in ours.
func (l *leave) earlier(ctx context.Context, ours []ledger.Attempt) (left []ledger.Attempt) {
	for _, s := range l.all() {
		if !s.recorded {
			continue
		}
		listed, _ := s.Journal.Unfinished(ctx, s.Here())
		for _, a := range listed {
			known := func(o ledger.Attempt) bool { return o.ID == a.ID }
			if (a.IsUnresolved() || a.Mismatch.Undecided()) && !slices.ContainsFunc(slices.Concat(ours, left), known) {
				left = append(left, a)
			}
		}
	}
	return left
}

// all returns the sessions of this run.
func (l *leave) all() []ending {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.sessions)
}

// unresolved returns what the sessions of this run leave behind, the oldest first. Those with a file share one
// journal.
func (l *leave) unresolved(ctx context.Context) (left []ledger.Attempt) {
	read := map[*journal.Journal]bool{}
	for _, s := range l.all() {
		if !read[s.Journal] {
			read[s.Journal] = true
			open := s.Journal.LeftOpen(ctx)
			if !s.recorded { // the IDs name nothing any more
				for i := range open {
					open[i].ID = ""
				}
			}
			left = append(left, open...)
		}
	}
	slices.SortStableFunc(left, func(a, b ledger.Attempt) int { return a.At.Compare(b.At) })
	return left
}
