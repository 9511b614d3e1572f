package screens_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
)

// acknowledged reads what disagrees and types the word.
func acknowledged(c *consoletest.Console) {
	c.T.Helper()
	c.Press("ctrl+l").Sees("ENVIRONMENT MISMATCH", "Type live").Slowly("live").Press("right").Wait(time.Second)
	c.Press("enter").Wait(time.Second)
	c.WaitsUntilGone("ENVIRONMENT MISMATCH")
}

// stopped tries every road there is to send by, and none of them sends.
func stopped(c *consoletest.Console) {
	c.T.Helper()
	before := len(c.Wire.Posts())
	c.Sees("ENVIRONMENT MISMATCH: sending is disabled")
	linked(c)
	c.Sees("ENVIRONMENT MISMATCH", "Create the link").Slowly("120.00").Press("right").Wait(time.Second)
	c.Press("enter").Wait(time.Second).Sees("It is unclear whether this is test or live")
	c.Press("esc", "ctrl+x", "esc").Press("c").Fill("Amount", "12.50").Press("enter").Wait(time.Second)
	c.Sees("It is unclear whether this is test or live", "Press ctrl+l to see why").Press("esc", "esc")
	c.Send(nav.Push{To: nav.Finalize{Reference: "ref-1"}})
	c.Wait(0)
	c.Sees("Finalize ref-1?").Slowly("finalize").Press("right").Wait(time.Second)
	c.Press("enter").Wait(time.Second).Sees("It is unclear whether this is test or live").Press("esc")
	if n := len(c.Wire.Posts()); n != before {
		c.T.Errorf("%d were posted", n-before)
	}
}

func TestAMismatchStopsEverySendingUntilItWasSeen(t *testing.T) {
	test := func(p *keystore.Profile) { p.Name, p.Environment = "shop", keystore.Test }
	for name, options := range map[string][]consoletest.Option{
		"a live key in a test profile": {consoletest.As(test), consoletest.WithKey(consoletest.LiveKey)},
		"a live host in a test profile": {consoletest.As(test), consoletest.As(func(p *keystore.Profile) {
			p.BaseURL, p.ListURL = "https://live.payments.example", "https://live.payments.example"
		})},
	} {
		t.Run(name, func(t *testing.T) {
			consoletest.Run(t, func(c *consoletest.Console) {
				stopped(c)
				acknowledged(c)
				c.Sees("Sending is locked · ctrl+l unlocks · environment unclear") // for it may be live
				unlocked(c)
				linked(c)
				c.Slowly("120.00").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
				if n := c.Wire.PostsTo("/payment-link"); n != 1 {
					t.Errorf("%d links were made\n%s", n, c.Boxed())
				}
			}, options...)
		})
	}
}

func TestALinkOfAnotherEnvironmentStopsWhatComesAfterIt(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		confirmed(c, "test")
		linked(c)
		c.Wait(time.Second).Sees("ENVIRONMENT MISMATCH", `its environment as "Live"`).Golden("lock/link-elsewhere")
		c.Press("esc")
		stopped(c)
		acknowledged(c)
	}, consoletest.As(func(p *keystore.Profile) { p.Name, p.Environment = "shop", keystore.Test }),
		consoletest.WithSandbox(func(o *sandbox.Options) { o.Environment = "Live" }), consoletest.WithKey(unknownKey))
}

func TestAMismatchSaysWhoSaysWhatAndWhatToCheck(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("ENVIRONMENT MISMATCH: sending is disabled").Golden("lock/mismatch")
		c.Press("ctrl+l").Sees("The profile declares", "The key prefix is for", "Check the key", "Type live").Golden("lock/mismatch-why")
		c.Press("f1").Sees("ENVIRONMENT MISMATCH").Press("f1")
		for _, typed := range []string{"test", "LIVE", ""} {
			c.Slowly(typed).Press("right").Wait(time.Second).Press("enter").Wait(time.Second).Sees("Type live exactly as shown")
			c.Press("esc").Sees("ENVIRONMENT MISMATCH: sending is disabled").Press("ctrl+l")
		}
	}, consoletest.As(func(p *keystore.Profile) { p.Environment = keystore.Test }), consoletest.WithKey(consoletest.LiveKey))
}

const unknownKey = "keyWithoutAPrefix0042"

// confirmed types what a key without a known prefix is for.
func confirmed(c *consoletest.Console, environment string) {
	c.T.Helper()
	c.Sees("KEY NOT RECOGNISED: sending is disabled").Press("ctrl+l").Sees("Is this key for " + environment + "?")
	c.Slowly(environment).Press("right").Wait(time.Second).Press("enter").Wait(time.Second).WaitsUntilGone("KEY NOT RECOGNISED")
}

func TestAKeyWithoutAKnownPrefixIsConfirmedOnce(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "state")
	for _, declared := range []keystore.Environment{keystore.Test, keystore.Live} {
		profile := consoletest.As(func(p *keystore.Profile) { p.Name, p.Environment = "shop", declared })
		consoletest.Run(t, func(c *consoletest.Console) {
			c.Sees("KEY NOT RECOGNISED: sending is disabled")
			linked(c)
			c.Slowly("120.00").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
			if n := len(c.Wire.Posts()); n != 0 {
				t.Errorf("%d were posted", n)
			}
			c.Press("esc", "esc")
			confirmed(c, string(declared))
		}, profile, consoletest.WithKey(unknownKey), consoletest.Confirmed(folder))
		consoletest.Run(t, func(c *consoletest.Console) { // at the next start
			c.Sees("Menu").WaitsUntilGone("KEY NOT RECOGNISED")
		}, profile, consoletest.WithKey(unknownKey), consoletest.Confirmed(folder))
		consoletest.Run(t, func(c *consoletest.Console) { // another key is not this one
			c.Sees("KEY NOT RECOGNISED")
		}, profile, consoletest.WithKey(unknownKey+"3"), consoletest.Confirmed(folder))
	}
	b, err := os.ReadFile(filepath.Join(folder, "confirmed.json"))
	if err != nil || strings.Contains(string(b), unknownKey) || strings.Count(string(b), "fingerprints") != 1 {
		t.Errorf("%s, %v", b, err)
	}
}

func TestAKeyWithoutAKnownPrefixSaysWhatIsAsked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("ctrl+l").Sees("KEY NOT RECOGNISED", "proves nothing", "Type test to continue").Golden("lock/unknown-key")
		c.Wait(time.Second).Press("right").Wait(time.Second).Press("enter").Wait(time.Second).Sees("Type test exactly as shown")
		c.Press("esc").Sees("KEY NOT RECOGNISED: sending is disabled")
	}, consoletest.As(func(p *keystore.Profile) { p.Environment = keystore.Test }), consoletest.WithKey(unknownKey))
}
