package journal_test

import (
	"testing"

	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// colleague opens the journal of another console with the same rows.
func colleague(t *testing.T, dir string, c *clock) *journal.Journal {
	t.Helper()
	j, err := openJournal(t.Context(), journal.Options{Dir: dir, Now: c.now, Operator: ledger.Operator{User: "bo", Host: "desk2"}})
	noError(t, err)
	t.Cleanup(func() { j.Close() })
	return j
}

// Two people take one attempt at the same moment: one of them has it.
func TestOnlyOneOfTwoTakesAnAttempt(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	ada, bo := mustOpen(t, dir, c), colleague(t, dir, c)
	for i := range int64(5) {
		a := unresolved(t, ada, initiation(t, 1250+i))
		results := make(chan error, 2)
		for _, j := range []*journal.Journal{ada, bo} {
			go func() { results <- j.Take(t.Context(), a) }()
		}
		first, second := <-results, <-results
		if (first == nil) == (second == nil) {
			t.Errorf("%v and %v", first, second)
		}
		decide(t, map[bool]*journal.Journal{true: ada, false: bo}[mustAttempt(t, ada, a.ID).Lease.Mine], a.ID, ledger.GaveUp, "")
	}
}
