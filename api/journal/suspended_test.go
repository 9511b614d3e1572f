package journal

import (
	"context"
	"errors"
	"testing"

	"paydesk/api"
	"paydesk/api/ledger"
)

func TestAnOperationWithoutARuleIsNotSent(t *testing.T) {
	t.Parallel()
	j := New(Options{})
	defer j.Close()
	sent := false
	_, err := record(t.Context(), NewRecorder(nil, j, ledger.Destination{}, nil, false), "Unheard", ledger.Attempt{}, ledger.Payer{},
		func(context.Context, ledger.ID) (int, error) { sent = true; return 0, nil }, func(int) ledger.Result { return ledger.Result{} })
	if !errors.Is(err, api.ErrNotSent) || sent {
		t.Errorf("%v, sent %v", err, sent)
	}
}
