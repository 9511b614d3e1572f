package keys_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/keystore"
	"paydesk/screens/keys"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

var test = keystore.Profile{
	Name: "test", Environment: keystore.Test, BaseURL: "https://payments.example", ListURL: "https://list.example", Source: "keyring",
}.WithDefaults()

// A world is what the screen asks for.
type readyWorld struct {
	keys.ReadyOptions
	wrote, asked, reached int
	write, try, reach     error
	takes                 time.Duration // to write
}

// works is a first run in which everything works.
func works() *readyWorld {
	w := &readyWorld{}
	w.ReadyOptions = keys.ReadyOptions{
		Profile: test, Source: "keyring", Path: "/home/staff/.config/paydesk/profiles/test.toml", Accepted: true,
		Create: func() error {
			time.Sleep(w.takes)
			w.wrote++
			return w.write
		},
		Try: func(ctx context.Context) error {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done(): // the test goes on meanwhile
				return ctx.Err()
			}
			w.asked++
			return w.try
		},
		Reach: func(context.Context) error {
			w.reached++
			return w.reach
		},
	}
	return w
}

func (w *readyWorld) open(t *testing.T, width, height int, tell func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		tell(screentest.Open(t, keys.NewReady(screentest.Theme, w.ReadyOptions), width, height))
	})
}

func TestWhatWorksIsTicked(t *testing.T) {
	for name, size := range map[string][2]int{"works": {80, 24}, "works-small": {60, 18}, "works-wide": {120, 40}} {
		w := works()
		w.Sandbox = func() bool { return true }
		w.open(t, size[0], size[1], func(c *screentest.Console) {
			c.Sees("it works", "✓ Transactions", "✓ Key", "it is in the", "✓ Profile", "✓ Payments", "https://payments.example", "A paydesk sandbox").Golden(name)
			c.Fits().HelpBarFits().Idle(time.Hour).Press("r").Press("enter").Went(nav.Back{})
			if w.wrote != 1 || w.asked != 0 || w.reached != 1 {
				t.Errorf("it wrote %d times, asked %d times and reached %d times", w.wrote, w.asked, w.reached)
			}
		})
	}
}

func TestAnAddressOfPaymentsThatDoesNotWorkIsSaid(t *testing.T) {
	for name, size := range map[string][2]int{"unreached": {80, 24}, "unreached-small": {60, 18}} {
		w := works()
		w.reach = &keystore.PaymentsProblem{Message: "there is no such path", Fix: "correct base_url in the profile", Certain: true, Sent: true}
		w.open(t, size[0], size[1], func(c *screentest.Console) {
			c.Sees("not everything works", "✓ Transactions", "✗ Payments", "There is no such", "question", "Correct base_url", "6 and then e").WaitsUntilGone("it works").Golden(name)
			w.reach = nil
			c.Fits().HelpBarFits().Press("r").Sees("it works", "✓ Payments", "answered as it")
			if w.asked != 0 || w.reached != 2 {
				t.Errorf("it asked %d times and reached %d times", w.asked, w.reached)
			}
		})
	}
}

func TestAProfileThatCannotBeWrittenIsWrittenAgain(t *testing.T) {
	w := works()
	w.write = errors.New("open test.toml: permission denied\x1b[2J")
	w.open(t, 80, 24, func(c *screentest.Console) {
		c.Sees("not everything works", "✗ Profile", "permission denied^[[2J", "r writes", "it again").Golden("unwritten")
		w.write = nil
		c.Fits().Press("r").Sees("it works", "✓ Profile")
		if w.wrote != 2 || w.asked != 0 {
			t.Errorf("it wrote %d times and asked %d times", w.wrote, w.asked)
		}
	})
}

func TestTheScreenStaysUntilTheProfileIsWritten(t *testing.T) {
	w := works()
	w.takes = time.Second
	w.open(t, 80, 24, func(c *screentest.Console) {
		c.Sees("being written…").Press("enter").Went()
		if c.Press("esc"); c.Hint() != "The profile is being written." {
			t.Errorf("the hint is %q", c.Hint())
		}
		c.Wait(time.Second).Sees("✓ Profile")
	})
}

func TestAKeyForThisRunAndALiveProfileAreSaid(t *testing.T) {
	w := works()
	w.Source, w.Profile.Environment = "this run", keystore.Live
	w.open(t, 80, 24, func(c *screentest.Console) {
		c.Sees("it is stored nowhere: you enter it", "at each start", "sending stays locked").Fits()
	})
}
