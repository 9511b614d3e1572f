package keys_test

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
	"paydesk/keystore/keystoretest"
	"paydesk/screens/keys"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

// of returns the profile with another source.
func of(source string, change func(*keystore.Profile)) keystore.Profile {
	p := profile
	p.Source = source
	if change != nil {
		change(&p)
	}
	return p
}

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
	return parse(secret), nil
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
	for name, c := range map[string]struct {
		profile keystore.Profile
		others  map[string]keystore.Store
		says    []string
		not     string
	}{
		"command": {
			of("command", nil), map[string]keystore.Store{"command": &program{fails: &keystore.Problem{
				Kind: keystore.ErrFailed, Message: "the key command failed with exit code 2", Hint: "it may need to prompt you: run it with the terminal",
			}}},
			[]string{"failed with exit code 2", "Run the command again", "Run it with the terminal", "Store it in the keyring"}, "nothing",
		},
		"env-live": {of("env", func(p *keystore.Profile) { p.Environment = keystore.Live }), nil, []string{"A live key is not read from the environment", "allow_env_key"}, "again"},
		"age": {
			of("age", nil), map[string]keystore.Store{"age": &vault{err: &keystore.Problem{Kind: keystore.ErrNotAKey, Message: "/x/test.age is damaged", Hint: "seal the key again"}}},
			[]string{"/x/test.age is damaged", "Seal the key again.", "Read the file again"}, "Run it",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{profile: c.profile, others: c.others}
			open(t, w, func(s *screentest.Console) {
				s.Sees(append(c.says, "Nothing is stored unless you choose to")...).WaitsUntilGone(c.not)
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
	w := &world{profile: of("age", nil), others: map[string]keystore.Store{"age": v}}
	open(t, w, func(c *screentest.Console) {
		c.Sees("The key is sealed in", "▌ Passphrase").Golden("passphrase")
		c.Fits().HelpBarFits().Type("four words").NeverShowed("four words").Press("enter").Sees("Waiting for the sealed file", "on purpose")
		c.Wait(time.Second).Sees("! Wrong passphrase for /x/test.age").WaitsUntilGone("•")
		c.Fits().Press("enter").WaitsUntilGone("Waiting").Went()
		c.Type("four words are best").Press("enter").Wait(time.Second)
		c.Went(nav.Connect{Profile: w.profile, Key: parse(secret), Source: "age"})
	})
	open(t, w, func(c *screentest.Console) { c.Press("ctrl+o").Sees("Type the key", "The key is sealed in") })
}

func TestAKeyIsSealedWithAPassphraseThatIsTypedTwice(t *testing.T) {
	v := &vault{}
	w := &world{profile: of("age", nil), others: map[string]keystore.Store{"age": v}}
	open(t, w, func(c *screentest.Console) {
		c.Sees("There is no key in " + filepath.FromSlash("/home/staff/.config/paydesk/test.age") + " yet").Golden("seal-key").Fits()
		c.Type(secret).Press("enter").Sees("The service accepted the key", "New passphrase", "Repeat").Golden("seal")
		c.Fits().Fill("New passphrase", "short").Press("enter").Sees("at least 8 characters")
		c.Fill("New passphrase", "er but long enough").Fill("Repeat", "something else").Press("enter").Sees("The passphrases do not match")
		c.Went().Flood("backspace", 14).Type("shorter but long enough").Press("enter")
		c.Went(nav.Connect{Profile: w.profile, Key: parse(secret), Source: "age"})
		if v.phrase != "shorter but long enough" || v.sealed != secret || len(w.written) != 0 {
			t.Errorf("sealed %d characters, wrote %d profiles", len(v.sealed), len(w.written))
		}
		c.NeverShowed("long enough")
	})
}

func TestTheProfileSaysWhereTheKeyIsOnlyWhenThePersonSaysSo(t *testing.T) {
	env := of("env", nil)
	for answer, want := range map[string]struct {
		profile keystore.Profile
		written int
	}{"y": {of("keyring", nil), 1}, "n": {env, 0}} {
		w := &world{profile: env}
		open(t, w, func(c *screentest.Console) {
			c.Pick("Store it in the keyring").Press("enter").Sees("keyring and nowhere else").Type(secret).Press("enter")
			c.Sees("The key is now stored in the keyring; the profile still says env").Golden("naming")
			c.Fits().Press("esc").Sees("Choose whether to change the profile").Press("enter").Went()
			c.Wait(time.Second).Press(answer).Wait(time.Second).Went(nav.Connect{Profile: want.profile, Key: parse(secret), Source: "keyring"})
			if len(w.written) != want.written || len(w.told) != 1 {
				t.Errorf("wrote %d profiles, kept %d keys", len(w.written), len(w.told))
			}
		})
	}
}

func TestAKeyThatReplacesAnotherIsVerifiedBeforeItIsUsed(t *testing.T) {
	w := &world{refused: "…0042", ring: newRing()}
	if err := w.ring.Store.Set(t.Context(), "test", parse(secret)); err != nil {
		t.Fatal(err)
	}
	w.says = &api.Refusal{Kind: api.KindService, HTTP: 401}
	open(t, w, func(c *screentest.Console) {
		c.Sees("The service rejected the key …0042", "Your work is kept").Golden("replace")
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
}

// The first profile says ask where its key could not be stored, so that the next start asks and looks for nothing.
func TestTheFirstKeyThatCouldNotBeStoredIsAskedForAtTheNextStart(t *testing.T) {
	w := &world{first: true, ring: newRing()}
	w.set = fmt.Errorf("%w: its prompt may have been dismissed", keystore.ErrUnchanged)
	open(t, w, func(c *screentest.Console) {
		c.Type(secret).Press("enter").Sees("not stored.").Wait(time.Second).Pick("Use it for this run only").Press("enter")
		c.Went(nav.Connect{Profile: profile.WithSource("ask"), Key: parse(secret), Source: "this run", First: true, Accepted: true})
	})
}

var _ keystore.Sealed = (*vault)(nil)
var _ keystore.Prompter = (*program)(nil)

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

// steps are those of a host without a keyring, with a service that sends control characters.
var steps = []keystore.Finding{
	{Name: "configuration", State: keystore.OK, Message: "/home/staff/.config/paydesk, mode 700"},
	{Name: "profile", State: keystore.OK, Message: "test, declared test"},
	{Name: "keyring", State: keystore.Failed, Message: "DBUS_SESSION_BUS_ADDRESS is not set and there is no /run/user/1000/bus", Fix: "log in to a desktop, or choose another source, such as key = \"file\""},
	{Name: "key source", State: keystore.Skipped, Message: "there is no keyring on this host"},
	{Name: "letters", State: keystore.Warning, Message: "no locale is set", Fix: "set LANG=C.UTF-8, or use --ascii"},
	{Name: "TLS", State: keystore.OK, Message: "TLS 1.3, \x1b[2Jcertificate valid until 2031-02-03"},
	{Name: "key accepted", State: keystore.Skipped, Message: "not asked, because there is no key"},
}

func openDoctor(t *testing.T, w, h int, examine keys.Examine, tell func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { tell(screentest.Open(t, keys.NewDoctor(screentest.Theme, "test", examine), w, h)) })
}

func at(once []keystore.Finding) keys.Examine {
	return func(context.Context) []keystore.Finding { return once }
}

func TestWhatFailedIsShownFirstWithWhatToDo(t *testing.T) {
	openDoctor(t, 80, 24, at(steps), func(c *screentest.Console) {
		c.Sees("1 failed, 1 warning, 3 OK", "To do: log in to a desktop").Golden("steps")
		c.Fits().HelpBarFits().Idle(time.Hour)
		if n := c.Green(); n > 0 {
			t.Errorf("%d cells have the colour of success", n)
		}
		c.Press("end").Sees("^[[2J", "skipped: not asked").Went()
	})
}

const file = `-- default --
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

// A world is a configuration and the keys of its profiles.
type profilesWorld struct {
	keystore.Folder
	ring  keystore.Store
	fails error // deleting a key
}

func newWorld(t *testing.T, text string) *profilesWorld {
	t.Helper()
	w := &profilesWorld{Folder: keystore.Folder(t.TempDir()), ring: keystore.NewMemory("keyring")}
	w.write(t, text)
	k, err := keystore.ParseKey("sk_test_CANARY0042")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.ring.Set(t.Context(), "test", k); err != nil {
		t.Fatal(err)
	}
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
		o := keys.ProfilesOptions{Path: "/home/staff/.config/paydesk", Folder: w, Store: w.store, Open: "test", Doctor: true}
		tell(screentest.Open(t, keys.NewProfiles(screentest.Theme, o), 80, 24))
	})
}

// as returns a profile of the file.
func (w *profilesWorld) as(t *testing.T, name string) keystore.Profile {
	t.Helper()
	c, err := w.LoadOrEmpty()
	if err != nil {
		t.Fatal(err)
	}
	return c.Profiles[name]
}

func TestAProfileIsAddedToTheFile(t *testing.T) {
	w := newWorld(t, file)
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("n").Sees("New profile").Fill("Name", "er").Fill("Base URL", "https://other.example").Fill("List URL", "https://other.example")
		c.Press("ctrl+s").Sees("3 profiles")
	})
	if p := w.as(t, "tester"); p.BaseURL != "https://other.example" || p.Environment != keystore.Test || w.as(t, "test").ListURL != "https://list.example" {
		t.Errorf("it is %+v", p)
	}
}

func TestSettingsWithoutAFieldStayAsTheyAre(t *testing.T) {
	w := newWorld(t, strings.Replace(file, "key = \"command\"", "key = \"command\"\nunlock_minutes = 5\nidle_lock = 10\nwebhook_listen = \"127.0.0.1:8425\"\nwebhook_targets = [\"https://a.example/\"]\nwebhook_limit = \"9 MB\"", 1))
	before := w.as(t, "shop")
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("up", "e").Sees("https://pay.shop.example").Press("ctrl+s").Sees("The profile was written.")
	})
	if now := w.as(t, "shop"); now != before {
		t.Errorf("it became %+v", now)
	}
}

// otherDefault is the file with a default that is not the profile that is open.
var otherDefault = strings.Replace(file, "\ntest\n", "\nshop\n", 1)

func TestDeletingAsksAboutTheKey(t *testing.T) {
	w := newWorld(t, otherDefault)
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("x").Sees("Delete the profile test?", "▌ Keep it", "Delete profile and key", "The profile stays open").Golden("delete")
		c.Fits().Press("esc").Sees("2 profiles").Press("x", "enter").Sees("2 profiles").Press("x", "y").Sees("Delete the profile test?")
		c.Press("down", "enter").Sees("1 profile ", "Its key stays where it was")
	})
	if _, err := w.ring.Get(t.Context(), "test"); err != nil {
		t.Error(err)
	}
	w = newWorld(t, otherDefault)
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("x", "down", "down", "enter").Sees("1 profile ", "The profile and its key were deleted.")
	})
	if _, err := w.ring.Get(t.Context(), "test"); !errors.Is(err, keystore.ErrNotFound) {
		t.Error("the key is still there")
	}
}

func TestAKeyThatCannotBeDeletedIsReported(t *testing.T) {
	w := newWorld(t, otherDefault)
	w.fails = keystore.ErrLocked
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("x", "down", "down", "enter").Sees("2 profiles", "Its key could not be deleted, so the profile was kept: the keyring is").Fits()
	})
	w = newWorld(t, file) // a command has the key
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("up", "x").Sees("Paydesk does not manage").WaitsUntilGone("Delete profile and key")
	})
}

func TestAFileThatSomebodyElseChangedIsReadAgainBeforeAnythingIsWritten(t *testing.T) {
	w := newWorld(t, file)
	openProfiles(t, w, func(c *screentest.Console) {
		c.Press("e").Fill("List URL", "/v2")
		theirs := file + "-- profiles/third.toml --\nenvironment = \"test\"\nbase_url = \"https://third.example\"\nlist_url = \"https://third.example\"\n"
		w.write(t, theirs)
		c.Press("ctrl+s").Sees("changed by another program", "Nothing was written", "https://list.example/v2").Golden("meanwhile")
		if c.Fits(); w.as(t, "test").ListURL != "https://list.example" {
			t.Error("it was written over")
		}
		c.Press("ctrl+s").Sees("3 profiles", "third.example")
		if w.as(t, "test").ListURL != "https://list.example/v2" {
			t.Errorf("the profile is %+v", w.as(t, "test"))
		}
		w.write(t, strings.Replace(file, "shop.toml", "till.toml", 1))
		c.Press("up", "up", "x", "down", "enter").Sees("changed by another program", "till").WaitsUntilGone("third", "Delete the profile")
	})
}

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

// secret is what nobody may see.
const secret = "sk_test_CANARYcanary0042"

var profile = keystore.Profile{
	Name: "test", Environment: keystore.Test, BaseURL: "https://payments.example", ListURL: "https://list.example", Source: "keyring",
}.WithDefaults()

func parse(s string) keystore.Key {
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

// A world is a keyring and a service.
type world struct {
	*ring
	profile keystore.Profile
	says    error // what the service says to a key
	after   time.Duration
	tried   []string
	others  map[string]keystore.Store // the sources besides the keyring
	write   func(keystore.Profile) error
	written []keystore.Profile
	refused string // the end of a key to be replaced
	first   bool   // the profile is in no file yet
	without bool   // the host has no keyring
}

// store returns the source of a profile. Sources that the test does not set behave as on an
// empty host.
func (w *world) store(p keystore.Profile) keystore.Store {
	if s := w.others[p.Source]; s != nil {
		return s
	}
	if p.Source == "keyring" {
		return w.ring
	}
	return keystore.Sources(keystore.SourceOptions{Folder: "/nowhere"})(p)
}

func (w *world) options() keys.EntryOptions {
	if w.first {
		return keys.EntryOptions{Profile: w.profile, Store: w.store, Folder: "/home/staff/.config/paydesk", Verify: w.check, First: true, Served: true, NoKeyring: w.without}
	}
	return keys.EntryOptions{
		Profile: w.profile, Store: w.store, Folder: "/home/staff/.config/paydesk", Verify: w.check, Doctor: true,
		Replace: w.refused != "", Refused: w.refused,
		Write: func(p keystore.Profile) error {
			w.written = append(w.written, p)
			if w.write != nil {
				return w.write(p)
			}
			return nil
		},
	}
}

func (w *world) check(ctx context.Context, p keystore.Profile, k keystore.Key) error {
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

func open(t *testing.T, w *world, tell func(*screentest.Console)) { openIn(t, 80, 24, w, tell) }

func openIn(t *testing.T, width, height int, w *world, tell func(*screentest.Console)) {
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
	return nav.Connect{Profile: profile, Key: parse(secret), Source: source}
}

func TestAKeyIsEnteredVerifiedStoredAndUsed(t *testing.T) {
	w := &world{after: time.Second}
	open(t, w, func(c *screentest.Console) {
		c.Sees("has no key for this profile yet", "environment test", "https://payments.example").Golden("ask")
		c.Fits().HelpBarFits().Idle(time.Hour)
		c.Type(secret).Sees("••••••••")
		w.ring.after = time.Second
		c.Press("enter").Sees("Verifying the key")
		c.Fits().Wait(time.Second).Sees("Storing the key in the keyring").Golden("keeping")
		c.Fits().Wait(time.Second).Went(connected("keyring"))
		if len(w.told) != 1 || w.told[0] != secret || len(w.tried) != 1 {
			t.Errorf("kept %d times, tried %d times", len(w.told), len(w.tried))
		}
	})
}

func TestAMalformedKeyIsReportedAtTheFieldAndNotSent(t *testing.T) {
	w := &world{}
	open(t, w, func(c *screentest.Console) {
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
			w := &world{ring: newRing()}
			w.get, w.set = c.err, c.err
			open(t, w, func(s *screentest.Console) {
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
	w := &world{ring: newRing(), after: time.Hour}
	w.ring.after = time.Hour
	open(t, w, func(c *screentest.Console) {
		c.Press("esc").Sees("Waiting for the keyring was cancelled", "Type the key").Went()
		c.Press("esc").Went(nav.Back{})
	})
	w = &world{after: time.Hour}
	open(t, w, func(c *screentest.Console) {
		w.ring.after = time.Hour
		c.Type(secret).Press("enter").Sees("Verifying the key").Press("esc").Sees("▌ Secret key", "••••••••").Went()
		w.after = 0
		c.Press("enter").Sees("Storing the key").Press("esc").Sees("it may still store the key", "this run only").Went()
		c.Press("esc").Sees("▌ Secret key", "••••••••").Went()
		c.Press("esc").Went(nav.Back{})
	})
}

func TestARejectedKeyIsWipedSoThatTheNextPasteReplacesIt(t *testing.T) {
	for _, status := range []int{401, 403} {
		w := &world{says: &api.Refusal{Kind: api.KindService, HTTP: status, Text: api.Clean("Invalid key")}}
		open(t, w, func(c *screentest.Console) {
			c.Type(secret).Press("enter").Sees("! The service rejected the key.", "Invalid key", "Check the secret key", "! This key was rejected and is wiped; enter another").WaitsUntilGone("••••").Golden("refused")
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
	w := &world{ring: newRing(), profile: profile, says: &api.Failure{Kind: api.KindDNS}}
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
