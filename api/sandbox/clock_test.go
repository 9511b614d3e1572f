package sandbox

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// lives are the states that may follow each.
var lives = map[state][]state{initiated: {pending, failed}, pending: {successful, failed}}

// A payment becomes final by itself exactly at endsAt, and never when that is zero. What is final stays as it is.
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
		was := p.at(s.now())
		moves := func() {
			if is := p.at(s.now()); is != was && !slices.Contains(lives[was], is) {
				r.Fatalf("%s became %s", was, is)
			}
			was = p.at(s.now())
		}
		for range rapid.IntRange(0, 4).Draw(r, "steps") {
			s.Forward(rapid.SampledFrom([]time.Duration{0, 1, time.Second, 5 * time.Second}).Draw(r, "time"))
			moves()
			switch rapid.IntRange(0, 6).Draw(r, "step") {
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
			case 6:
				s.Decline(p.reference)
			}
			moves()
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
