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
	err := fmt.Errorf("sending: %w", &journal.Lost{ID: "k3f9m2x7qa", Err: odd})
	var lost *journal.Lost
	if !errors.As(err, &lost) || lost.ID != "k3f9m2x7qa" || !errors.Is(err, odd) || !errors.Is(err, api.ErrUnresolved) {
		t.Errorf("%v is not lost with its id and its reason", err)
	}
	if lost.Error() != "odd" || (&journal.Lost{}).Error() == "" {
		t.Errorf("it says %q, and %q without a reason", lost, &journal.Lost{})
	}
}

func TestOnlyWhatWasShownIsAcknowledged(t *testing.T) {
	ctx := context.Background()
	if got := journal.Acknowledged(ctx); len(got) != 0 {
		t.Errorf("nobody was asked, and %v is acknowledged", got)
	}
	first := journal.Despite(ctx, "aaaa000000", "bbbb000000")
	second := journal.Despite(first, "cccc000000")
	if diff := cmp.Diff([]journal.ID{"aaaa000000", "bbbb000000", "cccc000000"}, journal.Acknowledged(second)); diff != "" {
		t.Error(diff)
	}
	journal.Acknowledged(first)[0] = "changed"
	if diff := cmp.Diff([]journal.ID{"aaaa000000", "bbbb000000"}, journal.Acknowledged(first)); diff != "" {
		t.Error(diff)
	}
}
