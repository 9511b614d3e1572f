package payment

import (
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/api/session"
	"paydesk/screens/screentest"
)

// A key may show a newer state than the message that is still on its way.
func TestALateStateDoesNotReplaceANewerOne(t *testing.T) {
	p := card()
	p.answer = says("PENDING", "SUCCESSFUL")
	watch(t, p, reference, func(c *console) {
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
	for name, a := range map[string]struct {
		words, keys []string
		bells       int
	}{
		"turned final":     {[]string{"PENDING", "SUCCESSFUL"}, nil, 1},
		"final on arrival": {[]string{"SUCCESSFUL"}, nil, 0},
		"switched off":     {[]string{"PENDING", "SUCCESSFUL"}, []string{"b"}, 0},
	} {
		p := card()
		p.answer = says(a.words...)
		watch(t, p, reference, func(c *console) {
			c.Press(a.keys...).Wait(time.Minute).Press("r") // asked again, once it is final
			if n := c.Bells(); n != a.bells {
				t.Errorf("%s: rang %d times, want %d", name, n, a.bells)
			}
		})
	}
}

func TestANewPaymentIsCheckedUntilTheServiceKnowsIt(t *testing.T) {
	p := card()
	p.answer = func(n int) (api.PaymentStatus, error) {
		if n < 3 {
			return api.PaymentStatus{}, &api.Refusal{Kind: api.KindHTTP, HTTP: 404}
		}
		return says("PENDING")(n)
	}
	watch(t, p, reference, func(c *console) {
		c.Sees("may not be available yet", "INITIATED")
		c.Wait(6 * time.Second).Sees("PENDING").WaitsUntilGone("may not be available yet")
	})
}

// A payment of ours and that of a stranger are a success only for what the answer says that it brought.
func TestASuccessIsShownForWhatTheAnswerSaysOfIt(t *testing.T) {
	const funds = "Funds have been secured"
	for name, a := range map[string]struct {
		change      func(*api.PaymentStatus)
		sees, lacks []string
	}{
		"other-reference": {func(s *api.PaymentStatus) { s.OtherReference = api.Clean("OTHER1") }, []string{"≠ MISMATCH", "≠ OTHER1", "Next check"}, []string{"✓ S", "Provide the goods"}},
		"less":            {func(s *api.PaymentStatus) { s.Received = pounds(500) }, []string{"≠ MISMATCH", "Provide nothing"}, []string{"✓ S", "Provide the goods", funds}},
		"another currency": {func(s *api.PaymentStatus) {
			s.Received.Currency, s.Received.Minor = screentest.Money(0, "USD").Currency, 1250
		}, []string{"≠ MISMATCH", "Provide nothing"}, []string{"✓ S", funds}},
		"more":      {func(s *api.PaymentStatus) { s.Received = pounds(1500) }, []string{"✓ SUCCESSFUL", "15.00 of 12.50 GBP: 2.50 GBP more than asked"}, nil},
		"no-amount": {func(s *api.PaymentStatus) { s.Amount, s.HasAmount = money.Amount{}, false }, []string{"✓ SUCCESSFUL", "Amount not stated by the service: compare it"}, nil},
	} {
		for whose, p := range map[string]*payments{"ours": card(), "a stranger's": {}} {
			p.answer = func(n int) (api.PaymentStatus, error) {
				s, _ := says("SUCCESSFUL")(n)
				a.change(&s)
				return s, nil
			}
			watch(t, p, reference, func(c *console) {
				c.Sees(a.sees...).WaitsUntilGone(a.lacks...)
				if whose == "a stranger's" && name == "other-reference" || whose == "ours" && name == "no-amount" {
					c.Golden(name)
				}
			})
		}
	}
}
