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

const (
	folder = "/home/staff/.config/paydesk"
	path   = folder + "/profiles/test.toml"
)

func openSetup(t *testing.T, w, h int, o keys.SetupOptions, tell func(*screentest.Console)) {
	t.Helper()
	if o.Folder == "" {
		o.Folder = folder
	}
	synctest.Test(t, func(t *testing.T) { tell(screentest.Open(t, keys.NewSetup(screentest.Theme, o), w, h)) })
}

func TestADemoThatDoesNotStartSaysWhy(t *testing.T) {
	o := keys.SetupOptions{Demo: func() (keystore.Profile, keystore.Key, error) {
		return keystore.Profile{}, keystore.Key{}, errors.New("no port is free\x1b[2J")
	}}
	openSetup(t, 80, 24, o, func(c *screentest.Console) {
		c.Press("enter").Sees("! The demo did not start: no port is free^[[2J", "Create a test profile")
		c.Fits().Went()
	})
}

// With the key, and a passphrase where there is no keyring, these are at most five questions.
func TestTheFirstProfileIsThreeQuestionsAndThenItsKey(t *testing.T) {
	openSetup(t, 80, 24, keys.SetupOptions{}, func(c *screentest.Console) {
		c.Press("n").Sees("Saved once it works in "+path).WaitsUntilGone("Name", "Environment")
		c.Fits().Press("esc", "down", "enter").Fill("Base URL", "https://payments.example").Fill("List URL", "https://list.example")
		c.To("Secret key").Press("enter")
		want := keystore.Profile{
			Name: "live", Environment: keystore.Live, BaseURL: "https://payments.example", ListURL: "https://list.example", Source: "keyring",
		}.WithDefaults()
		c.Went(nav.Push{To: nav.Key{Profile: want, First: true}}).Sees("https://list.example")
	})
}

func TestASandboxAtTheAddressOfATestProfileIsRecognised(t *testing.T) {
	for environment, want := range map[string]bool{"test": true, "live": false} {
		asked := ""
		o := keys.SetupOptions{Served: func(_ context.Context, address string) bool {
			time.Sleep(time.Second)
			asked = address
			return true
		}}
		openSetup(t, 80, 24, o, func(c *screentest.Console) {
			if environment == "live" {
				c.Press("down")
			}
			c.Press("enter").Fill("Base URL", "http://127.0.0.1:8099").Press("ctrl+s")
			if want {
				c.Sees("Looking at the address")
				c.Fits().Flood("ctrl+s", 5)
			}
			c.Wait(time.Second)
			if key := c.LastRequest().(nav.Push).To.(nav.Key); key.Served != want || (asked != "") != want {
				t.Errorf("%s: served %t, asked %q", environment, key.Served, asked)
			}
		})
	}
}
