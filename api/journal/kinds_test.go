package journal

import (
	"errors"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/ledger"
)

func TestAKindWithoutRulesIsNotSent(t *testing.T) {
	t.Parallel()
	j := New(Options{})
	defer j.Close()
	_, err := j.Begin(t.Context(), ledger.Attempt{Kind: "refund"}, ledger.Payer{}, nil)
	if !errors.Is(err, api.ErrNotSent) || !strings.Contains(err.Error(), "no rules") {
		t.Error(err)
	}
	if all, err := j.Unfinished(t.Context(), ledger.Destination{}); err != nil || len(all) != 0 {
		t.Errorf("it was recorded: %+v, %v", all, err)
	}
}
