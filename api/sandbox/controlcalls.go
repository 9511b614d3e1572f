package sandbox

import (
	"errors"
	"net/http"
	"strings"
	"time"
)

// index lists the calls.
func (s *Sandbox) index(control) answer {
	s.mu.Lock()
	origin := s.origin
	s.mu.Unlock()
	calls := controlCalls()
	for i := range calls {
		calls[i].Example = strings.ReplaceAll(calls[i].Example, "ORIGIN", origin)
	}
	return ok(struct {
		Is    string        `json:"is"`
		Calls []controlCall `json:"calls"`
	}{"the sandbox's control API, for programs on this machine; no key is needed", calls})
}

func (s *Sandbox) showPayments(control) answer {
	return ok(map[string]any{"payments": s.Payments()})
}

// step changes a payment and responds with it.
func (s *Sandbox) step(c control, do func(*Sandbox, string) bool) answer {
	reference := c.params[0]
	done := do(s, reference)
	v, is := s.Payment(reference)
	switch {
	case !is:
		return c.refuse(http.StatusNotFound, "There is no payment with this reference.")
	case !done:
		return c.refuse(http.StatusConflict, "The payment is not in a state that allows this.")
	}
	return ok(v)
}

// payInto pays into the account of a transfer.
func (s *Sandbox) payInto(c control) answer {
	amount := c.body.requiredText("amount")
	if no := c.refusal(); no != nil {
		return *no
	}
	switch err := s.Pay(c.params[0], amount); {
	case errors.Is(err, ErrNoPayment):
		return c.refuse(http.StatusNotFound, "There is no payment with this reference.")
	case errors.Is(err, ErrPaid), errors.Is(err, ErrExpired), errors.Is(err, ErrNotTransfer):
		return c.refuse(http.StatusConflict, sentence(err))
	case err != nil:
		return c.refuse(http.StatusBadRequest, sentence(err))
	}
	v, _ := s.Payment(c.params[0])
	return ok(v)
}

// sentence turns one of the package's errors into a sentence.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func (s *Sandbox) showClock(control) answer {
	return ok(struct {
		Now   time.Time `json:"now"`
		Ahead string    `json:"ahead"` // of the machine's clock clock
	}{s.now(), s.Ahead().String()})
}

func (s *Sandbox) moveClock(c control) answer {
	d, err := time.ParseDuration(c.body.requiredText("forward"))
	if err != nil || d <= 0 {
		c.body.invalid("forward", "must be a duration such as 90s, 10m or 24h")
	}
	if no := c.refusal(); no != nil {
		return *no
	}
	s.Forward(d)
	return s.showClock(c)
}

func (s *Sandbox) showFaults(control) answer {
	return ok(map[string]any{"armed": s.Armed(), "faults": s.Faults()})
}

func (s *Sandbox) armFault(c control) answer {
	operation, fault, calls := c.body.requiredText("operation"), c.body.requiredText("fault"), 0
	if _, is := c.body.value("calls"); is {
		calls = c.body.integer("calls", 0, 1_000_000)
	}
	if no := c.refusal(); no != nil {
		return *no
	}
	if err := s.Arm(operation, fault, calls); err != nil {
		return c.refuse(http.StatusBadRequest, sentence(err))
	}
	return s.showFaults(c)
}

func (s *Sandbox) showSwitches(control) answer {
	return ok(map[string]any{"switches": s.Switches()})
}

// setSwitches sets all named switches, or none when one value is invalid.
func (s *Sandbox) setSwitches(c control) answer {
	wanted := map[string]string{}
	for _, w := range switchTable() {
		if _, is := c.body.value(w.Name); is {
			wanted[w.Name] = c.body.text(w.Name)
			if err := w.check(wanted[w.Name]); err != nil {
				c.body.invalid(w.Name, strings.TrimPrefix(err.Error(), w.Name+" "))
			}
		}
	}
	if no := c.refusal(); no != nil {
		return *no
	}
	if len(wanted) < len(c.body.values) || len(wanted) == 0 {
		return c.refuse(http.StatusBadRequest, sentence(ErrNoSwitch))
	}
	s.mu.Lock()
	for name, value := range wanted {
		s.switches.set(name, value)
	}
	s.mu.Unlock()
	return s.showSwitches(c)
}

func (s *Sandbox) showHostile(control) answer {
	return ok(map[string]any{"on": s.IsHostile()})
}

func (s *Sandbox) setHostile(c control) answer {
	v, _ := c.body.value("on")
	on, is := v.(bool)
	if !is {
		c.body.malformed("on", "must be true or false")
	}
	if no := c.refusal(); no != nil {
		return *no
	}
	s.Hostile(on)
	return s.showHostile(c)
}

func (s *Sandbox) showWebhooks(control) answer {
	return ok(map[string]any{"deliveries": s.Deliveries()})
}

func (s *Sandbox) redeliver(c control) answer {
	switch err := s.Redeliver(c.params[0]); {
	case errors.Is(err, ErrNoDelivery):
		return c.refuse(http.StatusNotFound, sentence(err))
	case err != nil:
		return c.refuse(http.StatusConflict, sentence(err))
	}
	return s.showWebhooks(c)
}

func (s *Sandbox) setWebhook(c control) answer {
	url := c.body.text("address")
	if no := c.refusal(); no != nil {
		return *no
	}
	if err := s.SetWebhook(url); err != nil {
		return c.refuse(http.StatusBadRequest, sentence(err))
	}
	return s.showWebhooks(c)
}

func (s *Sandbox) showCards(control) answer {
	return ok(map[string]any{"cards": Cards()})
}

func (s *Sandbox) showAssumptions(control) answer {
	return ok(map[string]any{"assumptions": Assumptions()})
}
