package keys_test

import (
	"context"
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

func (w *readyWorld) open(t *testing.T, tell func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		tell(screentest.Open(t, keys.NewReady(screentest.Theme, w.ReadyOptions), 80, 24))
	})
}

func TestWhatWorksIsTicked(t *testing.T) {
	w := works()
	w.Sandbox = func() bool { return true }
	w.open(t, func(c *screentest.Console) {
		c.Sees("it works", "✓ Transactions", "✓ Key", "it is in the", "✓ Profile", "✓ Payments", "https://payments.example", "A paydesk sandbox").Golden("works")
		c.Fits().HelpBarFits().Idle(time.Hour).Press("r").Press("enter").Went(nav.Back{})
		if w.wrote != 1 || w.asked != 0 || w.reached != 1 {
			t.Errorf("it wrote %d times, asked %d times and reached %d times", w.wrote, w.asked, w.reached)
		}
	})
}

func TestAnAddressOfPaymentsThatDoesNotWorkIsSaid(t *testing.T) {
	w := works()
	w.reach = &keystore.PaymentsProblem{Message: "there is no such path", Fix: "correct base_url in the profile", Certain: true, Sent: true}
	w.open(t, func(c *screentest.Console) {
		c.Sees("not everything works", "✓ Transactions", "✗ Payments", "There is no such", "question", "Correct base_url", "6 and then e").WaitsUntilGone("it works").Golden("unreached")
		w.reach = nil
		c.Fits().HelpBarFits().Press("r").Sees("it works", "✓ Payments", "answered as it")
		if w.asked != 0 || w.reached != 2 {
			t.Errorf("it asked %d times and reached %d times", w.asked, w.reached)
		}
	})
}
