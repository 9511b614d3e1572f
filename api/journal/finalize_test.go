package journal_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/servicetest"
)

// Two consoles finalize the same payment at the same moment, again and again: one request goes out.
func TestOfTwoConsolesThatFinalizeAtOnceOneSends(t *testing.T) {
	t.Parallel()
	for range repeats(5, 200) {
		finalizeTwiceAtOnce(t)
	}
}

func finalizeTwiceAtOnce(t *testing.T) {
	t.Helper()
	dir := newDir(t)
	service := &servicetest.Counter{}
	var failed [2]error
	var group sync.WaitGroup
	start := make(chan struct{})
	for i := range failed {
		j, err := openJournal(t.Context(), journal.Options{Dir: dir})
		noError(t, err)
		defer j.Close()
		console := journal.NewRecorder(service, j, shop, nil, false)
		group.Go(func() {
			<-start
			_, failed[i] = console.Finalize(context.Background(), "REF-1")
			if errors.Is(failed[i], api.ErrNotSent) && console.Trouble() != nil {
				t.Errorf("sending is disabled: %v", console.Trouble())
			}
		})
	}
	close(start)
	group.Wait()
	if n := service.Calls(api.OpFinalize); n != 1 || errors.Is(failed[0], api.ErrNotSent) == errors.Is(failed[1], api.ErrNotSent) {
		t.Fatalf("sent %d times: %v, %v", n, failed[0], failed[1])
	}
}

// A reference that was typed, or named by the list alone, may look like a card number, and is recorded as a line without.
func TestAFinalizeOfAnUnknownReferenceIsSentOnce(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	f := ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: "4242424242424242"}
	mustBegin(t, j, f)
	if _, err := j.Begin(t.Context(), f, ledger.Payer{}, nil); err == nil {
		t.Error("it is sent again")
	}
}
