package sandbox_test

import (
	"testing"
	"time"
)

func TestAnUndeliveredWebhookIsRetriedAndSentAgain(t *testing.T) {
	open(t, 80, 24, nil, func(s *harness) {
		defer s.sandbox.Close()
		s.Press("v").Sees("No webhooks were sent").Press("enter").Sees("There is no webhook to send.")
		s.Press("w").Type("ftp://shop.example").Press("enter").Sees("must be an http or https URL", "ftp://shop.example")
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
