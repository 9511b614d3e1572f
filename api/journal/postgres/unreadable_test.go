package postgres_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// One row that is not what was written hides itself alone; nothing is sent that may be a payment like it.
func TestARowThatCannotBeReadHidesItselfAlone(t *testing.T) {
	t.Parallel()
	_, c := start(t)
	j := console(t, c)
	var all []ledger.Attempt
	for minor := range 3 {
		a, err := begin(t, j, int64(100+minor))
		noError(t, err)
		noError(t, j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "silence"}))
		all = append(all, a)
	}
	bad := string(all[1].ID)
	ids := func(rows []ledger.Attempt, err error) (found []ledger.ID) {
		t.Helper()
		noError(t, err)
		for _, a := range rows {
			found = append(found, a.ID)
		}
		slices.Sort(found)
		return found
	}
	others := []ledger.ID{all[0].ID, all[2].ID}
	slices.Sort(others)
	ask(t, c, "UPDATE entries SET outcome = 'refused', at = 1 WHERE id = '"+bad+"'")

	if _, err := begin(t, console(t, c), 101); !isDuplicate(err) { // its facts say what it is
		t.Errorf("a payment like it: %v", err)
	}
	for name, listed := range map[string][]ledger.ID{
		"unfinished": ids(j.Unfinished(t.Context(), shop)),
		"activity": ids(func() ([]ledger.Attempt, error) {
			rows, n, err := j.Attempts(t.Context(), journal.Filter{}, 0, 9)
			if n != len(rows) {
				t.Errorf("%d are counted of %d", n, len(rows))
			}
			return rows, err
		}()),
	} {
		if !slices.Equal(listed, others) {
			t.Errorf("%s: %v, not %v", name, listed, others)
		}
	}
	if named, err := j.Unreadable(t.Context()); err != nil || len(named) != 1 || !strings.Contains(named[0], bad) {
		t.Errorf("%v are named: %v", named, err)
	}

	found, err := j.Audit(t.Context(), nil)
	if err != nil || !slices.ContainsFunc(found.Differs, func(line string) bool { return strings.Contains(line, bad) }) {
		t.Errorf("the audit finds %v: %v", found.Differs, err)
	}
	noError(t, j.Decide(t.Context(), all[1], ledger.GaveUp, "")) // writes the row anew
	if named, err := j.Unreadable(t.Context()); err != nil || len(named) > 0 {
		t.Errorf("%v are named: %v", named, err)
	}

	ask(t, c, "UPDATE facts SET body = replace(body, 'silence', 'payment') WHERE entry = '"+bad+"'")
	if _, err := begin(t, j, 101); !errors.Is(err, api.ErrNotSent) || !strings.Contains(err.Error(), bad) {
		t.Errorf("a payment like one of which a fact was changed: %v", err)
	}
	if _, err := begin(t, j, 777); err != nil {
		t.Errorf("another one: %v", err)
	}
	rows, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 9)
	if noError(t, err); slices.ContainsFunc(rows, func(a ledger.Attempt) bool { return string(a.ID) == bad }) || len(rows) != 3 {
		t.Errorf("%d are listed, with the one of which a fact was changed", len(rows))
	}
}
