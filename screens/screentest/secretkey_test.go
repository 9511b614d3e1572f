package screentest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/keys"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

// secret must never be shown.
const secret = "sk_test_CANARYcanary0042"

var profile = keystore.Profile{
	Name: "test", Environment: keystore.Test, BaseURL: "https://payments.example", ListURL: "https://list.example", Source: "keyring",
}.WithDefaults()

func parseKey(s string) keystore.Key {
	k, err := keystore.ParseKey(s)
	if err != nil {
		panic(err)
	}
	return k
}

// A ring is a fake keyring that answers after a delay.
type ring struct {
	keystore.Store
	get, set error
	after    time.Duration
	asked    int
	told     []string
}

func newRing() *ring { return &ring{Store: keystore.NewMemory("keyring")} }

func (r *ring) wait(ctx context.Context) error {
	select {
	case <-time.After(r.after):
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", keystore.ErrTimeout, ctx.Err())
	}
}

func (r *ring) Get(ctx context.Context, name string) (keystore.Key, error) {
	r.asked++
	if err := r.wait(ctx); err != nil {
		return keystore.Key{}, err
	}
	if r.get != nil {
		return keystore.Key{}, r.get
	}
	return r.Store.Get(ctx, name)
}

func (r *ring) Set(ctx context.Context, name string, k keystore.Key) error {
	if err := r.wait(ctx); err != nil {
		return err
	}
	if r.set != nil {
		return r.set
	}
	r.told = append(r.told, k.Expose())
	return r.Store.Set(ctx, name, k)
}

// An entryWorld is a keyring and a service.
type entryWorld struct {
	*ring
	profile   keystore.Profile
	says      error // what the service says to a key
	after     time.Duration
	tried     []string
	others    map[string]keystore.Store // the sources besides the keyring
	written   []string
	unwritten error  // why a profile cannot be written
	refused   string // the end of a key to be replaced
	first     bool   // the profile is in no file yet
	noRing    bool   // the host has no keyring
}

// store returns the source of a profile. Sources that the test does not set behave as on an
// empty host.
func (w *entryWorld) store(p keystore.Profile) keystore.Store {
	if s := w.others[p.Source]; s != nil {
		return s
	}
	if p.Source == "keyring" {
		return w.ring
	}
	return keystore.Sources(keystore.SourceOptions{Folder: "/nowhere"})(p)
}

func (w *entryWorld) options() keys.EntryOptions {
	if w.first {
		return keys.EntryOptions{Key: nav.Key{Profile: w.profile, First: true, Served: true}, Store: w.store, Folder: "/home/staff/.config/paydesk", Verify: w.check}
	}
	return keys.EntryOptions{
		Key: nav.Key{Profile: w.profile, Replace: w.refused != ""}, Refused: w.refused,
		Store: w.store, Folder: "/home/staff/.config/paydesk", Verify: w.check, Keyring: func(context.Context) bool { return !w.noRing },
		SetSource: func(profile, source string) error {
			w.written = append(w.written, profile+" "+source)
			return w.unwritten
		},
	}
}

func (w *entryWorld) check(ctx context.Context, p keystore.Profile, k keystore.Key) error {
	if p.Name != w.profile.Name || p.BaseURL != w.profile.BaseURL || p.ListURL != w.profile.ListURL {
		return errors.New("another profile")
	}
	w.tried = append(w.tried, k.Expose())
	select {
	case <-time.After(w.after):
		return w.says
	case <-ctx.Done():
		return ctx.Err()
	}
}

func openEntry(t *testing.T, w *entryWorld, tell func(*screentest.Console)) {
	openEntryIn(t, 80, 24, w, tell)
}

func openEntryIn(t *testing.T, width, height int, w *entryWorld, tell func(*screentest.Console)) {
	t.Helper()
	if w.ring == nil {
		w.ring = newRing()
	}
	if w.profile.Name == "" {
		w.profile = profile
	}
	synctest.Test(t, func(t *testing.T) {
		c := screentest.Open(t, keys.NewEntry(screentest.Theme, w.options()), width, height)
		tell(c)
		c.NeverShowed("CANARY", "canary")
	})
}

// connected is the message that a working key leads to.
func connected(source string) nav.Connect {
	return nav.Connect{Profile: profile, Key: parseKey(secret), Source: source}
}

func TestAKeyIsEnteredVerifiedStoredAndUsed(t *testing.T) {
	w := &entryWorld{after: time.Second}
	openEntry(t, w, func(c *screentest.Console) {
		c.Sees("has no key for this profile yet", "environment test", "https://payments.example").Golden("keys/ask")
		c.Fits().HelpBarFits().Idle(time.Hour)
		c.Type(secret).Sees("••••••••")
		w.ring.after = time.Second
		c.Press("enter").Sees("Verifying the key")
		c.Fits().Wait(time.Second).Sees("Storing the key in the keyring").Golden("keys/keeping")
		c.Fits().Wait(time.Second).Went(connected("keyring"))
		if len(w.told) != 1 || w.told[0] != secret || len(w.tried) != 1 {
			t.Errorf("kept %d times, tried %d times", len(w.told), len(w.tried))
		}
	})
}

func TestAMalformedKeyIsReportedAtTheFieldAndNotSent(t *testing.T) {
	w := &entryWorld{}
	openEntry(t, w, func(c *screentest.Console) {
		c.Press("enter").Sees("Secret key is required").Type("short").Press("enter").Sees("! A secret key must have at least 8 characters")
		c.Fits().Went()
		if len(w.tried) != 0 {
			t.Error("the service was asked")
		}
	})
}

func TestAnUnusableKeyringIsExplained(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		says string
	}{
		"absent":  {fmt.Errorf("%w: no session bus is running (D-Bus)", keystore.ErrNoKeyring), "! There is no keyring on this host: no session bus is running (D-Bus)."},
		"locked":  {fmt.Errorf("%w: unlock it, or log in to a desktop that does, and try again", keystore.ErrLocked), "! The keyring is locked"},
		"timeout": {fmt.Errorf("%w: it may be showing a prompt on another display", keystore.ErrTimeout), "! The keyring did not answer in time"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &entryWorld{ring: newRing()}
			w.get, w.set = c.err, c.err
			openEntry(t, w, func(s *screentest.Console) {
				s.Sees(c.says, "Nothing is stored unless you choose to", "Try the keyring again", "Type the key", "Seal it with a passphrase", "Doctor")
				s.Fits().HelpBarFits().Idle(time.Hour)
				s.Pick("Type the key").Press("enter").Sees("Enter the key for this run only", "written nowhere").Type(secret).Press("esc").Sees(c.says)
				s.Press("enter", "enter").Went(connected("this run"))
				if len(w.told)+len(w.written) != 0 {
					t.Error("something was kept")
				}
			})
		})
	}
}

func TestEveryWaitCanBeEnded(t *testing.T) {
	w := &entryWorld{ring: newRing(), after: time.Hour}
	w.ring.after = time.Hour
	openEntry(t, w, func(c *screentest.Console) {
		c.Press("esc").Sees("Waiting for the keyring was cancelled", "Type the key").Went()
		c.Press("esc").Went(nav.Back{})
	})
	w = &entryWorld{after: time.Hour}
	openEntry(t, w, func(c *screentest.Console) {
		w.ring.after = time.Hour
		c.Type(secret).Press("enter").Sees("Verifying the key").Press("esc").Sees("▌ Secret key", "••••••••").Went()
		w.after = 0
		c.Press("enter").Sees("Storing the key").Press("esc").Sees("it may still store the key", "this run only").Went()
		c.Press("esc").Sees("▌ Secret key", "••••••••").Went()
		c.Press("esc").Sees("Another profile").Went() // nothing is below this screen
		c.Press("esc").Went(nav.Back{})
	})
}

func TestARejectedKeyIsWipedSoThatTheNextPasteReplacesIt(t *testing.T) {
	for _, status := range []int{401, 403} {
		w := &entryWorld{says: &api.Refusal{Kind: api.KindService, HTTP: status, Text: api.Clean("Invalid key")}}
		openEntry(t, w, func(c *screentest.Console) {
			c.Type(secret).Press("enter").Sees("! The service rejected the key.", "Invalid key", "Check the secret key", "! This key was rejected and is wiped; enter another").WaitsUntilGone("••••").Golden("keys/refused")
			c.WaitsUntilGone("unverified").Fits().Press("ctrl+k").Went()
			if len(w.told) != 0 || len(w.tried) != 1 {
				t.Errorf("kept %d times, tried %d times", len(w.told), len(w.tried))
			}
			w.says = nil
			c.Wait(time.Minute).Press("enter").Paste(secret + "x").WaitsUntilGone("wiped").Press("enter")
			if len(w.told) != 1 || w.told[0] != secret+"x" {
				t.Error("the pasted key was not the one that was kept")
			}
		})
	}
}

func TestNoFormattingOfTheScreenShowsTheKey(t *testing.T) {
	w := &entryWorld{ring: newRing(), profile: profile, says: &api.Failure{Kind: api.KindDNS}}
	synctest.Test(t, func(t *testing.T) {
		m := keys.NewEntry(screentest.Theme, w.options())
		c := screentest.Open(t, m, 80, 24)
		w.set = keystore.ErrNoKeyring
		c.Type(secret).Press("enter", "ctrl+k").Sees("not stored.")
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			if s := fmt.Sprintf(verb, m); strings.Contains(s, "CANARY") || strings.Contains(s, fmt.Sprintf("%x", "CANARY")) {
				t.Errorf("%s shows the key", verb)
			}
		}
	})
}
