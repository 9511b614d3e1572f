package journal_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
)

func TestALostAttemptIsUnresolvedWhateverWentWrong(t *testing.T) {
	odd := errors.New("odd")
	err := fmt.Errorf("sending: %w", &journal.UnresolvedAttempt{ID: "k3f9m2x7qa", Err: odd})
	var lost *journal.UnresolvedAttempt
	if !errors.As(err, &lost) || lost.ID != "k3f9m2x7qa" || !errors.Is(err, odd) || !errors.Is(err, api.ErrUnresolved) {
		t.Errorf("%v is not lost with its id and its reason", err)
	}
	if lost.Error() != "odd" || (&journal.UnresolvedAttempt{}).Error() == "" {
		t.Errorf("it says %q, and %q without a reason", lost, &journal.UnresolvedAttempt{})
	}
}

func TestOnlyWhatWasShownIsAcknowledged(t *testing.T) {
	ctx := context.Background()
	if got := journal.AllowedDuplicates(ctx); len(got) != 0 {
		t.Errorf("nobody was asked, and %v is acknowledged", got)
	}
	first := journal.WithAllowedDuplicates(ctx, "aaaa000000", "bbbb000000")
	second := journal.WithAllowedDuplicates(first, "cccc000000")
	if diff := cmp.Diff([]journal.ID{"aaaa000000", "bbbb000000", "cccc000000"}, journal.AllowedDuplicates(second)); diff != "" {
		t.Error(diff)
	}
	journal.AllowedDuplicates(first)[0] = "changed"
	if diff := cmp.Diff([]journal.ID{"aaaa000000", "bbbb000000"}, journal.AllowedDuplicates(first)); diff != "" {
		t.Error(diff)
	}
}
