package journal_test

import (
	"context"
	"testing"
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
