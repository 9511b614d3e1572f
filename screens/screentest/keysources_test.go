package screentest_test

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
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

// A vault is a fake store with a passphrase.
type vault struct {
	keystore.Store
	phrase string // "" when there is no file
	err    error  // what is wrong with the file
	sealed string
	after  time.Duration
}

func (v *vault) Name() string { return "age" }

func (v *vault) Get(context.Context, string) (keystore.Key, error) {
	switch {
	case v.err != nil:
		return keystore.Key{}, v.err
	case v.phrase == "":
		return keystore.Key{}, &keystore.Problem{Kind: keystore.ErrNotFound, Message: "/x/test.age does not exist"}
	}
	return keystore.Key{}, &keystore.Problem{Kind: keystore.ErrPassphrase, Message: "the key is sealed in /x/test.age", Hint: "enter its passphrase"}
}

func (v *vault) Unlock(_ context.Context, _ string, phrase []byte) (keystore.Key, error) {
	defer clear(phrase)
	time.Sleep(v.after)
	if string(phrase) != v.phrase {
		return keystore.Key{}, &keystore.Problem{Kind: keystore.ErrWrongPassphrase, Message: "wrong passphrase for /x/test.age", Hint: "try again"}
	}
	return parseKey(secret), nil
}

func (v *vault) Seal(_ context.Context, _ string, k keystore.Key, phrase []byte) error {
	defer clear(phrase)
	time.Sleep(v.after)
	if v.err != nil {
		return v.err
	}
	v.phrase, v.sealed = string(phrase), k.Expose()
	return nil
}

// A program is a fake key command that may need the terminal.
type program struct {
	keystore.Store
	fails error
}

func (p *program) Name() string { return "command" }

func (p *program) Get(context.Context, string) (keystore.Key, error) {
	return keystore.Key{}, p.fails
}

func (p *program) Interactive(string) (*exec.Cmd, func() (keystore.Key, error)) {
	return nil, nil // the tests of the whole program give the terminal away
}

func TestEverySourceThatGivesNoKeySaysWhyAndWhatToDo(t *testing.T) {
	live := profile.WithSource("env")
	live.Environment = keystore.Live
	for name, c := range map[string]struct {
		profile keystore.Profile
		others  map[string]keystore.Store
		says    []string
		not     []string
	}{
		"command": {
			profile.WithSource("command"), map[string]keystore.Store{"command": &program{fails: &keystore.Problem{
				Kind: keystore.ErrFailed, Message: "the key command failed with exit code 2", Hint: "it may need to prompt you: run it with the terminal",
			}}},
			[]string{"failed with exit code 2", "Run the command again", "Run it with the terminal", "Store it in the keyring"}, []string{"nothing"},
		},
		"env-live": {live, nil, []string{"A live key is not read from the environment", "allow_env_key"}, []string{"again"}},
		"age": {
			profile.WithSource("age"), map[string]keystore.Store{"age": &vault{err: &keystore.Problem{Kind: keystore.ErrNotAKey, Message: "/x/test.age is damaged", Hint: "seal the key again"}}},
			[]string{"/x/test.age is damaged", "Seal the key again.", "Read the file again"}, []string{"Run it", "Store it in the keyring"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := &entryWorld{profile: c.profile, others: c.others, noRing: name == "age"}
			openEntry(t, w, func(s *screentest.Console) {
				s.Sees(append(c.says, "Nothing is stored unless you choose to")...).WaitsUntilGone(c.not...)
				s.Fits().Went()
				s.Press("i").Went(nav.Push{To: nav.Doctor{Profile: c.profile}})
				if len(w.tried)+len(w.told)+len(w.written) != 0 {
					t.Error("something was done unasked")
				}
			})
		})
	}
}

func TestASealedKeyIsOpenedWithItsPassphrase(t *testing.T) {
	v := &vault{phrase: "four words are best", after: time.Second}
	w := &entryWorld{profile: profile.WithSource("age"), others: map[string]keystore.Store{"age": v}}
	openEntry(t, w, func(c *screentest.Console) {
		c.Sees("The key is sealed in", "▌ Passphrase").Golden("keys/passphrase")
		c.Fits().HelpBarFits().Type("four words").NeverShowed("four words").Press("enter").Sees("Waiting for the sealed file", "on purpose")
		c.Wait(time.Second).Sees("! Wrong passphrase for /x/test.age").WaitsUntilGone("•")
		c.Fits().Press("enter").WaitsUntilGone("Waiting").Went()
		c.Type("four words are best").Press("enter").Wait(time.Second)
		c.Went(nav.Connect{Profile: w.profile, Key: parseKey(secret), Source: "age"})
	})
	openEntry(t, w, func(c *screentest.Console) { c.Press("ctrl+o").Sees("Type the key", "The key is sealed in") })
	w = &entryWorld{profile: profile.WithSource("ask")}
	openEntry(t, w, func(c *screentest.Console) {
		c.Press("ctrl+o").Sees("Type the key").WaitsUntilGone("again", "the this run")
	})
}

func TestAKeyIsSealedWithAPassphraseThatIsTypedTwice(t *testing.T) {
	v := &vault{}
	w := &entryWorld{profile: profile.WithSource("age"), others: map[string]keystore.Store{"age": v}}
	openEntry(t, w, func(c *screentest.Console) {
		c.Sees("There is no key in " + filepath.FromSlash("/home/staff/.config/paydesk/test.age") + " yet").Golden("keys/seal-key").Fits()
		c.Press("ctrl+r").Sees("▲ /x/test.age does not exist.")
		c.Type(secret).Press("enter").Sees("The service accepted the key", "Passphrase *", "Repeat *").Golden("keys/seal")
		c.Fits().Fill("Passphrase", "short").Press("enter").Sees("at least 8 characters")
		c.Fill("Passphrase", "shorter but long enough").Fill("Repeat", "something else").Press("enter").Sees("The passphrases do not match")
		c.Went().Type("shorter but long enough").Press("enter")
		c.Went(nav.Connect{Profile: w.profile, Key: parseKey(secret), Source: "age"})
		if v.phrase != "shorter but long enough" || v.sealed != secret || len(w.written) != 0 {
			t.Errorf("sealed %d characters, wrote %d profiles", len(v.sealed), len(w.written))
		}
		c.NeverShowed("long enough")
	})
}

// Whoever stores the key in another source reads before that the profile is changed to it.
func TestTheProfileNamesTheSourceThatWasChosenForTheKey(t *testing.T) {
	env := profile.WithSource("env")
	for failed, went := range map[error]nav.Connect{
		nil:                     connected("keyring"),
		errors.New("disk full"): {Profile: env, Key: parseKey(secret), Source: "this run"},
	} {
		w := &entryWorld{profile: env, unwritten: failed}
		openEntry(t, w, func(c *screentest.Console) {
			c.Pick("Store it in the keyring").Press("enter").Sees("keyring and nowhere else", `The profile then says key = "keyring".`).Golden("keys/naming")
			c.Fits().Type(secret).Press("enter")
			if failed != nil {
				c.Sees("The profile was not changed: Disk full.", "The key is stored in the keyring").Wait(time.Second).Pick("Use it for this run only").Press("enter")
			}
			c.Went(went)
			if len(w.written) != 1 || w.written[0] != "test keyring" || len(w.told) != 1 {
				t.Errorf("wrote %v, kept %d keys", w.written, len(w.told))
			}
		})
	}
	w := &entryWorld{profile: env, ring: newRing()}
	w.ring.after = time.Hour
	openEntry(t, w, func(c *screentest.Console) { // and whoever stops waiting for it has all options again
		c.Pick("Store it in the keyring").Press("enter").Type(secret).Press("enter").Sees("Storing the key").Press("esc", "esc", "esc")
		c.Sees("Seal it with a passphrase").WaitsUntilGone("Use it for this run only")
	})
}

func TestAKeyThatReplacesAnotherIsVerifiedBeforeItIsUsed(t *testing.T) {
	w := &entryWorld{refused: "…0042", ring: newRing()}
	must(t, w.ring.Store.Set(t.Context(), "test", parseKey(secret)))
	w.says = &api.Refusal{Kind: api.KindService, HTTP: 401}
	openEntry(t, w, func(c *screentest.Console) {
		c.Sees("The service rejected the key …0042", "Your work is kept").Golden("keys/replace")
		c.Fits().HelpBarFits()
		if w.asked+len(w.tried) != 0 {
			t.Error("somebody was asked unasked")
		}
		c.Press("ctrl+r").Sees("The key from the keyring was rejected too").Went()
		if w.says = nil; len(w.tried) != 1 {
			t.Errorf("it was tried %d times", len(w.tried))
		}
		c.Press("ctrl+r").Went(nav.Rekey(connected("keyring")))
	})
	w = &entryWorld{refused: "…0042", profile: profile.WithSource("file"), others: map[string]keystore.Store{"file": w.ring}, says: &api.Refusal{Kind: api.KindService, HTTP: 401}}
	w.after = time.Hour
	openEntry(t, w, func(c *screentest.Console) {
		c.Press("ctrl+o", "r").Sees("Verifying the key").Press("esc").Sees("was not verified", "Read the file again")
		w.after = 0
		c.Press("r").Sees("was rejected too", "Type the key", "Read the file again").WaitsUntilGone("ctrl+r").Went()
	})
}

// The first profile says ask where its key could not be stored, so that the next start asks and looks for nothing.
func TestTheFirstKeyThatCouldNotBeStoredIsAskedForAtTheNextStart(t *testing.T) {
	w := &entryWorld{first: true, ring: newRing()}
	w.set = fmt.Errorf("%w: its prompt may have been dismissed", keystore.ErrUnchanged)
	openEntry(t, w, func(c *screentest.Console) {
		c.Type(secret).Press("enter").Sees("not stored.").Wait(time.Second).Pick("Use it for this run only").Press("enter")
		c.Went(nav.Connect{Profile: profile.WithSource("ask"), Key: parseKey(secret), Source: "this run", First: true})
	})
}

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
	return keystore.ForAddress(k, a.given, a.wanted, func(ctx context.Context) error {
		a.bound++
		return a.wait(ctx)
	})
}

// elsewhere is a keyring whose key was given for other addresses than those of the profile.
func elsewhere(t *testing.T, given ...string) (*entryWorld, *addressed) {
	t.Helper()
	r := newRing()
	must(t, r.Store.Set(t.Context(), "test", parseKey(secret)))
	a := &addressed{ring: r, given: given, wanted: profile.Origins()}
	return &entryWorld{ring: r, others: map[string]keystore.Store{"keyring": a}}, a
}

func TestAnotherAddressGetsTheKeyOnlyAfterAYes(t *testing.T) {
	w, a := elsewhere(t, "https://shop.example", "https://list.example")
	openEntry(t, w, func(c *screentest.Console) {
		c.Sees("was given for another address", "https://shop.example", "The profile test would send it to", "https://payments.example", "Send it there").Golden("keys/elsewhere")
		c.Fits().HelpBarFits().Press("enter").Paste("y").Type(strings.Repeat("y", 50)) // typed ahead
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
	openEntryIn(t, 60, 18, w, func(c *screentest.Console) {
		c.Golden("keys/elsewhere-small").Wait(time.Second).Press("n").Wait(time.Second)
		c.Sees("was not used: it was not given", "Nothing was sent", "Type the key").Golden("keys/elsewhere-no")
		c.Fits().Pick("Type the key").Press("enter").Sees("Secret key").Went()
		if a.bound != 0 || len(w.tried) != 0 {
			t.Errorf("bound %d times, sent %d times", a.bound, len(w.tried))
		}
	})
	w, _ = elsewhere(t, "https://shop.example")
	openEntry(t, w, func(c *screentest.Console) {
		c.Sees("Send it there").Wait(time.Second)
		w.ring.after = time.Hour
		c.Press("y").Wait(time.Second).Sees("Storing the key").Press("esc").Sees("may still store the address", "Type the key").WaitsUntilGone("Use it for this run").Went()
	})
	w, _ = elsewhere(t, "https://shop.example")
	openEntry(t, w, func(c *screentest.Console) { c.Press("esc").Wait(time.Second).Sees("was not used").Went() })
}

func TestAnAddressTooLongToReadIsNotAgreedTo(t *testing.T) {
	w, a := elsewhere(t, "https://"+strings.Repeat("a-long-name.", 20)+"example")
	a.wanted = []string{"https://" + strings.Repeat("b-long-name.", 20) + "example", "https://" + strings.Repeat("c-long-name.", 20) + "example"}
	openEntryIn(t, 60, 18, w, func(c *screentest.Console) {
		c.Fits().Wait(time.Second).Press("y").Wait(time.Second).Sees("Enlarge the window to read all the addresses").Went()
		if a.bound != 0 {
			t.Error("bound")
		}
	})
}

// doctorSteps are those of a host without a keyring, with a service that sends control characters.
var doctorSteps = []keystore.Finding{
	{Name: "configuration", State: keystore.OK, Message: "/home/staff/.config/paydesk, mode 700"},
	{Name: "profile", State: keystore.OK, Message: "test, declared test"},
	{Name: "keyring", State: keystore.Failed, Message: "DBUS_SESSION_BUS_ADDRESS is not set and there is no /run/user/1000/bus", Fix: "log in to a desktop, or choose another source, such as key = \"file\""},
	{Name: "key source", State: keystore.Skipped, Message: "there is no keyring on this host"},
	{Name: "letters", State: keystore.Warning, Message: "no locale is set", Fix: "set LANG=C.UTF-8, or use --ascii"},
	{Name: "TLS", State: keystore.OK, Message: "TLS 1.3, \x1b[2Jcertificate valid until 2031-02-03"},
	{Name: "key accepted", State: keystore.Skipped, Message: "not asked, because there is no key"},
}

func TestWhatFailedIsShownFirstWithWhatToDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := screentest.Open(t, keys.NewDoctor(screentest.Theme, "test", func(context.Context) []keystore.Finding { return doctorSteps }), 80, 24)
		c.Sees("1 failed · 1 warning · 3 OK · 2 skipped", "✓ configuration", "– key source", "To do: log in to a desktop").Golden("keys/steps")
		c.Fits().HelpBarFits().Idle(time.Hour)
		if n := c.Green(); n > 0 {
			t.Errorf("%d cells have the colour of success", n)
		}
		c.Press("end").Sees("^[[2J", "skipped: not asked").Went()
	})
}
