package screens_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
)

// unconfigured are the options of a console without a configuration, and the path where one will be.
func unconfigured(t *testing.T, more ...consoletest.Option) (path string, options []consoletest.Option) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "paydesk")
	return path, append(more, consoletest.Config(path), consoletest.Store(keystore.NewMemory("keyring")), consoletest.StartAt(nav.Setup{}),
		consoletest.Served(func(address string) bool { return address == "http://127.0.0.1:8099" }))
}

func TestTheFirstRunLeadsToAnAccountThatWasTriedPastAWrongKeyAndAWrongAddress(t *testing.T) {
	path, options := unconfigured(t)
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("n").Fill("Base URL", "http://127.0.0.1:8098").Fill("List URL", "http://127.0.0.1:8099").Press("ctrl+s")
		c.Sees("The keyring has no key").WaitsUntilGone("A paydesk sandbox").Type("sk_test_CANARYofSomebodyElse").Press("enter")
		c.Sees("rejected", "wiped; enter another", "Wrong address? esc")
		if _, err := os.Stat(path); err == nil {
			t.Error("a profile was written that does not work")
		}
		c.Press("esc").Sees("http://127.0.0.1:8098", "http://127.0.0.1:8099", "▌ ").WaitsUntilGone("▐TEST▌")
		c.To("Base URL").Press("ctrl+u").Type("http://127.0.0.1:8099").Press("ctrl+s").Sees("A paydesk sandbox answers at this address")
		c.Wire.Disconnect(true)
		c.Type(consoletest.Key).Press("enter").Wait(20*time.Second).Sees("could not be verified", "Wrong address? esc")
		c.Wire.Disconnect(false)
		c.Press("ctrl+k").Sees("not everything works", "○ Key", "r tries")
		asked := len(c.Wire.Gets())
		c.Press("r").Sees("First run", "it works", "✓ Transactions", "✓ Payments", "✓ Key", "✓ Profile", "f3 controls it", "…0042")
		if gets := strings.Join(c.Wire.Gets()[asked:], " ") + " "; !strings.Contains(gets, "/transactions ") || !strings.Contains(gets, "/NONE") || len(c.Wire.Posts()) != 0 {
			t.Errorf("it was tried with %q and %q", gets, c.Wire.Posts())
		}
		c.Press("esc").Sees("Menu", "Home", "Profiles")
	}, options...)
	config, err := keystore.Folder(path).Load()
	must(t, err)
	if p, err := config.Select(""); err != nil || p.Name != "test" || p.ListURL != "http://127.0.0.1:8099" || p.Source != "keyring" {
		t.Errorf("the profile is %+v, %v", p, err)
	}
}

// The list answers at its own address, so only the address of payments is wrong.
func TestAWrongAddressOfPaymentsEndsTheFirstRunWithAFault(t *testing.T) {
	for wrong, want := range map[string]string{
		"http://127.0.0.1:8099/elsewhere": "may not work", // the service rejects it like any path
		"http://127.0.0.1:8100":           "does not work",
	} {
		_, options := unconfigured(t, consoletest.Size(60, 18))
		consoletest.Run(t, func(c *consoletest.Console) {
			c.Press("n").Fill("Base URL", wrong).Fill("List URL", "http://127.0.0.1:8099").Press("ctrl+s")
			if strings.HasSuffix(wrong, "8100") {
				c.Wire.Rewrite(func(path string, status int, body []byte) (int, []byte) {
					if strings.Contains(path, "/NONE") {
						return 200, []byte("<p>Hello</p>") // another server
					}
					return status, body
				})
			}
			c.Type(consoletest.Key).Press("enter").Sees("not everything works", "✓ Transactions", want, "question", "base_url", "6 and then e").WaitsUntilGone("it works")
			if len(c.Wire.Posts()) != 0 {
				t.Errorf("it sent %q", c.Wire.Posts())
			}
			c.Press("5").Sees("Profile test").Press("e").Sees("Edit profile test", "Base URL")
		}, options...)
	}
}
