package sandbox

import (
	"strings"
	"testing"
	"time"
)

// byAccount is a valid payment from an account, in GBP.
func byAccount() obj {
	o := with(charge("approve"), "paymentRequestProps", obj{"returnUrl": shop})
	return with(o, "channel", "PayByAccount")
}

// byInterac is a valid Interac payment, in CAD.
func byInterac() obj {
	o := with(charge("approve"), "paymentRequestProps", obj{"email": "bill@shop.example"})
	return with(with(o, "channel", "Interac"), "currency", "CAD")
}

func dollars(name string) obj {
	return with(with(draft(name), "currencyCode", "CAD"), "amountInfo.currencyCode", "CAD")
}

func TestAnInteracPaymentIsApprovedFromAnEMail(t *testing.T) {
	s := serve(t, Options{})
	a := s.post(initiatePath, byInterac())
	if a.http != 200 || a.str("value.paymentStatus") != "REQUIRE_USER_OFFLINE_ACTION" || a.at("value.bankAuthURL") != nil {
		t.Fatalf("%d %s", a.http, a.text)
	}
	ref := a.str("value.paymentItem.reference")
	s.is(ref, "INITIATED")
	v, _ := s.Payment(ref) // where a tester finds what is in the e-mail
	request := s.visit(strings.TrimPrefix(v.BankURL, s.origin))
	request.shows("Sandbox Bank asks you to approve this payment by Interac.", "bill@shop.example", "12.50 CAD")
	s.press(request, "decision", "approve")
	s.is(ref, "PENDING")
	if v, _ := s.Payment(ref); v.BankURL != "" {
		t.Errorf("the request is still open: %+v", v)
	}
	s.Forward(5 * time.Second)
	s.is(ref, "Successfull")
}

func TestALinkIsPaidByInterac(t *testing.T) {
	s := serve(t, Options{})
	page := s.visit(withReturn(s.link(dollars("mug"))))
	page.shows(`value="Interac" checked`, "A request for money is sent to the customer")
	waits := s.follow(s.fillIn(page, customer("channel", "Interac")))
	waits.shows("Approve the request in your e-mail", "ada@shop.example", "looks again every 5 seconds")
	request := s.visit(strings.TrimPrefix(waits.href("Open the request"), s.origin))
	left := s.follow(s.press(request, "decision", "leave"))
	left.shows("Approve the request in your e-mail")
	if s.press(request, "decision", "approve"); s.payments[s.newest()].finalized != (time.Time{}) {
		t.Error("it was finalized before the customer came back")
	}
	if a := s.visit(left.href("Check again")); a.http != 303 || a.header.Get("Location") != shop {
		t.Errorf("%d to %q", a.http, a.header.Get("Location"))
	}
	s.Forward(5 * time.Second)
	s.is(s.newest(), "Successfull")
}

// A channel can be listed and yet be rejected at initiation, and the page of a link says so.
func TestAChannelThatIsRejectedSaysWhatIsAccepted(t *testing.T) {
	s := serve(t, Options{})
	cad, gbp := s.link(dollars("mug")), s.link(draft("cup"))
	form := s.visit("/pay/" + gbp)
	must(t, s.SetSwitch("channels.rejected", "Interac"))
	s.post(initiatePath, byInterac()).refused(400, "channel is listed for this currency, but rejected at initiation")
	none := s.visit("/pay/" + cad)
	none.shows("The sandbox accepts no payments in CAD. It accepts payments in NGN and GBP.")
	if strings.Contains(none.text, "<form") {
		t.Error("there is a form that nobody can submit")
	}
	s.SetSwitch("channels.rejected", "PayByAccount")
	s.visit("/pay/" + gbp).shows(`value="PayByAccount" disabled`)
	s.fillIn(form, customer("channel", "PayByAccount")).shows(`<a href="#channel">Payment method is listed for this currency, but`)
	if s.Accepted() != 0 {
		t.Error("something was paid")
	}
}
