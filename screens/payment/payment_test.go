package payment

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/session"
	"paydesk/api/watch"
	"paydesk/screens/nav"
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
		var late watch.State
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
		{"rejected", []string{"PENDING", "FAILED"}, nil, 1},
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
		&api.Failure{Kind: api.KindTimeout},
		&api.Failure{Kind: api.KindHTTP, HTTP: 503},
		&api.Failure{Kind: api.KindNotJSON, HTTP: 200},
		&api.Refusal{Kind: api.KindService, HTTP: 400, Text: api.Clean("FAILED")},
		&api.Refusal{Kind: api.KindHTTP, HTTP: 401},
		&api.Refusal{Kind: api.KindHTTP, HTTP: 403},
		&api.Refusal{Kind: api.KindHTTP, HTTP: 404},
		&api.Refusal{Kind: api.KindHTTP, HTTP: 429},
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

func TestAnErrorIsShownAndTheLastResponseIsStale(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{}
		s.answer = func(n int) (api.PaymentStatus, error) {
			if n == 1 {
				return transaction("PENDING", "12.50"), nil
			}
			return api.PaymentStatus{}, &api.Failure{Kind: api.KindConnect, Detail: api.Clean("dial tcp: connection refused")}
		}
		c := watch80(t, s, card(""))
		c.Wait(130*time.Second).Sees("The host could not be reached.", "dial tcp: connection refused",
			"may be stale", "last checked 00:00:00 (2 min ago)", "Next check at")
		c.Golden("stale")
	})
}

func TestASlowResponseMakesTheScreenStale(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: says("PENDING")}
		c := watch80(t, s, card(""))
		s.slow(time.Minute)
		c.Wait(5*time.Second).Sees("Checking…", "may be stale", "last checked 00:00:00")
	})
}

func TestARejectedKeyStopsTheChecks(t *testing.T) {
	for _, code := range []int{401, 403} {
		bubble(t, func(t *testing.T) {
			s := &script{answer: func(int) (api.PaymentStatus, error) {
				return api.PaymentStatus{}, &api.Refusal{Kind: api.KindHTTP, HTTP: code}
			}}
			c := watch80(t, s, card(""))
			c.Wait(20*time.Minute).Sees("Check the secret key", "Checking stopped").WaitsUntilGone("press r")
			if n := s.count(); n != 1 {
				t.Errorf("HTTP %d: %d requests, want 1", code, n)
			}
			c.Press("r")
			if n := s.count(); n != 2 {
				t.Errorf("HTTP %d: r did not check: %d", code, n)
			}
		})
	}
}

func TestAnUnknownReferenceIsCheckedOnceAndThenByKey(t *testing.T) {
	for words, no := range map[string]*api.Refusal{
		"The service has no record of it.": {Kind: api.KindHTTP, HTTP: 404},
		"nothing was found":                {Kind: api.KindService, HTTP: 200, Text: api.Clean("nothing was found")},
	} {
		bubble(t, func(t *testing.T) {
			s := &script{answer: func(int) (api.PaymentStatus, error) { return api.PaymentStatus{}, no }}
			c := watch80(t, s, &payments{})
			c.Wait(20*time.Minute).Sees(words, "NO STATUS YET", "Press r to check once more")
			if no.HTTP == 404 {
				c.Golden("unknown")
			}
			c.Press("f").Sees("status of this payment is not known yet").Went()
			c.Press("r").Wait(20 * time.Minute)
			if n := s.count(); n != 2 {
				t.Errorf("%d requests, want 2", n)
			}
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

func TestAFinalStatusNeverChanges(t *testing.T) {
	for _, later := range []string{"PENDING", "FAILED", "whatever", ""} {
		t.Run(later, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := &script{answer: says("PENDING", "SUCCESSFUL", later)}
				c := watch80(t, s, card(""))
				c.Wait(time.Minute)
				c.Press("r").Sees("≠ MISMATCH", "SUCCESSFUL was followed by", "check, after final")
				c.WaitsUntilGone("Provide the goods", "✓ S")
				if later == "FAILED" {
					c.Golden("contradicted")
				}
				c.Wait(20 * time.Minute)
				if n := s.count(); n != 3 {
					t.Errorf("%d requests, want 3", n)
				}
			})
		})
	}
}

func TestTenSpellingsOfAStatus(t *testing.T) {
	for word, want := range map[string]string{
		"SUCCESSFUL": "✓ SUCCESSFUL", "Successfull": "✓ SUCCESSFUL", " successful ": "✓ SUCCESSFUL",
		"FAILED": "✗ FAILED", "failed": "✗ FAILED", "pending": "◌ PENDING", "INITIATED": "▲ INITIATED",
		"UNSUCCESSFUL": "? unrecognised: UNSUCCESSFUL", "completed": "? unrecognised: completed",
		"Success": "? unrecognised: Success", "": "? NO STATUS", "SUCCESSFUL\x1b[2J": "? unrecognised:",
		"InProgress": "? unrecognised: InProgress",
	} {
		t.Run(word, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := &script{answer: says(word)}
				c := watch80(t, s, &payments{})
				c.Sees(want)
				final := strings.HasPrefix(want, "✓") || strings.HasPrefix(want, "✗")
				if c.Wait(time.Minute); final != (s.count() == 1) {
					t.Errorf("%d requests; final: %v", s.count(), final)
				}
				if !strings.HasPrefix(want, "✓") {
					c.WaitsUntilGone("✓")
				}
			})
		})
	}
}

// A mismatch is never a success: it stays, whatever is answered later, and the watch goes on to its end.
func TestAMismatchIsNeverASuccess(t *testing.T) {
	for name, said := range map[string]money.Amount{
		"a hundred times": pounds("1250.00"), "a hundredth": {Minor: 12, Currency: currency("GBP")},
		"one more": pounds("12.51"), "another currency": {Minor: 1250, Currency: currency("NGN")},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				words := says("PENDING", "SUCCESSFUL")
				s := &script{answer: func(n int) (api.PaymentStatus, error) {
					tr, err := words(n)
					tr.Amount = said
					return tr, err
				}}
				p := card("0-abc1234")
				c := watch80(t, s, p)
				c.Sees("≠ MISMATCH ▌", "Provide nothing and charge nothing.", "Amount      12.50 GBP   ≠ "+said.String(), "◌ PENDING")
				c.Press("f").Went() // nothing is finalized with an open mismatch
				c.Wait(time.Minute).Sees("≠ MISMATCH ▌", "≠ SUCCESSFUL", "Final; no more checks").WaitsUntilGone("✓ S", "Provide the goods")
				if name == "a hundred times" {
					c.Golden("mismatch")
				}
				p.change(func(e *session.Entry) { e.Mismatch.Difference.What = api.AmountDiffers; e.Mismatch.Answered = said })
				c.Press("r").Wait(time.Minute).Sees("Decide what it means: press d")
				c.Press("d").Went(nav.Push{To: nav.Attempt{ID: "k7m3qx9wtd", Decide: true}})
				p.change(func(e *session.Entry) {
					e.Mismatch.Decision, e.Mismatch.DecidedBy = ledger.AnswerRight, ledger.Operator{User: "ada"}
				})
				c.Press("r").Wait(time.Minute).Sees("MISMATCH", "Decided     answer is right", "ada").WaitsUntilGone("≠ MISMATCH", "✓ S", "Provide the goods")
			})
		})
	}
}

// What is known when the screen opens is no news, so the answer takes its time.
func TestAMismatchRingsOnceLikeAnEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{takes: time.Second, answer: func(int) (api.PaymentStatus, error) {
			tr := transaction("PENDING", "12.51")
			return tr, nil
		}}
		c := watch80(t, s, card(""))
		if c.Wait(20 * time.Minute); strings.Count(string(c.Bytes()), "\a") != 1 {
			t.Errorf("it rang %d times", strings.Count(string(c.Bytes()), "\a"))
		}
	})
}

// The service adds the fees that it stated at the initiation.
func TestStatedFeesAreShownBesideTheAmount(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := card("")
		p.change(func(e *session.Entry) { e.Answer.Fees, e.Fees = pounds("0.19"), 19 })
		s := &script{answer: func(int) (api.PaymentStatus, error) { return transaction("SUCCESSFUL", "12.69"), nil }}
		watch80(t, s, p).Sees("12.50 GBP + 0.19 GBP fees = 12.69 GBP", "✓ SUCCESSFUL").WaitsUntilGone("MISMATCH")
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

func TestTheRightAmountRaisesNoAlarm(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := watch80(t, &script{answer: says("PENDING")}, card(""))
		c.Wait(time.Minute).WaitsUntilGone("MISMATCH")
	})
}

func TestKeysFollowTheOrderOfTheSteps(t *testing.T) {
	for _, tc := range []struct {
		name  string
		desk  *payments
		key   string
		want  tea.Msg
		words string
	}{
		{"finalize a link's payment", card("0-abc1234"), "f", nav.Push{To: nav.Finalize{Reference: reference}}, ""},
		{"finalize one made elsewhere", &payments{}, "f", nav.Push{To: nav.Finalize{Reference: reference}}, ""},
		{"the transfer comes first", transfer(time.Hour), "f", nil, "make the transfer first"},
		{"the bank's check", card(""), "a", nav.Push{To: nav.Challenge{Reference: reference}}, ""},
		{"the bank's check of one made elsewhere", &payments{}, "a", nav.Push{To: nav.Challenge{Reference: reference}}, ""},
		{"an approval", through(api.ChannelInterac), "a", nav.Push{To: nav.Challenge{Reference: reference}}, ""},
		{"the account of a transfer", transfer(time.Hour), "a", nav.Push{To: nav.Transfer{Reference: reference}}, ""},
		{"a transfer without an account", without(transfer(time.Hour)), "a", nil, "No account to pay into"},
		{"not a failed one again", card(""), "c", nil, "Only a payment that failed"},
		{"stop following", card(""), "x", nav.Push{To: nav.Attempt{ID: "k7m3qx9wtd"}}, ""},
		{"another", card(""), "l", nav.Replace{To: nav.Payment{}}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				word := "INITIATED"
				if tc.desk.entry != nil {
					word = tc.desk.entry.Status.Text.Line(0)
				}
				c := watch80(t, &script{answer: says(word)}, tc.desk)
				c.Press(tc.key)
				if tc.want == nil {
					c.Sees(tc.words)
				}
				if got := c.LastRequest(); got != tc.want {
					t.Errorf("went to %v, want %v", got, tc.want)
				}
			})
		})
	}
}

func TestALinkPaymentSaysThatItMustBeFinalized(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := card("0-abc1234")
		c := watch80(t, &script{answer: says("PENDING")}, p)
		c.Sees("This link payment must be finalized: press f.")
		p.change(func(e *session.Entry) { e.Finalized = true })
		c.Wait(10 * time.Second).WaitsUntilGone("must be finalized")
	})
}

func TestOnlyTheReferenceIsCopied(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := watch80(t, &script{answer: says("PENDING")}, card(""))
		c.Press("y").Sees("sent to your terminal's clipboard")
		if got := c.Copied(); got != string(reference) {
			t.Errorf("copied %q", got)
		}
	})
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
