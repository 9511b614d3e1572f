package screentest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/keystore"
	"paydesk/keystore/keystoretest"
	"paydesk/screens/keys"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

// twoProfiles are the files of a configuration.
const twoProfiles = `-- default --
test
-- profiles/test.toml --
environment = "test"
base_url = "https://payments.example"
list_url = "https://list.example"
-- profiles/shop.toml --
environment = "live"
base_url = "https://pay.shop.example"
list_url = "https://list.shop.example"
key = "command"
key_command = ["pass", "show", "paydesk/the shop"]
`

// A profilesWorld is a configuration and the keys of its profiles.
type profilesWorld struct {
	keystore.Folder
	ring  keystore.Store
	fails error // deleting a key
}

func newProfilesWorld(t *testing.T, text string) *profilesWorld {
	t.Helper()
	w := &profilesWorld{Folder: keystore.Folder(t.TempDir()), ring: keystore.NewMemory("keyring")}
	w.write(t, text)
	must(t, w.ring.Set(t.Context(), "test", parseKey("sk_test_CANARY0042")))
	return w
}

func (w *profilesWorld) write(t *testing.T, text string) {
	t.Helper()
	keystoretest.Write(t, string(w.Folder), text)
}

// A stuck store cannot delete a key.
type stuck struct {
	keystore.Store
	err error
}

func (s stuck) Delete(context.Context, string) error { return s.err }

func (w *profilesWorld) store(keystore.Profile) keystore.Store {
	if w.fails != nil {
		return stuck{w.ring, w.fails}
	}
	return w.ring
}

func openProfiles(t *testing.T, w *profilesWorld, tell func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o := keys.ProfilesOptions{Folder: w.Folder, Store: w.store, Open: "test", Keyring: func(context.Context) bool { return w.fails == nil }}
		tell(screentest.Open(t, keys.NewProfiles(screentest.Theme, o), 80, 24))
	})
}

// as returns a profile of the file.
func (w *profilesWorld) as(t *testing.T, name string) keystore.Profile {
	t.Helper()
	c, err := w.LoadOrEmpty()
	must(t, err)
	return c.Profiles[name]
}

func TestAProfileIsAddedToTheFile(t *testing.T) {
	w := newProfilesWorld(t, twoProfiles)
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("n").Sees("New profile").Fill("Name", "er").Fill("Base URL", "https://other.example").Fill("List URL", "https://other.example")
		c.Press("ctrl+s").Sees("3 profiles")
	})
	if p := w.as(t, "tester"); p.BaseURL != "https://other.example" || p.Environment != keystore.Test || w.as(t, "test").ListURL != "https://list.example" {
		t.Errorf("it is %+v", p)
	}
	w.fails = keystore.ErrNoKeyring
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("n").Sees("New profile").Fill("Name", "2").Fill("Base URL", "https://other.example").To("Secret key").Sees("There is no keyring here.").Choose("Secret key", "file")
		c.Fill("Key file", "/none/key").Press("ctrl+s").Sees("/none/key does not exist; put the key there first", "New profile", "https://other.example")
	})
}

func TestSettingsWithoutAFieldStayAsTheyAre(t *testing.T) {
	w := newProfilesWorld(t, strings.Replace(twoProfiles, "key = \"command\"", "key = \"command\"\nunlock_minutes = 5\nidle_lock = 10\nwebhook_listen = \"127.0.0.1:8425\"\nwebhook_targets = [\"https://a.example/\"]\nwebhook_limit = \"9 MB\"", 1))
	before := w.as(t, "shop")
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("up").Wait(time.Second).Sees("── Settings ", "others are default", "unlock_minutes      5", "idle_lock           10").WaitsUntilGone("allow_card_entry")
		c.Press("e").Sees("https://pay.shop.example", "── Where the key can be ", "age      Sealed in a file").Press("ctrl+s").Sees("The profile was written.")
	})
	if now := w.as(t, "shop"); now != before {
		t.Errorf("it became %+v", now)
	}
}

// otherDefault is the file with a default that is not the profile that is open.
var otherDefault = strings.Replace(twoProfiles, "\ntest\n", "\nshop\n", 1)

func TestDeletingAsksAboutTheKey(t *testing.T) {
	w := newProfilesWorld(t, otherDefault)
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("x").Sees("Delete the profile test?", "▌ Keep it", "Delete profile and key", "The profile stays open").Golden("keys/delete")
		c.Fits().Press("esc").Sees("2 profiles").Press("x", "enter").Sees("2 profiles").Press("x", "y").Sees("Delete the profile test?")
		c.Press("down", "enter").Sees("1 profile ", "Any key it had stays where it was")
	})
	if _, err := w.ring.Get(t.Context(), "test"); err != nil {
		t.Error(err)
	}
	w = newProfilesWorld(t, otherDefault)
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("x", "down", "down", "enter").Sees("1 profile ", "The profile and its key were deleted.")
	})
	if _, err := w.ring.Get(t.Context(), "test"); !errors.Is(err, keystore.ErrNotFound) {
		t.Error("the key is still there")
	}
}

func TestAKeyThatCannotBeDeletedIsReported(t *testing.T) {
	w := newProfilesWorld(t, otherDefault)
	w.fails = keystore.ErrLocked
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("x", "down", "down", "enter").Sees("2 profiles", "Its key could not be deleted, so the profile was kept: the keyring is").Fits()
	})
	w = newProfilesWorld(t, twoProfiles) // a command has the key
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("up", "x").Sees("Paydesk does not manage").WaitsUntilGone("Delete profile and key")
	})
}

func TestAFileThatSomebodyElseChangedIsReadAgainBeforeAnythingIsWritten(t *testing.T) {
	w := newProfilesWorld(t, twoProfiles)
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("e").Fill("List URL", "/v2")
		theirs := twoProfiles + "-- profiles/third.toml --\nenvironment = \"test\"\nbase_url = \"https://third.example\"\nlist_url = \"https://third.example\"\n"
		w.write(t, theirs)
		c.Press("ctrl+s").Sees("changed by another program", "Nothing was written", "https://list.example/v2").Golden("keys/meanwhile")
		if c.Fits(); w.as(t, "test").ListURL != "https://list.example" {
			t.Error("it was written over")
		}
		c.Press("ctrl+s").Sees("3 profiles", "third.example")
		if w.as(t, "test").ListURL != "https://list.example/v2" {
			t.Errorf("the profile is %+v", w.as(t, "test"))
		}
		w.write(t, strings.Replace(twoProfiles, "shop.toml", "till.toml", 1))
		c.Press("up", "up", "x", "down", "enter").Sees("changed by another program", "till").WaitsUntilGone("third", "Delete the profile")
	})
}

func openSetup(t *testing.T, w, h int, o keys.SetupOptions, tell func(*screentest.Console)) {
	t.Helper()
	if o.Folder == "" {
		o.Folder = "/home/staff/.config/paydesk"
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
		c.Press("n").Sees("Will be saved in /home/staff/.config/paydesk/profiles/test.toml").WaitsUntilGone("Name", "Environment")
		c.Fits().Press("esc", "down", "enter").Fill("Base URL", "https://payments.example").Fill("List URL", "https://list.example")
		c.To("Secret key").Press("enter")
		want := keystore.Profile{
			Name: "live", Environment: keystore.Live, BaseURL: "https://payments.example", ListURL: "https://list.example", Source: "keyring",
		}.WithDefaults()
		c.Went(nav.Push{To: nav.Key{Profile: want, First: true}}).Sees("https://list.example")
	})
	openSetup(t, 80, 24, keys.SetupOptions{Writable: func() error { return errors.New("read-only") }}, func(c *screentest.Console) {
		c.Press("n").Fill("Base URL", "https://payments.example").Choose("Secret key", "age").Press("ctrl+s").Sees("read-only", "for this run only", "cannot be sealed").Press("ctrl+s")
		if key := c.LastRequest().(nav.Push).To.(nav.Key); key.Profile.Source != "ask" || !key.NoFile { // where a passphrase could seal nothing
			t.Errorf("the key is asked for as %+v", key)
		}
	})
	bus := func(ctx context.Context) bool { <-ctx.Done(); return true } // which hangs
	openSetup(t, 80, 24, keys.SetupOptions{Keyring: bus}, func(c *screentest.Console) {
		c.Press("n").Sees("Looking for a keyring…").Wait(2 * time.Second).Sees("Will be saved in")
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
				c.Sees("Checking the address")
				c.Fits().Press("ctrl+s", "ctrl+s", "ctrl+s")
			}
			c.Wait(time.Second)
			if key := c.LastRequest().(nav.Push).To.(nav.Key); key.Served != want || (asked != "") != want {
				t.Errorf("%s: served %t, asked %q", environment, key.Served, asked)
			}
		})
	}
}
