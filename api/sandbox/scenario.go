package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// A Scenario reproduces a case: which call meets which fault or status, at which time. With a clock, the same calls get
// the same answers, byte for byte. As a file it is TOML:
//
//	clock = 2026-01-02T03:04:05Z
//
//	[[on]]
//	call = "initiate"
//	time = 2
//	fault = "lost-answer"
//
//	[[on]]
//	call = "transaction"
//	status = "FAILED"
type Scenario struct {
	Clock        time.Time         `toml:"clock"` // the time before the first call; each call is a second later
	Seed         *uint64           `toml:"seed"`
	Settle       string            `toml:"settle"`
	Transactions *int              `toml:"transactions"`
	Switches     map[string]string `toml:"switches"`
	On           []Step            `toml:"on"`

	settle time.Duration
}

// A Step makes calls meet a fault or a status.
type Step struct {
	Call   string `toml:"call"`   // as [Sandbox.Arm] takes it
	Time   int    `toml:"time"`   // 2 is the second of these calls; 0 is each of them
	Fault  string `toml:"fault"`  // one of [Sandbox.Faults]
	Status any    `toml:"status"` // instead: an HTTP status, or the word for the status of the payment
}

// clockStep separates two calls of a scenario with a clock.
const clockStep = time.Second

// Check says why a scenario cannot be played.
func (c *Scenario) Check() error {
	if c.Settle != "" {
		var err error
		if c.settle, err = time.ParseDuration(c.Settle); err != nil || c.settle < time.Millisecond {
			return errors.New("settle must be a duration, such as \"5s\"")
		}
	}
	return New(Options{}).play(c)
}

// play sets the switches of a scenario, and arms its steps.
func (s *Sandbox) play(c *Scenario) error {
	for name, value := range c.Switches {
		if err := s.SetSwitch(name, value); err != nil {
			return fmt.Errorf("[switches] %s: %w", name, err)
		}
	}
	for i, step := range c.On {
		if err := s.playStep(step); err != nil {
			return fmt.Errorf("[[on]] number %d: %w", i+1, err)
		}
	}
	return nil
}

func (s *Sandbox) playStep(step Step) error {
	fault, calls := Fault{Name: fmt.Sprint("status ", step.Status), When: "always after"}, min(step.Time, 1)
	switch status := step.Status.(type) {
	case nil:
		all := s.Faults()
		i := slices.IndexFunc(all, func(f Fault) bool { return f.Name == step.Fault })
		if i < 0 {
			return errors.New("fault must be one of those that GET " + controlPath + "faults lists")
		}
		fault = all[i]
	case int64:
		if status < 200 || status > 599 {
			return errors.New("status must be an HTTP status, or a word in quotes")
		}
		fault.Status, fault.When = int(status), "before"
	case string:
		fault.change = func(_ *Sandbox, doc *node) {
			doc.each("value.paymentStatus", func(v *node) { *v = stringNode(status) })
		}
	default:
		return errors.New("status must be an HTTP status, or a word in quotes")
	}
	switch {
	case step.Fault != "" && step.Status != nil:
		return errors.New("it has a fault and a status; give it one of them")
	case step.Time < 0:
		return errors.New("time must be 1 for the first of these calls, 2 for the second; left out, it is each")
	}
	return s.arm(&fault, step.Call, max(step.Time-1, 0), calls)
}

// with returns the options with those of the scenario.
func (c *Scenario) with(o Options) Options {
	if c.Seed != nil {
		o.Seed = *c.Seed
	}
	if c.Transactions != nil {
		o.Transactions = *c.Transactions
	}
	if c.settle > 0 {
		o.Settle = c.settle
	}
	if !c.Clock.IsZero() {
		o.Now = func() time.Time { return c.Clock }
	}
	return o
}
