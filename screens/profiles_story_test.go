package screens_test

import (
	"fmt"
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/keystore/keystoretest"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
)

// two are a file with two profiles of the service of the stories, and a keyring with the
// key of the first.
func two(t *testing.T) []consoletest.Option {
	t.Helper()
	text := "-- default --\none\n"
	for _, name := range []string{"one", "two"} {
		text += fmt.Sprintf("-- profiles/%s.toml --\nenvironment = \"test\"\nbase_url = \"http://127.0.0.1:8099\"\nlist_url = \"http://127.0.0.1:8099\"\n", name)
	}
	path := keystoretest.Write(t, t.TempDir(), text)
	key, err := keystore.ParseKey(consoletest.Key)
	must(t, err)
	ring := keystore.NewMemory("keyring")
	must(t, ring.Set(t.Context(), "one", key))
	c, err := keystore.Folder(path).Load()
	must(t, err)
	return []consoletest.Option{consoletest.Config(path), consoletest.Store(ring), consoletest.StartAt(nav.Key{Profile: c.Profiles["one"]})}
}

func TestAnotherProfileIsOpenedWithNothingLeftOfTheFormer(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("l").Type("ref-of-the-first").Press("enter").Sees("has no record of it").Press("esc", "esc").Sees("Menu")
		asked := len(c.Wire.Gets())
		c.Press("5").Sees("2 profiles", "open, default").Press("down", "enter")
		c.Sees("two, environment test", "The keyring has no key for this profile yet").WaitsUntilGone("…0042")
		c.Press("esc").Sees("two, environment test") // there is nothing to go back to
		c.Press("ctrl+o").Pick("Another profile").Press("enter").Sees("2 profiles").Press("esc")
		c.Press("home").Pick("Type the key").Press("enter").Type(consoletest.Key).Press("enter").Sees("Menu", "key this run …0042")
		c.Wait(time.Hour)
		if n := len(c.Wire.Gets()); n != asked+2 { // about the key, and home's
			t.Errorf("%d questions were asked after the switch", n-asked)
		}
		c.Press("l").WaitsUntilGone("ref-of-the-first")
	}, two(t)...)
}

func TestNoOtherProfileIsOpenedWhileSomethingIsBeingSent(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("n").Fill("Name", "Dues").Fill("Description", "of May").Choose("Currency", "GBP").Fill("Amount", "12.50")
		c.Wire.Slow(20 * time.Second)
		c.Press("ctrl+s").Press("esc").Sees("Please wait for the response").WaitsUntilGone("Menu")
		c.Send(nav.Restart{To: nav.Profiles{}}) // as if a screen asked for it at this moment
		c.Wait(time.Second).Sees("A request is in progress. Switch profiles once it has been answered.")
		c.Wait(25 * time.Second).Sees("Dues").WaitsUntilGone("2 profiles")
	}, two(t)...)
}
