package sandbox

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestForwardMovesEverythingThatWaits(t *testing.T) {
	s := serve(t, Options{ManualTransfers: true})
	card, transfer := s.pay(charge("pending-long")), s.pay(bankTransfer())
	s.Forward(0)
	s.Forward(-time.Hour)
	s.Forward(pendingLong - 1)
	s.is(card, "PENDING")
	s.Forward(1)
	s.is(card, "Successfull")
	s.clock.move(accountValid - pendingLong - 1)
	s.is(transfer, "PENDING")
	s.Forward(1)
	s.is(transfer, "FAILED")
	s.Forward(math.MaxInt64)
	s.Forward(math.MaxInt64)
	if year := s.now().Year(); year != 2318 {
		t.Errorf("the clock shows the year %d", year)
	}
	s.is(transfer, "FAILED")
}

// A payment becomes final by itself exactly at endsAt, and never when that is zero.
func TestAPaymentEndsWhenItSaysItWill(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := New(Options{Key: testKey, ManualTransfers: rapid.Bool().Draw(r, "manual")})
		now := time.Date(2026, 5, 4, 9, 30, 0, 0, time.UTC)
		s.options.Now = func() time.Time { return now }
		body := bankTransfer()
		if rapid.Bool().Draw(r, "card") {
			body = charge(rapid.SampledFrom(Cards()).Draw(r, "card").Name)
		}
		if rapid.IntRange(0, 3).Draw(r, "account") == 0 {
			body = rapid.SampledFrom([]obj{byAccount(), byInterac()}).Draw(r, "by")
		}
		if rapid.Bool().Draw(r, "link") {
			l := &link{alias: "0-a", reusable: true, dynamic: true, currency: body["currency"].(string)}
			s.keepLink(l)
			body = with(body, "link", obj{"alias": l.alias})
		}
		if w := ask(s, "POST", initiatePath, mustJSON(body)); w.Code != 200 {
			r.Fatal(w.Body)
		}
		p := s.ordered[0]
		for range rapid.IntRange(0, 4).Draw(r, "steps") {
			s.Forward(rapid.SampledFrom([]time.Duration{0, 1, time.Second, 5 * time.Second}).Draw(r, "time"))
			switch rapid.IntRange(0, 5).Draw(r, "step") {
			case 0:
				s.Approve(p.reference)
			case 1:
				s.Reject(p.reference)
			case 2:
				ask(s, "POST", finalizePath, mustJSON(obj{"paymentReference": p.reference}))
			case 3:
				s.Settle(p.reference)
			case 4:
				s.Expire(p.reference)
			case 5:
				s.Pay(p.reference, rapid.SampledFrom([]string{"1", "12.49", "12.50", "13"}).Draw(r, "paid"))
			}
		}
		at, ends := s.now(), p.endsAt(s.now())
		later := at.Add(24 * time.Hour)
		switch {
		case p.ended(at):
			if !ends.IsZero() || p.at(later) != p.at(at) {
				r.Fatalf("the payment is final, but ends %v; a day later it is %s", ends, p.at(later))
			}
		case ends.IsZero():
			if p.ended(later) {
				r.Fatal("a payment without an end became final")
			}
		case p.ended(ends.Add(-1)) || !p.ended(ends):
			r.Fatalf("it is %s at its end", p.at(ends))
		}
		if in := s.view(p, at).EndsIn; ends.IsZero() && in != "" || !ends.IsZero() && in != p.at(later).name() {
			r.Fatalf("EndsIn is %q, but the payment is %s a day later", in, p.at(later).name())
		}
	})
}

func TestAPaymentSaysWhatCameOfItAndWhenItEndsByItself(t *testing.T) {
	s := serve(t, Options{ManualTransfers: true})
	asked, transfer := s.pay(charge("challenge")), s.pay(bankTransfer())
	see := func(reference, state, received string, ends time.Duration) {
		t.Helper()
		v, is := s.Payment(reference)
		if !is || v.State != state || v.Received != received {
			t.Errorf("%+v, want %s with %s", v, state, received)
		}
		if ends == 0 && !v.Ends.IsZero() || ends != 0 && !v.Ends.Equal(v.Made.Add(ends)) {
			t.Errorf("made %v, ends %v, want %v later", v.Made, v.Ends, ends)
		}
	}
	see(asked, "INITIATED", "0.00", 0)
	see(transfer, "PENDING", "0.00", accountValid)
	s.Forward(time.Minute)
	if s.Ahead() != time.Minute {
		t.Errorf("the clock is %v ahead", s.Ahead())
	}
	s.Approve(asked)
	see(asked, "PENDING", "0.00", time.Minute+defaultSettle)
	if err := s.Pay(transfer, "1"); err != nil {
		t.Fatal(err)
	}
	see(transfer, "PENDING", "1.00", accountValid)
	s.Settle(asked)
	see(asked, "SUCCESSFUL", "12.50", 0)
}
