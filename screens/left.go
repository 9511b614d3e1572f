package screens

import (
	"context"
	"slices"
	"time"

	"paydesk/api/journal"
	"paydesk/screens/present"
)

// The bounds of the end. A signal has set a deadline that is later than both together.
const (
	answerGrace  = 1500 * time.Millisecond // waiting for the answer to what was being sent
	journalGrace = 200 * time.Millisecond  // reading the journal
)

// Left is what a person must hear once the console has ended: about each payment, link and finalize that
// was sent in this run, of which nobody knows whether it was carried out, and about which nobody has
// decided; nil when there is none. First it waits a moment for requests in progress, because Bubble Tea abandons
// running commands.
func (a *App) Left() []string {
	waiting, stop := context.WithTimeout(context.Background(), answerGrace)
	defer stop()
	answered := a.work.Wait(waiting)
	reading, stop := context.WithTimeout(context.Background(), journalGrace)
	defer stop()
	lines := present.Left(a.leave.unresolved(reading))
	if !answered && len(lines) == 0 { // without a journal
		return []string{"A request was unanswered when paydesk quit. It is not known whether it was carried out: check before you send it again."}
	}
	return lines
}

// unresolved is what the sessions of this run leave behind, the oldest first. Those with a file share one
// journal.
func (l *leave) unresolved(ctx context.Context) (left []journal.Attempt) {
	l.mu.Lock()
	sessions := slices.Clone(l.sessions)
	l.mu.Unlock()
	read := map[*journal.Journal]bool{}
	for _, s := range sessions {
		switch {
		case s.Journal == nil:
			left = append(left, s.Unrecorded()...)
		case !read[s.Journal]:
			read[s.Journal] = true
			left = append(left, s.Journal.LeftOpen(ctx)...)
		}
	}
	slices.SortStableFunc(left, func(a, b journal.Attempt) int { return a.At.Compare(b.At) })
	return left
}
