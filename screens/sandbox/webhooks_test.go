package sandbox_test

import (
	"encoding/json"
	"testing"
	"time"

	"paydesk/api/sandbox"
)

const (
	gone     = "http://127.0.0.1:1/hook" // nobody listens there
	goneToo  = "http://127.0.0.1:2/other"
	noneSent = "Nothing was sent: no URL is set. Add one first (e)."
)

// Type types text.
func (s *harness) Type(text string) *harness {
	s.t.Helper()
	s.Console.Type(text)
	return s
}

// Wait lets time pass.
func (s *harness) Wait(d time.Duration) *harness {
	s.t.Helper()
	s.Console.Wait(d)
	return s
}

// webhooks opens the list of webhooks, and runs tell with some URLs set.
func webhooks(t *testing.T, w, h int, urls []string, tell func(*harness)) {
	t.Helper()
	open(t, w, h, func(s *harness) {
		if err := s.sandbox.SetWebhooks(urls); err != nil {
			t.Fatal(err)
		}
	}, func(s *harness) {
		defer s.sandbox.Close()
		s.Press("W")
		tell(s)
		s.Fits()
		if s.Green() != 0 {
			t.Error("a delivery is painted as success")
		}
	})
}

func TestAnUndeliveredWebhookIsRetriedAndSentAgain(t *testing.T) {
	webhooks(t, 80, 24, nil, func(s *harness) {
		s.Sees("No webhooks were sent").Press("enter").Sees("There is no webhook to send.")
		s.Press("e").Type("ftp://shop.example").Press("enter").Sees("must be an http or https URL", "ftp://shop.example")
		s.Press("ctrl+u").Type(gone).Press("enter").Sees("are now sent there")
		ref := s.charge("decline", "")
		s.Wait(10*time.Millisecond).Press("down").Sees("payment.failed", ref[:4], "retry 00:", "could not be reached", `"Event": "payment.failed"`)
		s.Golden("delivery")
		s.Fits().HelpBarFits()
		s.Wait(3*time.Minute).Sees("not delivered", "after 5 tries")
		s.Press("enter").Sees("The webhook is sent again.").Wait(500 * time.Millisecond)
		s.Press("down").Sees("after 6 tries. Next try at", "retry")
		s.Press("x").Sees("Webhooks are no longer sent.").Sees("Not delivered: its URL was removed")
		s.Press("enter").Sees(noneSent)
		s.Press("r").Sees(noneSent)
		s.Press("esc").Sees("0 delivered, 1 not")
	})
}

// lastSent is the newest delivery, as the sandbox has it.
func (s *harness) lastSent(want int) sandbox.Delivery {
	s.t.Helper()
	all := s.sandbox.Deliveries()
	if len(all) != want {
		s.t.Fatalf("%d webhooks, not %d", len(all), want)
	}
	return all[0]
}

func TestAWebhookIsEditedAndSent(t *testing.T) {
	webhooks(t, 80, 24, []string{gone, goneToo}, func(s *harness) {
		s.Press("E", "enter").Wait(time.Second).Press("down", "up").Wait(time.Second)
		s.Press("+", "tab", "right", "tab", "tab", "tab", "ctrl+u").Type("B2")
		s.Press("tab", "ctrl+u").Type("lots").Press("tab", "ctrl+u").Press("ctrl+s").Sees("The edited webhook is sent.")
		d := s.lastSent(3)
		var body struct {
			Event string
			Data  obj
		}
		if err := json.Unmarshal([]byte(d.Body), &body); err != nil {
			t.Fatal(err)
		}
		_, has := body.Data["Amount"]
		if !d.Edited || d.Target != gone || d.Reference != "B2" || body.Data["AmountPaid"] != "lots" || has || body.Data["AppFee"] != 0.19 || body.Data["Metadata"] != nil {
			t.Errorf("%+v", d)
		}
		s.Press("home").Wait(time.Second).Sees("B2")
		s.Press("z").Sees("edited by hand")
	})
}

func TestASecretIsNotSentInAWebhook(t *testing.T) {
	webhooks(t, 80, 24, []string{gone}, func(s *harness) {
		s.Press("E", "enter").Wait(time.Second).Press("down", "up").Wait(time.Second)
		s.Press("+", "tab", "ctrl+u").Type(key).Press("ctrl+s").Sees("nothing was", "Edited webhook")
		if n := len(s.sandbox.Deliveries()); n != 1 {
			t.Errorf("%d webhooks", n)
		}
		s.Press("esc").Sees("SAMPLE1")
	})
}

// The body is the merchant's text and a stranger's: it is shown, and copied, without what a terminal would take for more.
func TestAHostileBodyIsShownSafely(t *testing.T) {
	webhooks(t, 120, 40, []string{gone}, func(s *harness) {
		if err := s.sandbox.Send([]byte("{\"event\":\"\u202e\x1b[31m\x07\",\n\"b64\":\"NDI0MjQyNDI0MjQyNDI0Mg==\"} \xff"), ""); err != nil {
			t.Fatal(err)
		}
		s.Press("down").Wait(time.Second).Press("down").Wait(time.Second).Sees("^[[31m", "<U+202E>", "<FF>", "none named").WaitsUntilGone("NDI0MjQyNDI0MjQyNDI0Mg==")
		s.Press("y").Fits()
		s.Press("+").Sees("Edited webhook")
	})
}
