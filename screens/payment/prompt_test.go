package payment

import (
	"testing"
	"time"
)

func TestThePromptAcceptsAReferenceAndKeepsIt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: says("PENDING")}
		c := watchOn(t, s, &payments{}, "", 78, 20)
		c.Golden("prompt")
		if !c.screen.Typing() {
			t.Error("letters are not text at the prompt")
		}
		c.Type("../etc").Press("enter").Sees("Use 1 to 128 letters")
		if n := s.count(); n != 0 {
			t.Errorf("%d requests for an invalid reference", n)
		}
		for range "../etc" {
			c.Press("backspace")
		}
		c.Paste(" 6f1c2b1e-8a57-4f6c-9c5e-0d6a1c2b3e4f\n").Press("enter")
		c.Sees("6f1c2b1e-8a57-4f6c-9c5e-0d6a1c2b3e4f", "PENDING")
		asked := s.count()
		c.Press("esc").Sees("Which payment?", "6f1c2b1e-8a57-4f6c-9c5e-0d6a1c2b3e4f")
		if c.Wait(20 * time.Minute); s.count() != asked {
			t.Errorf("requests behind the prompt: %d", s.count()-asked)
		}
	})
}
