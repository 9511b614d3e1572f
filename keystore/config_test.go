package keystore

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"paydesk/api/timely"
	"paydesk/keystore/keystoretest"
)

// load loads a configuration that [keystoretest.Write] writes. Its folder is left out of the error.
func load(t testing.TB, text string) (*Config, error) {
	t.Helper()
	folder := keystoretest.Write(t, t.TempDir(), text)
	c, err := Folder(folder).Load()
	if err != nil {
		err = errors.New(strings.ReplaceAll(filepath.ToSlash(err.Error()), filepath.ToSlash(folder)+"/", ""))
	}
	return c, err
}

var usual = Profile{
	Name: "test", Environment: Test, BaseURL: "https://payments.example", ListURL: "https://sandbox.example",
	Source: "keyring", KeyHeader: "X-Api",
	AuthenticatePath: "/api/payment/pay/get-auth-3ds?referenceId={reference}",
	StatusPath:       "/api/payment/transactions/{reference}", Journal: "on", Mirror: "200 MB", UnlockMinutes: 15, WebhookLimit: "50 MB",
}

const required = "environment = \"test\"\nbase_url = \"https://payments.example\"\nlist_url = \"https://sandbox.example\"\n"

func TestWhatIsOptionalHasItsDefault(t *testing.T) {
	for _, text := range []string{required, strings.ReplaceAll(required, "\n", "\r\n"), "# mine\n" + strings.ReplaceAll(required, "\"", "'")} {
		c, err := load(t, "-- default --\ntest\n-- profiles/test.toml --\n"+text)
		must(t, err)
		want := &Config{Path: c.Path, Default: "test", KeepDays: 90, TimeZone: "local", Profiles: map[string]Profile{"test": usual}}
		if d := cmp.Diff(want, c); d != "" {
			t.Error(d)
		}
	}
}

// everythingWrong has each kind of mistake at once.
const everythingWrong = `colour = "blue"
-- default --
Shop
-- profiles/Live.toml --
environment = "live"
-- profiles/test.toml --
environment = "prod"
base_url = "http://payments.example"
list_url = 12
key = "vault"
key_header = "X Api"
authenticate_path = "/api/{reference}/{reference}"
status_path = ""
send_reference = "yes"
retry.times = 3
-- profiles/shop.toml --
environment = "live"
list_url = "https://user:pw@sandbox.example"
`

func TestAllErrorsAreReportedAtOnceWithTheirLines(t *testing.T) {
	_, err := load(t, everythingWrong)
	if err == nil {
		t.Fatal("it was taken")
	}
	all := strings.Join(profileSettings(), ", ")
	want := `config.toml:1: expected one of journal.keep_days, journal.key_file, journal.password_command, journal.schema, journal.store, journal.url, time_zone, not colour
a file in profiles is not named as a profile: a name must be 1 to 32 lower-case letters, digits, - and _
profiles/shop.toml:1: base_url is missing; it must be a URL, such as https://payments.example
profiles/shop.toml:2: list_url must have no @: it is an address without a user or password
profiles/test.toml:1: environment must be "test" or "live"
profiles/test.toml:2: base_url must begin with https:// (http:// is for this machine only, such as http://127.0.0.1:8080)
profiles/test.toml:3: list_url must be a string in quotes
profiles/test.toml:4: key must be one of keyring, command, file, age, env, ask
profiles/test.toml:5: key_header must be the name of a header, such as X-Api
profiles/test.toml:6: authenticate_path must contain {reference} exactly once
profiles/test.toml:7: status_path must begin with one /
profiles/test.toml:8: send_reference must be true or false
profiles/test.toml:9: expected one of ` + all + `, not retry.times
default:1: expected the name of a profile`
	if d := cmp.Diff(want, err.Error()); d != "" {
		t.Error(d)
	}
}

// profileSettings returns the names of the settings of a profile.
func profileSettings() (names []string) {
	for _, s := range (&Profile{}).settings() {
		names = append(names, s.name)
	}
	slices.Sort(names)
	return names
}

func TestAWrongLineIsNamed(t *testing.T) {
	all := strings.Join(profileSettings(), ", ")
	const head = "-- profiles/test.toml --\n" + required // lines 1 to 4
	const store, address = "[journal]\nstore = \"postgres\"\n", "url = \"postgres://paydesk@db.example/payments\"\n"
	for _, c := range []struct{ text, want string }{
		{head + "\"\x7f\" = 1\n", "profiles/test.toml:4: expected TOML"},
		{head + "\"\\u001b[2J\" = 1\n", "profiles/test.toml:4: expected one of " + all + ", not this name"},
		{head + "key = \"command\"\n", "profiles/test.toml:1: key_command is missing; it must be a program"},
		{head + "key_command = [\"pass\\u0000\"]\n", "profiles/test.toml:4: key_command must be a list of strings"},
		{head + "key_command = [\"./pass\"]\n", "profiles/test.toml:4: key_command must begin with the name or absolute path of a program"},
		{head + "key_command = [\"pass\", \"\\u001b[2J\"]\n", "profiles/test.toml:4: key_command must contain only printable"},
		{head + "key_file = \"key\"\n", "profiles/test.toml:4: key_file must be an absolute path"},
		{head + "key_file = \"$CREDENTIALS_DIRECTORY/../key\"\n", "profiles/test.toml:4: key_file must be an absolute path"},
		{head + "key = \"age\"\nkey_file = \"$CREDENTIALS_DIRECTORY/x\"\n", "profiles/test.toml:5: key_file must be an absolute path for age"},
		{"-- profiles/live.toml --\n" + strings.Replace(required, `"test"`, `"live"`, 1) + "key = \"env\"\n", `profiles/live.toml:4: key must not be "env" for live payments`},
		{head + "mirror = \"200\"\n", `profiles/test.toml:4: mirror must be "off", or a size from "1 MB" to "99999 MB"`},
		{head + "unlock_minutes = 9223372036854775807\n", "profiles/test.toml:4: unlock_minutes must be a number of minutes from 1 to 480"},
		{head + "ca_file = \"ca.pem\"\n", "profiles/test.toml:4: ca_file must be an absolute path"},
		{head + "key_header = \"Host\"\n", "profiles/test.toml:4: key_header must not be a header that HTTP itself uses"},
		{head + "journal = \"no\"\n", `profiles/test.toml:4: journal must be "on" or "off"`},
		{"-- profiles/live.toml --\n" + strings.Replace(required, `"test"`, `"live"`, 1) + "journal = \"off\"\n", `profiles/live.toml:4: journal must be "on" for live payments`},
		{"[journal]\nkeep_days = 0\n" + head, "config.toml:2: journal.keep_days must be a number of days"},
		{"time_zone = \"Mars/Olympus\"\n" + head, `config.toml:1: time_zone must be "local", "UTC" or the name of a zone, such as "Europe/London"`},
		{head + "key_header = \"X-Api\"\nkey_header = \"X-Api\"\n", "profiles/test.toml:5: expected each name and each table only once"},
		{"default = \"test\"\n[profiles.test]\n" + required, "config.toml:1: expected one of "}, // the configuration in one file
		{"-- default --\n../x\n" + head, "default:1: expected the name of a profile"},

		{head + "webhook_listen = \"8425\"\n", "profiles/test.toml:4: webhook_listen must be an address and a port"},
		{head + "webhook_listen = \"127.0.0.1:0\"\n", "profiles/test.toml:4: webhook_listen must have a port from 1 to 65535"},
		{head + "webhook_listen = \"a..b:1\"\nwebhook_any_address = true\n", "profiles/test.toml:4: webhook_listen must be an address of this machine, such as"},
		{head + "webhook_listen = \"192.0.2.1:8425\"\n", "profiles/test.toml:4: webhook_listen must be an address of this machine only"},
		{head + "webhook_listen = \":8425\"\n", "profiles/test.toml:4: webhook_listen must be an address of this machine only"},
		{head + "webhook_listen = \"sk_test_a1b2c3d4e5\"\n", "profiles/test.toml:4: expected no secret key"},
		{head + "webhook_targets = \"https://a.example\"\n", "profiles/test.toml:4: webhook_targets must be a list of strings"},
		{head + "webhook_targets = [\"ftp://a.example\"]\n", "profiles/test.toml:4: webhook_targets must be a URL in ASCII"},
		{head + "webhook_targets = [\"https://u:p@a.example/\"]\n", "profiles/test.toml:4: webhook_targets must not contain a user"},
		{head + "webhook_targets = [" + strings.Repeat("\"http://a.example\", ", 17) + "]\n", "profiles/test.toml:4: webhook_targets must have at most 16"},
		{head + "webhook_limit = \"off\"\n", `profiles/test.toml:4: webhook_limit must be a size from "1 MB"`},

		{"[journal]\nstore = \"mysql\"\n", `config.toml:2: journal.store must be "sqlite" or "postgres"`},
		{"[journal]\n" + address, `config.toml:2: journal.url belongs to a team's journal: add store = "postgres", or remove it`},
		{"[journal]\npassword_command = [\"pass\"]\n", "config.toml:2: journal.password_command belongs to a team's journal"},
		{store + "url = \"postgres://ada:PASSWORD@db.example/x\"\n", "config.toml:3: journal.url must not contain a password: keep it in .pgpass, or name a program that prints it"},
		{store + "url = \"postgres://db.example/x?password=PASSWORD\"\n", "config.toml:3: journal.url must not contain a password"},
		{store + "url = \"postgres://db.example?sslmode=verify-full&%70assword=PASSWORD\"\n", "config.toml:3: journal.url must not contain a password"},
		{store + "url = \"host=db.example password=PASSWORD\"\n", "config.toml:3: journal.url must begin with postgres://"},
		{store + "url = \"postgres://db.example/a b\"\n", "config.toml:3: journal.url must be a valid URL in ASCII"},
		{store + address + "schema = \"a\\\"; drop\"\n", "config.toml:4: journal.schema must be 1 to 41 lower-case letters"},
		{store + address + "password_command = \"pass show x\"\n", "config.toml:4: journal.password_command must be a list of strings"},
	} {
		_, err := load(t, c.text)
		if err == nil {
			t.Errorf("%q was taken", c.text)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
		for line := range strings.SplitSeq(err.Error(), "\n") {
			if !strings.HasPrefix(line, c.want[:strings.Index(c.want, ":")+1]) {
				t.Errorf("%q: a line without its place: %s", c.text, line)
			}
		}
		if strings.ContainsAny(err.Error(), "\x1b\x7f") || strings.Contains(err.Error(), "PASSWORD") {
			t.Errorf("%q is quoted: %q", c.text, err)
		}
	}
}

func TestASecretKeyInTheFileIsRefusedAndNotQuoted(t *testing.T) {
	const head, profile = "-- profiles/test.toml --\n" + required, "profiles/test.toml:"
	for text, line := range map[string]string{
		head + "key = \"" + sample + "\"\n":                      profile + "4",
		head + "# " + sample + "\n":                              profile + "4",
		head + "key = \"\"\"\n" + sample + "\"\"\"\n":            profile + "5",
		head + "key = \"sk\\u005ftest_0123456789wxyz\"\n":        profile + "4",
		head + "\"sk\\u005ftest_0123456789wxyz\" = 1\n":          profile + "4",
		head + "key_command = [\"echo\", \"" + sample + "\"]\n":  profile + "4",
		"time_zone = \"SK_LIVE_0123456789wxyz\"\n" + head:        "config.toml:1",
		"-- default --\n" + sample + "\n" + head:                 "default:1",
		head + "-- profiles/" + sample + ".toml --\n" + required: "a file in profiles is not named as a profile",
	} {
		_, err := load(t, text)
		if err == nil || !strings.Contains(err.Error(), line+": ") {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if strings.Contains(err.Error(), "0123456789") {
			t.Errorf("quoted: %v", err)
		}
	}
	if _, err := load(t, strings.ReplaceAll("# task_management_note\n"+head, "test.toml", "sk_test.toml")); err != nil {
		t.Errorf("no key, but refused: %v", err)
	}
}

// What names a receiver is often all that it takes to post to it.
func TestATargetIsSharedWithoutItsPath(t *testing.T) {
	p := usual
	p.WebhookTargets = NewList("https://a.example/hooks/secret-path", "https://a.example/other?token=secret", "http://b.example:3000")
	got := strings.Join(p.Shareable(), "\n")
	if !strings.Contains(got, `webhook_targets = ["https://a.example/…", "http://b.example:3000/…"]`) || strings.Contains(got, "secret-path") {
		t.Error(got)
	}
	if d := cmp.Diff([]string{"https://a.example/hooks/secret-path", "https://a.example/other?token=secret", "http://b.example:3000"}, p.WebhookTargets.All()); d != "" {
		t.Error(d)
	}
}

// Whatever a file says, each error has a line, and what is taken is what is written back.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(required))
	f.Add([]byte("[a.b]\nb.c = {d = [1, {e = 'sk_0123456789'}]}"))
	f.Add([]byte("\xef\xbb\xbfkey = 'a'\n[[x]]"))
	f.Fuzz(func(t *testing.T, b []byte) {
		folder := Folder(keystoretest.Write(t, t.TempDir(), ""))
		path := folder.Profile("a")
		must(t, replaceFile(path, b, 0o600))
		c, err := folder.Load()
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				place, _, ok := strings.Cut(strings.TrimPrefix(line, path+":"), ": ")
				if !ok || !strings.HasPrefix(line, path+":") || strings.Trim(place, "0123456789") != "" || place == "0" {
					t.Errorf("no line: %q", line)
				}
			}
			return
		}
		p := c.Profiles["a"]
		if wrong := p.Check(); len(wrong) > 0 {
			t.Errorf("taken although %v", wrong)
		}
		must(t, folder.Edit(p))
		if after, err := folder.Load(); err != nil || after.Profiles["a"] != p {
			t.Errorf("written as %+v %v", after, err)
		}
	})
}

func TestAProfileIsChosenByNameOrByDefault(t *testing.T) {
	two := map[string]Profile{"a": {Name: "a"}, "b": {Name: "b"}}
	one := map[string]Profile{"a": {Name: "a"}}
	for _, c := range []struct {
		of                      map[string]Profile
		usual, name, want, says string
	}{
		{two, "b", "", "b", ""}, {two, "b", "a", "a", ""}, {two, "b", "c", "", "it has: a, b"}, {two, "", "", "", "choose one of: a, b"},
		{nil, "", "a", "", "paydesk profile add"}, {one, "", "", "a", ""}, {one, "c", "", "", "default profile that is not there; it has: a"},
	} {
		p, err := (&Config{Path: "f", Default: c.usual, Profiles: c.of}).Select(c.name)
		if p.Name != c.want || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %q, %v", c.name, p.Name, err)
		}
	}
}

var must = timely.Must

// theirs is a profile of another configuration with the name of ours, and another address.
func theirs(source string) Profile {
	p := usual
	p.Source, p.BaseURL = source, "https://evil.example"
	return p
}

func TestAKeyBelongsToTheAddressesItWasGivenFor(t *testing.T) {
	f := newFake()
	shared := newRing(f, present)
	of := func(p Profile) Store { return &addressedRing{shared, p.Origins()} }
	ours, other := of(usual), of(theirs("keyring"))
	if a, b := Sources(SourceOptions{})(usual), Sources(SourceOptions{})(usual); a.(*addressedRing).ring != b.(*addressedRing).ring {
		t.Error("the calls of one keyring do not wait for each other")
	}
	must(t, ours.Set(t.Context(), "test", mustKey(t, sample)))
	if want := sample + "\nfor https://payments.example https://sandbox.example"; f.keys["paydesk/test"] != want {
		t.Errorf("stored without its addresses")
	}
	if k, err := ours.Get(t.Context(), "test"); err != nil || k.Expose() != sample {
		t.Fatal(err)
	}
	k, err := other.Get(t.Context(), "test")
	var e *Elsewhere
	if !k.IsZero() || !errors.As(err, &e) || !errors.Is(err, ErrElsewhere) || strings.Contains(err.Error(), sample) ||
		err.Error() != "the key was given for https://payments.example and https://sandbox.example, and this profile would send it to https://evil.example" {
		t.Fatalf("another address: %v", err)
	}
	if _, err := ours.Get(t.Context(), "test"); err != nil { // the question changes nothing
		t.Error(err)
	}
	if k, err := e.Bind(t.Context()); err != nil || k.Expose() != sample {
		t.Error(err)
	}
	if _, err := other.Get(t.Context(), "test"); err != nil {
		t.Errorf("after a yes: %v", err)
	}
	if _, err := ours.Get(t.Context(), "test"); !errors.Is(err, ErrElsewhere) {
		t.Errorf("the former address is not forgotten: %v", err)
	}
}

func TestAKeyStoredWithoutAnAddressIsBoundByOneAnswer(t *testing.T) {
	f := newFake()
	s := &addressedRing{newRing(f, present), usual.Origins()}
	for _, held := range []string{sample, sample + "\n", sample + "\nfor \n"} {
		f.keys["paydesk/test"] = held
		_, err := s.Get(t.Context(), "test")
		var e *Elsewhere
		if !errors.As(err, &e) || len(e.For) != 0 || !strings.HasPrefix(err.Error(), "there is a key, but nothing says which address") {
			t.Fatalf("%q: %v", held, err)
		}
		if k, err := e.Bind(t.Context()); err != nil || k.Expose() != sample {
			t.Error(err)
		}
		if _, err := s.Get(t.Context(), "test"); err != nil {
			t.Error(err)
		}
	}
	f.deaf, f.keys["paydesk/test"] = true, sample
	_, err := s.Get(t.Context(), "test")
	var e *Elsewhere
	if errors.As(err, &e); e == nil {
		t.Fatal(err)
	}
	if k, err := e.Bind(t.Context()); !errors.Is(err, ErrUnchanged) || k.Expose() != sample {
		t.Errorf("a keyring that cannot be written: %v", err)
	}
	e.Wipe()
	if k, _ := e.Bind(t.Context()); !k.IsZero() {
		t.Error("after a no it still has the key")
	}
}

func TestASealedKeyBelongsToItsAddressesToo(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "paydesk")
	of := func(p Profile) *ageFile {
		s := Sources(SourceOptions{Folder: folder})(p).(*ageFile)
		s.factor = 4
		return s
	}
	p := usual
	p.Source = "age"
	ours, other := of(p), of(theirs("age"))
	must(t, ours.Seal(t.Context(), "test", mustKey(t, sample), []byte(passphrase)))
	if k, err := ours.Unlock(t.Context(), "test", []byte(passphrase)); err != nil || k.Expose() != sample {
		t.Fatal(err)
	}
	k, err := other.Unlock(t.Context(), "test", []byte(passphrase))
	var e *Elsewhere
	if !k.IsZero() || !errors.As(err, &e) || !slices.Equal(e.New(), []string{"https://evil.example"}) {
		t.Fatal(err)
	}
	if k, err := e.Bind(t.Context()); err != nil || k.Expose() != sample {
		t.Error(err)
	}
	if _, err := other.Unlock(t.Context(), "test", []byte(passphrase)); err != nil {
		t.Errorf("after a yes: %v", err)
	}
}

func TestTheBusIsLookedForBeforeAnyCall(t *testing.T) {
	const stale = "unix:path=/tmp/gone"
	for _, c := range []struct {
		name, address, runtimeDir string
		answering                 []string
		want                      string
	}{
		{"nothing", "", "", nil, ""},
		{"an escaped path", "unix:path=/tmp/a%20bus", "", []string{"/tmp/a bus"}, "unix:path=/tmp/a%20bus"},
		{"an abstract socket that is a file only", "unix:abstract=/tmp/dbus-x", "", []string{"/tmp/dbus-x"}, ""},
		{"stale, but a bus in the user's folder", stale, "", []string{"/run/user/7/bus"}, "unix:path=/run/user/7/bus"},
		{"autolaunch, but a bus in the runtime folder", "autolaunch:", "/run/x y", []string{"/run/x y/bus"}, "unix:path=/run/x%20y/bus"},
		{"disabled, although there is a bus", "disabled:", "/run/user/7", []string{"/run/user/7/bus"}, ""},
		{"the runtime folder", "", "/custom", []string{"/custom/bus", "/run/user/7/bus"}, "unix:path=/custom/bus"},
		{"another user's folder", "", "", []string{"/run/user/8/bus"}, ""},
		{"the second of two", "unixexec:path=/bin/bus;unix:path=/tmp/a", "", []string{"/tmp/a"}, "unix:path=/tmp/a"},
		{"a bad escape", "unix:path=/tmp/%zz", "", []string{"/tmp/%zz"}, ""},
	} {
		env := map[string]string{busVariable: c.address, "XDG_RUNTIME_DIR": c.runtimeDir}
		got := findBus(func(name string) string { return env[name] }, 7, func(socket string) bool {
			for _, s := range c.answering {
				if s == socket {
					return true
				}
			}
			return false
		})
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
