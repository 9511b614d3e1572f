package sandbox

import (
	"encoding/json"
	"testing"
	"time"
)

// Every test card does what its line in the table says.
func TestEachTestCardDoesWhatItSays(t *testing.T) {
	type step func(s *harness, ref string)
	after := func(d time.Duration) step { return func(s *harness, _ string) { s.clock.move(d) } }
	is := func(word string) step { return func(s *harness, ref string) { s.t.Helper(); s.is(ref, word) } }
	yes := func(s *harness, ref string) {
		if !s.Approve(ref) {
			s.t.Error("there is nothing to approve")
		}
	}
	no := func(s *harness, ref string) {
		if !s.Reject(ref) {
			s.t.Error("there is nothing to reject")
		}
	}
	settles := []step{is("PENDING"), after(4999 * time.Millisecond), is("PENDING"), after(time.Millisecond), is("Successfull")}
	challenged := append([]step{is("INITIATED"), after(time.Hour), is("INITIATED"), yes}, settles...)
	for _, c := range []struct {
		card, word string // in the response to the initiation
		challenge  bool
		steps      []step
	}{
		{"approve", "INITIATED", false, settles},
		{"amex", "INITIATED", false, settles},
		{"challenge", "INITIATED", true, challenged},
		{"verve", "INITIATED", true, challenged},
		{"challenge", "INITIATED", true, []step{no, is("FAILED"), after(time.Hour), is("FAILED")}},
		{"challenge-decline", "INITIATED", true, []step{is("INITIATED"), yes, is("FAILED"), after(time.Hour), is("FAILED")}},
		{"challenge-decline", "INITIATED", true, []step{no, is("FAILED")}},
		{"decline", "FAILED", false, []step{is("FAILED"), after(time.Hour), is("FAILED")}},
		{"pending-long", "INITIATED", false, []step{is("PENDING"), after(pendingLong - 1), is("PENDING"), after(1), is("Successfull")}},
	} {
		t.Run(c.card, func(t *testing.T) {
			s := serve(t, Options{})
			a := s.post(initiatePath, charge(c.card))
			if got := a.str("value.paymentStatus"); got != c.word {
				t.Errorf("paymentStatus is %s, want %s", got, c.word)
			}
			fee := json.Number("0.19") // which is charged for what is collected
			if c.word == "FAILED" {
				fee = "0.00"
			}
			if got := a.at("value.paymentItem.fees"); got != fee {
				t.Errorf("the fee is %v, want %s", got, fee)
			}
			if has := a.at("value.bankAuthURL") != nil; has != c.challenge {
				t.Errorf("bankAuthURL is there: %v, want %v", has, c.challenge)
			}
			check := s.get(checkPath + a.str("value.paymentItem.reference"))
			if open := check.at("value.IsAuthenticationEnabled") == true; open != c.challenge || open == (check.str("value.authenticationhtml") == "") {
				t.Errorf("the authentication check says %s", check.text)
			}
			for _, do := range c.steps {
				do(s, a.str("value.paymentItem.reference"))
			}
		})
	}
}

func TestAPaymentOfALinkWaitsForFinalize(t *testing.T) {
	s := serve(t, Options{})
	alias := s.link(draft("mug"))
	ref := s.pay(with(charge("challenge"), "link", obj{"alias": alias}))
	s.finish(ref).refused(400, "paymentReference belongs to a payment that the customer has not authorized")
	s.Approve(ref)
	s.clock.move(time.Hour)
	s.is(ref, "PENDING")
	if s.Settle(ref) {
		t.Error("a payment that waits for finalize was settled")
	}
	first := s.finish(ref)
	if first.str("value.status") != "completed" || first.str("responseCode") != "00" {
		t.Errorf("finalize: %s", first.text)
	}
	s.is(ref, "PENDING")
	s.clock.move(3 * time.Second)
	if again := s.finish(ref); again.text != first.text {
		t.Errorf("the second finalize returned %s, the first %s", again.text, first.text)
	}
	s.clock.move(2 * time.Second)
	s.is(ref, "Successfull")
	s.finish(ref)
	s.is(ref, "Successfull")
}

func TestALinkAcceptsWhatItSays(t *testing.T) {
	s := serve(t, Options{})
	static, dynamic := s.link(with(draft("static"), "linkType", 1)), s.link(with(with(draft("dynamic"), "amountType", 1), "amountInfo.amount", 0))
	pay := func(alias string) obj { return with(charge("approve"), "link", obj{"alias": alias}) }
	s.post(initiatePath, with(pay(static), "amount", 12.51)).refused(400, "amount must be the amount of the link")
	s.post(initiatePath, with(pay(static), "currency", "NGN")).refused(400, "currency must be the currency of the link")
	s.post(initiatePath, with(pay(dynamic), "currency", "NGN")).refused(400, "currency must be the currency of the link")
	s.post(initiatePath, pay("0-unknown")).refused(400, "link.alias is not the alias of a link")
	s.post(initiatePath, with(pay(static), "link", obj{})).refused(422, "link.alias is required")
	s.pay(with(pay(dynamic), "amount", 99.99))
	if s.Accepted() != 1 {
		t.Error("a refused payment was taken")
	}
}
