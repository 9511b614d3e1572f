package sandbox_test

import (
	"testing"
	"time"
)

func TestAnUndeliveredWebhookIsRetriedAndSentAgain(t *testing.T) {
	open(t, 80, 24, nil, func(s *harness) {
		defer s.sandbox.Close()
		s.Press("W").Sees("No webhooks were sent").Press("enter").Sees("There is no webhook to send.")
		s.Press("e").Type("ftp://shop.example").Press("enter").Sees("must be an http or https URL", "ftp://shop.example")
		s.Press("ctrl+u").Type("http://127.0.0.1:1/hook").Press("enter").Sees("are now sent there")
		ref := s.charge("decline", "")
		s.Wait(10*time.Millisecond).Press("down").Sees("payment.failed", ref[:4], "retry at", "could not be reached").Golden("delivery")
		s.Fits().HelpBarFits()
		s.Wait(10*time.Minute).Sees("not delivered", "5, the last at")
		s.Press("enter").Sees("The webhook is sent again.").Wait(500 * time.Millisecond)
		s.Press("down").Sees("6, the last at", "retry at")
		if s.Green() != 0 {
			t.Error("a delivery is painted as success")
		}
		s.Press("x").Sees("Webhooks are no longer sent.")
		s.Press("enter").Sees("No webhook URL is set.")
		s.Press("esc").Sees("0 delivered, 1 not")
	})
}

// A receiver is tried before there is a payment.
func TestASampleIsSentWithoutAPayment(t *testing.T) {
	open(t, 80, 24, nil, func(s *harness) {
		defer s.sandbox.Close()
		s.Press("W", "E").Sees("Nothing was sent: no URL is set. Set one first (e).")
		s.Press("e").Type("http://127.0.0.1:1/hook").Press("enter").Sees("are now sent there")
		s.Press("E").Sees("A sample of payment.success is sent. It belongs to no payment.")
		s.Press("L").Sees("A sample of payment.failed is sent.")
		s.Wait(10*time.Millisecond).Press("down").Sees("payment.success", "payment.failed", "SAMPLE1", "SAMPLE2", "could not be reached")
		s.Fits().HelpBarFits()
		if s.Green() != 0 || len(s.sandbox.Payments()) != 0 {
			t.Error("a sample is painted as success, or is a payment")
		}
	})
}
