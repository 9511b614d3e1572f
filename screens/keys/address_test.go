package keys_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/screens/screentest"
)

// An addressed keyring has a key that was given for some addresses.
type addressed struct {
	*ring
	given, wanted []string
	bound         int
}

func (a *addressed) Get(ctx context.Context, name string) (keystore.Key, error) {
	k, err := a.ring.Get(ctx, name)
	if err != nil {
		return k, err
	}
	return keystore.ForAddress(k, a.given, a.wanted, func(context.Context) error {
		a.bound++
		return nil
	})
}

// elsewhere is a keyring whose key was given for other addresses than those of the profile.
func elsewhere(t *testing.T, given ...string) (*world, *addressed) {
	t.Helper()
	r := newRing()
	if err := r.Store.Set(t.Context(), "test", parse(secret)); err != nil {
		t.Fatal(err)
	}
	a := &addressed{ring: r, given: given, wanted: profile.Origins()}
	return &world{ring: r, others: map[string]keystore.Store{"keyring": a}}, a
}

func TestAnotherAddressGetsTheKeyOnlyAfterAYes(t *testing.T) {
	w, a := elsewhere(t, "https://shop.example", "https://list.example")
	open(t, w, func(c *screentest.Console) {
		c.Sees("was given for another address", "https://shop.example", "The profile test would send it to", "https://payments.example", "Send it there").Golden("elsewhere")
		c.Fits().HelpBarFits().Press("enter").Paste("y").Flood("y", 50) // typed ahead
		c.Went()
		if a.bound != 0 || len(w.tried) != 0 {
			t.Errorf("bound %d times, sent %d times", a.bound, len(w.tried))
		}
		c.Wait(time.Second).Press("y").Wait(time.Second).Went(connected("keyring"))
		if a.bound != 1 {
			t.Errorf("bound %d times", a.bound)
		}
	})
	w, a = elsewhere(t, "https://shop.example")
	openIn(t, 60, 18, w, func(c *screentest.Console) {
		c.Golden("elsewhere-small").Wait(time.Second).Press("n").Wait(time.Second)
		c.Sees("was not used: it was not given", "Nothing was sent", "Type the key").Golden("elsewhere-no")
		c.Fits().Pick("Type the key").Press("enter").Sees("Secret key").Went()
		if a.bound != 0 || len(w.tried) != 0 {
			t.Errorf("bound %d times, sent %d times", a.bound, len(w.tried))
		}
	})
	w, _ = elsewhere(t, "https://shop.example")
	open(t, w, func(c *screentest.Console) { c.Press("esc").Wait(time.Second).Sees("was not used").Went() })
}

func TestAnAddressTooLongToReadIsNotAgreedTo(t *testing.T) {
	w, a := elsewhere(t, "https://"+strings.Repeat("a-long-name.", 20)+"example")
	a.wanted = []string{"https://" + strings.Repeat("b-long-name.", 20) + "example", "https://" + strings.Repeat("c-long-name.", 20) + "example"}
	openIn(t, 60, 18, w, func(c *screentest.Console) {
		c.Fits().Wait(time.Second).Press("y").Wait(time.Second).Sees("Enlarge the window to read all the addresses").Went()
		if a.bound != 0 {
			t.Error("bound")
		}
	})
}
