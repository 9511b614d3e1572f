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

func secretField(t *testing.T) keystore.Key {
	t.Helper()
	k, err := keystore.ParseKey("sk_test_CANARYcanary")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func openSetup(t *testing.T, w, h int, o keys.SetupOptions, tell func(*screentest.Console)) {
	t.Helper()
	if o.Folder == "" {
		o.Folder = folder
	}
	synctest.Test(t, func(t *testing.T) { tell(screentest.Open(t, keys.NewSetup(screentest.Theme, o), w, h)) })
}

// withDemo returns options with all three choices.
func withDemo(t *testing.T) keys.SetupOptions {
	k := secretField(t)
	return keys.SetupOptions{Demo: func() (keystore.Profile, keystore.Key, error) {
		time.Sleep(time.Second)
		return keystore.Profile{Name: "demo"}, k, nil
	}}
}

func TestThreeOptionsAreShown(t *testing.T) {
	openSetup(t, 80, 24, withDemo(t), func(c *screentest.Console) {
		c.Sees("There is no configuration yet", "Try the demo", "Create a test profile", path).Golden("ways")
		c.Fits().HelpBarFits().Idle(time.Hour)
	})
	openSetup(t, 60, 18, withDemo(t), func(c *screentest.Console) { c.Sees(path).Golden("ways-small") })
}

func TestWithoutADemoTwoOptionsAreShown(t *testing.T) {
	openSetup(t, 80, 24, keys.SetupOptions{}, func(c *screentest.Console) {
		c.Sees("There is no configuration yet", "Create a test profile").WaitsUntilGone("demo").Press("d").Went()
	})
}

func TestALongOrHostilePathShowsItsEndAndNothingElse(t *testing.T) {
	o := keys.SetupOptions{Folder: keystore.Folder("/home/\x1b[2J/" + string(make([]byte, 100)) + "/paydesk")}
	openSetup(t, 80, 24, o, func(c *screentest.Console) {
		c.Sees("…", "/paydesk/profiles/", "test.toml").Press("n").Sees("/paydesk/profiles/test.toml").Fits()
	})
}

func TestTheDemoStartsAndConnects(t *testing.T) {
	openSetup(t, 80, 24, withDemo(t), func(c *screentest.Console) {
		c.Press("enter").Sees("Starting the demo").Golden("starting")
		c.Fits().Went()
		c.Wait(time.Second).Went(nav.Connect{Profile: keystore.Profile{Name: "demo"}, Key: secretField(t), Source: "demo"})
		c.NeverShowed("CANARY")
	})
}

func TestADemoThatDoesNotStartSaysWhy(t *testing.T) {
	o := keys.SetupOptions{Demo: func() (keystore.Profile, keystore.Key, error) {
		return keystore.Profile{}, keystore.Key{}, errors.New("no port is free\x1b[2J")
	}}
	openSetup(t, 80, 24, o, func(c *screentest.Console) {
		c.Press("enter").Sees("! The demo did not start: no port is free^[[2J", "Create a test profile").Golden("no-demo")
		c.Fits().Went()
	})
}

func TestTheDemoNeedNotBeWaitedFor(t *testing.T) {
	openSetup(t, 80, 24, withDemo(t), func(c *screentest.Console) {
		c.Press("enter", "esc").WaitsUntilGone("Starting").Wait(time.Minute).Went()
	})
}

// With the key, and a passphrase where there is no keyring, these are at most five questions.
func TestTheFirstProfileIsThreeQuestionsAndThenItsKey(t *testing.T) {
	openSetup(t, 80, 24, keys.SetupOptions{}, func(c *screentest.Console) {
		c.Press("n").Sees("Saved once it works in "+path).WaitsUntilGone("Name", "Environment").Golden("form")
		c.Fits().Press("esc", "down", "enter").Fill("Base URL", "https://payments.example").Fill("List URL", "https://list.example")
		c.Golden("filled").To("Secret key").Press("enter")
		want := keystore.Profile{
			Name: "live", Environment: keystore.Live, BaseURL: "https://payments.example", ListURL: "https://list.example", Source: "keyring",
		}.WithDefaults()
		c.Went(nav.Push{To: nav.Key{Profile: want, First: true}}).Sees("https://list.example")
	})
	openSetup(t, 60, 18, keys.SetupOptions{}, func(c *screentest.Console) { c.Press("n").Golden("form-small") })
	openSetup(t, 120, 40, keys.SetupOptions{}, func(c *screentest.Console) { c.Press("n").Golden("form-wide") })
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
				c.Sees("Looking at the address").Golden("looking")
				c.Fits().Flood("ctrl+s", 5)
			}
			c.Wait(time.Second)
			if key := c.LastRequest().(nav.Push).To.(nav.Key); key.Served != want || (asked != "") != want {
				t.Errorf("%s: served %t, asked %q", environment, key.Served, asked)
			}
		})
	}
}

func TestAnAddressThatDoesNotAnswerNeedNotBeWaitedFor(t *testing.T) {
	o := keys.SetupOptions{Served: func(ctx context.Context, _ string) bool { <-ctx.Done(); return false }}
	openSetup(t, 80, 24, o, func(c *screentest.Console) {
		c.Press("n").Fill("Base URL", "http://127.0.0.1:8099").Press("ctrl+s").Sees("Looking")
		c.Press("esc").Sees("New profile", "http://127.0.0.1:8099").WaitsUntilGone("Looking").Wait(time.Minute).Went()
	})
}

func TestTransactionsAreListedAtTheBaseURLUnlessSaidOtherwise(t *testing.T) {
	for typed, want := range map[string]string{"": "https://payments.example", "https://list.example": "https://list.example"} {
		openSetup(t, 80, 24, keys.SetupOptions{}, func(c *screentest.Console) {
			c.Press("n").Fill("Base URL", "https://payments.example").Fill("List URL", typed).Sees("Empty: the base URL").Press("ctrl+s")
			if key := c.LastRequest().(nav.Push).To.(nav.Key); key.Profile.ListURL != want {
				t.Errorf("went on with %+v", key)
			}
		})
	}
}

func TestErrorsAreShownAtTheirFields(t *testing.T) {
	openSetup(t, 80, 24, keys.SetupOptions{}, func(c *screentest.Console) {
		c.Press("n").Fill("Base URL", "http://payments.example").Press("ctrl+s")
		c.Sees("▌ Base URL", "! Must begin with https://").WaitsUntilGone("List URL is required").Golden("wrong")
		c.Fits().Went()
	})
}

// The environment needs a setting that only the file has.
func TestALiveProfileIsNotOfferedTheEnvironment(t *testing.T) {
	for keyring, offered := range map[bool]string{
		true: "(•) keyring  ( ) command  ( ) file  ( ) age  ( ) ask", false: "(•) age  ( ) ask  ( ) command  ( ) file",
	} {
		o := keys.SetupOptions{Keyring: func(context.Context) bool { return keyring }}
		openSetup(t, 120, 40, o, func(c *screentest.Console) {
			c.Press("n").To("Secret key").Sees("env").Press("esc", "down", "enter").To("Secret key").Sees(offered)
		})
	}
}

func TestBackFromTheFormKeepsWhatWasTyped(t *testing.T) {
	openSetup(t, 80, 24, keys.SetupOptions{}, func(c *screentest.Console) {
		c.Press("n").Fill("Base URL", "https://payments.example").Sees("New profile")
		c.Press("esc").Sees("Create a test profile").Went()
		c.Press("n").Sees("https://payments.example")
	})
}

// Where there is no keyring, none is offered.
func TestAHostWithoutAKeyringIsAskedWhereElseTheKeyIsKept(t *testing.T) {
	for name, size := range map[string][2]int{"no-keyring": {80, 24}, "no-keyring-small": {60, 18}} {
		o := keys.SetupOptions{Keyring: func(context.Context) bool { time.Sleep(100 * time.Millisecond); return false }}
		openSetup(t, size[0], size[1], o, func(c *screentest.Console) {
			c.Press("n").Wait(time.Second).To("Secret key").Sees("There is no keyring").Golden(name)
			c.Fits().Fill("Base URL", "https://payments.example").Press("ctrl+s")
			if p := c.LastRequest().(nav.Push).To.(nav.Key).Profile; p.Source != "age" {
				t.Errorf("the key goes to %q", p.Source)
			}
		})
	}
}

// On a host without a keyring each way to keep the key has its price, which is said before it is chosen.
func TestEachWayToKeepTheKeySaysItsPrice(t *testing.T) {
	openSetup(t, 60, 18, keys.SetupOptions{Keyring: func(context.Context) bool { return false }}, func(c *screentest.Console) {
		c.Press("n").To("Secret key").Sees("‹ age ›", "Price: you", "type a passphrase at each start.")
		c.Press("right").Sees("‹ ask ›", "Price: you type the key").Press("right", "right").Sees("‹ file ›", "Price: whoever").Fits()
	})
}
