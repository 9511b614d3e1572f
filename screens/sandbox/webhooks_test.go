package sandbox_test

import (
	"testing"
	"time"
)

func TestAWebhookThatNobodyTakesIsTriedAgainAndSentOnceMore(t *testing.T) {
	open(t, 80, 24, nil, func(s *world) {
		defer s.box.Close()
		s.Press("v").Sees("No webhook was sent").Press("enter").Sees("There is nothing to deliver.")
		s.Press("w").Type("ftp://shop.example").Press("enter").Sees("must be an http or https address", "ftp://shop.example")
		s.Press("ctrl+u").Type("http://127.0.0.1:1/hook").Press("enter").Sees("are told there")
		ref := s.charge("decline", "")
		s.Wait(10*time.Millisecond).Press("down").Sees("payment.failed", ref[:4], "tries at", "could not be reached").Golden("delivery")
		s.Fits().HelpBarFits()
		s.Wait(10*time.Minute).Sees("not delivered", "5, the last at")
		s.Press("enter").Sees("It is sent once more.").Wait(500 * time.Millisecond)
		s.Press("down").Sees("6, the last at", "tries at")
		if s.Green() != 0 {
			t.Error("a delivery is painted as success")
		}
		s.Press("x").Sees("No webhook is sent any more.")
		s.Press("enter").Sees("No address for webhooks is set.")
		s.Press("esc").Sees("0 delivered, 1 not")
	})
}
