package payment

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/session"
)

func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

func TestAPaymentIsWatchedUntilItIsFinal(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: says("PENDING", "PENDING", "Successfull")}
		c := watch80(t, s, card(""))
		c.Sees("PENDING", "Do not charge again", "12.50 GBP", "•••• 4242", "Next check within 5 s", "INITIATED", "initiation")
		c.Golden("pending")
		c.Wait(6*time.Second).Sees("✓ SUCCESSFUL", "Funds have been secured.", "Provide the goods or service.")
		c.Golden("successful")
		if n := s.count(); n != 3 {
			t.Errorf("%d requests, want 3", n)
		}
		c.Wait(20 * time.Minute)
		if n := s.count(); n != 3 {
			t.Errorf("a final payment was requested again: %d", n)
		}
	})
}

// A key may show a newer state than the message that is still on its way.
func TestALateStateDoesNotReplaceANewerOne(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := watch80(t, &script{answer: says("PENDING", "SUCCESSFUL")}, card(""))
		var late session.WatchState
		c.OnLoop(func() { late = c.screen.state })
		c.Wait(time.Minute).Sees("✓ SUCCESSFUL")
		c.OnLoop(func() { c.screen.show(late) })
		c.Press("b", "b").Sees("✓ SUCCESSFUL").WaitsUntilGone("Next check")
		if n := c.Bells(); n != 1 {
			t.Errorf("rang %d times", n)
		}
	})
}

func TestTheBellRingsOnceAndOnlyForAWatchedChange(t *testing.T) {
	for _, tc := range []struct {
		name  string
		words []string
		keys  []string
		bells int
	}{
		{"turned final", []string{"PENDING", "SUCCESSFUL"}, nil, 1},
		{"final on arrival", []string{"SUCCESSFUL"}, nil, 0},
		{"switched off", []string{"PENDING", "SUCCESSFUL"}, []string{"b"}, 0},
		{"asked again when final", []string{"PENDING", "SUCCESSFUL", "SUCCESSFUL"}, nil, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				c := watch80(t, &script{answer: says(tc.words...)}, card(""))
				c.Press(tc.keys...).Wait(time.Minute)
				c.Press("r")
				if n := c.Bells(); n != tc.bells {
					t.Errorf("rang %d times, want %d", n, tc.bells)
				}
			})
		})
	}
}

func TestAnErrorNeverChangesTheShownStatus(t *testing.T) {
	for _, err := range []error{
		&api.Failure{Kind: api.KindConnect, Detail: api.Clean("dial tcp: connection refused")},
		&api.Failure{Kind: api.KindNotJSON, HTTP: 200},
		&api.Refusal{Kind: api.KindService, HTTP: 400, Text: api.Clean("FAILED")},
		&api.Refusal{Kind: api.KindHTTP, HTTP: 401},
		&api.Refusal{Kind: api.KindHTTP, HTTP: 404},
	} {
		t.Run(err.Error(), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := &script{}
				s.answer = func(n int) (api.PaymentStatus, error) {
					if n == 1 {
						return transaction("PENDING", "12.50"), nil
					}
					return api.PaymentStatus{Status: api.ParseStatus("FAILED")}, err
				}
				c := watch80(t, s, card(""))
				c.Wait(3*time.Minute).Sees("◌ PENDING", "may be stale", "last checked 00:00:00")
				c.WaitsUntilGone("✗ FAILED", "The payment did not go through")
			})
		})
	}
}

func TestANewPaymentIsCheckedUntilTheServiceKnowsIt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{}
		s.answer = func(n int) (api.PaymentStatus, error) {
			if n < 3 {
				return api.PaymentStatus{}, &api.Refusal{Kind: api.KindHTTP, HTTP: 404}
			}
			return transaction("PENDING", "12.50"), nil
		}
		c := watch80(t, s, card(""))
		c.Sees("may not be available yet", "INITIATED")
		c.Wait(6 * time.Second).Sees("PENDING").WaitsUntilGone("may not be available yet")
	})
}

func TestAnAnswerAboutAnotherPaymentIsNotBelieved(t *testing.T) {
	for name, p := range map[string]*payments{"ours": card(""), "a stranger's": {}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := &script{answer: func(int) (api.PaymentStatus, error) {
					tr := transaction("SUCCESSFUL", "99.00")
					tr.OtherReference = api.Clean("OTHER1")
					return tr, nil
				}}
				c := watch80(t, s, p)
				c.Sees("≠ MISMATCH", "Reference   "+string(reference), "≠ OTHER1", "Next check").WaitsUntilGone("✓ S", "Provide the goods", "99.00")
				if name == "a stranger's" {
					c.Sees("If " + string(reference) + " is your own reference").Golden("other-reference")
				}
			})
		})
	}
}

func TestAReferenceWithUnusualCharactersIsNotCopied(t *testing.T) {
	for _, r := range []api.Reference{"pay:7.2", api.Reference(strings.Repeat("a", 65))} {
		bubble(t, func(t *testing.T) {
			c := watchOn(t, &script{answer: says("PENDING")}, &payments{}, r, 78, 20)
			c.Press("y").Sees("Cannot copy this reference")
			if got := c.Copied(); got != "" {
				t.Errorf("copied %q", got)
			}
		})
	}
}
