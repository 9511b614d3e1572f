package journal_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

func TestWhatCannotBeReadIsLeftOpen(t *testing.T) {
	t.Parallel()
	needsFile(t)
	j := mustOpen(t, "", newClock())
	a := unresolved(t, j, initiation(t, 100))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if got := j.LeftOpen(ctx); len(got) != 1 || got[0].ID != a.ID || got[0].Amount != a.Amount {
		t.Errorf("%+v", got)
	}
}

func leftOpen(j *journal.Journal) (ids []ledger.ID) {
	for _, a := range j.LeftOpen(context.Background()) {
		ids = append(ids, a.ID)
	}
	return ids
}

func TestWhatIsLeftOpenIsOfThisRunAndUndecided(t *testing.T) {
	t.Parallel()
	c, dir := newClock(), filepath.Join(t.TempDir(), "state")
	earlier := mustOpen(t, dir, c)
	unresolved(t, earlier, initiation(t, 100))
	noError(t, earlier.Close())
	j := mustOpen(t, dir, c)
	if got := leftOpen(j); got != nil {
		t.Fatalf("of an earlier run: %v", got)
	}
	var all []ledger.ID
	for i, o := range []ledger.Outcome{ledger.Unresolved, ledger.Accepted, ledger.Refused, ledger.NotSent, ledger.Sent, ledger.Unresolved} {
		a := mustBegin(t, j, initiation(t, int64(200+i)))
		result := ledger.Result{Outcome: o}
		if o == ledger.Accepted {
			result.Payment = &api.Payment{Reference: "REF1"}
		}
		if o != ledger.Sent {
			mustEnd(t, j, a.ID, result)
		}
		all = append(all, a.ID)
	}
	if got, want := leftOpen(j), []ledger.ID{all[0], all[4], all[5]}; !slices.Equal(got, want) {
		t.Fatalf("%v, want %v", got, want)
	}
	elsewhere := mustOpen(t, dir, c)
	decide(t, elsewhere, all[0], ledger.GaveUp, "")
	decide(t, j, all[5], ledger.GaveUp, "")
	mustEnd(t, j, all[4], ledger.Result{Outcome: ledger.Refused})
	if got := leftOpen(j); got != nil {
		t.Errorf("decided and answered: %v", got)
	}
}
