package api_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
)

// reading is everything that is derived from an error.
func reading(err error) string {
	words := []string{string(api.OutcomeOf(err))}
	for _, of := range []struct {
		is   bool
		word string
	}{
		{api.KeyRejected(err), "key rejected"}, {api.NotFound(err), "not found"},
		{api.Definite(err), "definite"}, {api.Temporary(err), "not now"},
	} {
		if of.is {
			words = append(words, of.word)
		}
	}
	return strings.Join(words, ", ")
}

func TestTheOutcomeOfEveryError(t *testing.T) {
	refusal := func(http int) error { return &api.Refusal{Kind: api.KindService, HTTP: http} }
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"no error", nil, "accepted"},
		{"400", refusal(400), "refused, definite"},
		{"401", refusal(401), "refused, key rejected"},
		{"404", refusal(404), "refused, not found, definite"},
		{"404 of a gateway", &api.Refusal{Kind: api.KindHTTP, HTTP: 404}, "refused, not found, definite"},
		{"409", refusal(409), "refused, not now"},
		{"422", refusal(422), "refused, definite"},
		{"429", refusal(429), "refused, not now"},
		{"wrapped", fmt.Errorf("while creating: %w", refusal(401)), "refused, key rejected"},

		{"not connected", &api.Failure{Kind: api.KindConnect}, "not sent"},
		{"a look-alike", &ledger.Duplicate{}, "not sent"},
		{"the journal cannot be written", &ledger.Unavailable{}, "not sent"},
		{"the gate is closed", &session.GateClosed{}, "not sent"},

		{"unresolved", &api.Unresolved{Kind: api.KindTimeout}, "unresolved"},
		{"lost, as the journal says", &journal.UnresolvedAttempt{ID: "a"}, "unresolved"},
		{"lost, and then the journal broke", errors.Join(&journal.UnresolvedAttempt{ID: "a"}, &ledger.Unavailable{}), "unresolved"},
		{"cancelled", context.Canceled, "unresolved"},
		{"anything else", errors.New("something"), "unresolved"},
	} {
		if got := reading(c.err); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	// Doubt wins over whatever else is in the chain.
	for _, err := range []error{refusal(422), &api.Failure{Kind: api.KindConnect}, &session.GateClosed{}} {
		for _, doubt := range []error{errors.Join(err, api.ErrUnresolved), errors.Join(api.ErrUnresolved, err), &journal.UnresolvedAttempt{Err: err}} {
			if got := api.OutcomeOf(doubt); got != api.OutcomeUnresolved {
				t.Errorf("%T in doubt: %s", err, got)
			}
		}
	}
}
