package cli_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paydesk/keystore"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

func TestOptionsStandBeforeACommandOrBehindIt(t *testing.T) {
	h := clitest.New(t)
	h.Env = map[string]string{"PAYDESK_PROFILE": "nobody"}
	h.Run("key", "show").Is(command.Usage).Says("no profile of that name", "paydesk profile list lists them.")
	for _, args := range [][]string{
		{"--profile", "shop", "key", "show"}, {"key", "--profile=shop", "show"}, {"key", "show", "--profile", "shop"},
		{"--no-proxy", "key", "--profile=shop", "show"}, {"key", "--no-proxy", "show", "--profile=shop"},
		{"--config", h.ConfigFolder(), "--state-dir", h.StateDir(), "--profile=shop", "key", "show"},
	} {
		h.Run(args...).Is(command.Done).Prints("profile      shop, environment test\nsource       env\n", "key          …0042\n")
	}
}

func TestTheDoctorSaysTheSameAsJSON(t *testing.T) {
	h := clitest.New(t)
	var said output.Doctor
	if r := h.Run("doctor", "--json").Is(command.Done); json.Unmarshal([]byte(r.Out), &said) != nil {
		t.Fatal(r.Out)
	}
	text, accepted := h.Run("doctor").Is(command.Done), false
	for _, s := range said.Steps {
		text.Prints(s.Name, s.State)
		accepted = accepted || s.Name == "key accepted" && s.State == keystore.OK
	}
	if said.Profile != "shop" || said.Failed != 0 || !accepted {
		t.Errorf("%+v", said)
	}
	h = clitest.New(t, clitest.Options{Origin: clitest.Unreachable})
	if why := h.Run("doctor", "--json").Is(command.Failed).Says("reach base_url").Refusal(); why.What != "1 check failed: reach base_url." {
		t.Errorf("%+v", why)
	}
}

func TestAnOptionThatMeansNothingToACommandIsRefused(t *testing.T) {
	h := clitest.New(t)
	for _, args := range [][]string{{"--ascii", "key", "show"}, {"--background=light", "doctor"}, {"--high-contrast", "journal", "backup", "x"}} {
		h.Run(args...).Is(command.Usage).Says(" does not belong to paydesk ")
	}
	h.Run("demo", "--ascii").Is(command.NoTerminal)
	h.Run("--ascii", "demo", "--low-bandwidth").Is(command.NoTerminal)
	h.Run("--no-proxy", "demo").Is(command.NoTerminal)
	for _, args := range [][]string{{"--version"}, {"--version", "demo"}, {"demo", "--version"}, {"--no-proxy", "--version"}} {
		if r := h.Run(args...).Is(command.Done); r.Out != "paydesk test (commit not known)\n" || r.Err != "" {
			t.Errorf("%q: %q, %q", args, r.Out, r.Err)
		}
	}
}

// The doctor judges letters and connection as the console does.
func TestTheDoctorSaysWhatTheConsoleDrawsWith(t *testing.T) {
	h := clitest.New(t)
	for set, want := range map[string][]string{
		"LANG=": {"no locale is set", "the output is not a terminal", "no (a local terminal"}, "LC_ALL=C": {"LC_ALL is C, which is not UTF-8"},
		"TERM=linux": {"TERM is linux: the console draws with ASCII only"},
		"SSH_CONNECTION=192.0.2.7 1 192.0.2.8 22": {"yes, from 192.0.2.7", "You are connected over SSH", "copy the URL of the bank's page"},
	} {
		name, value, _ := strings.Cut(set, "=")
		h.Env = map[string]string{name: value}
		h.Run("doctor").Is(command.Done).Prints(want...)
	}
}

// keyHost is a host whose profile names a source of its key, with an empty keyring.
func keyHost(t *testing.T, source string) *clitest.Host {
	t.Helper()
	h := clitest.New(t)
	more := ""
	switch source {
	case "file":
		more = "key_file = \"" + filepath.ToSlash(filepath.Join(h.Home, "plain")) + "\"\n"
	case "command":
		more = "key_command = [\"pass\"]\n"
	}
	h.Configure("-- default --\nshop\n-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = \"" + h.Origin + "\"\nlist_url = \"" + h.Origin + "\"\nkey = \"" + source + "\"\n" + more)
	h.Keeps = map[string]keystore.Store{"keyring": keystore.NewMemory("keyring")}
	return h
}

// stored is the key in a host's keyring.
func stored(h *clitest.Host) string {
	k, _ := h.Keeps["keyring"].Get(h.T.Context(), "shop")
	return k.Expose()
}

func TestAKeyIsVerifiedStoredAndShownByItsLastFour(t *testing.T) {
	h := keyHost(t, "keyring")
	h.Run("key", "show").Is(command.Failed).Prints("none: ")
	none := h.Run("key", "show", "--json").Is(command.Failed).Says("No usable key was found") // the object is on stdout all the same
	if o, why := read[output.Key](none), none.Refusal(); o.Usable || o.Problem == "" || why.Code != "no-key" || why.Command != "paydesk key set" {
		t.Errorf("%+v, %s", o, none.Out)
	}
	h.RunWith(clitest.Key+"\n", "key", "set").Is(command.Done).Prints("…0042 of profile shop is stored in the keyring, for " + h.Origin + ".").Says("Verifying the key")
	if stored(h) != clitest.Key {
		t.Error("it is not in the keyring")
	}
	h.Run("key", "show").Is(command.Done).Prints("source       keyring\nsent to      " + h.Origin + "\nkey          …0042\n")
	r := h.Run("key", "show", "--json").Is(command.Done)
	if o := read[output.Key](r); r.Err != "" || !o.Usable || o.Profile != "shop" || o.Source != "keyring" || o.SentTo[0] != h.Origin || o.LastFour != "0042" {
		t.Errorf("%+v, %s", o, r.Err)
	}
	h.RunWith("sk_test_unchecked0099\n", "key", "set", "--unchecked").Is(command.Done).Lacks("Verifying the key")
	h.Run("key", "show").Prints("…0099")
	if h.Run("key", "delete").Is(command.Usage).Says("--yes"); stored(h) == "" {
		t.Error("it was removed without a question")
	}
	if h.Run("key", "delete", "--yes").Is(command.Done).Prints("keyring   the key was removed\nage       there was no key\n"); stored(h) != "" {
		t.Error("the key is there")
	}
}

func TestAKeyThatDoesNotFitTheProfileIsNotStored(t *testing.T) {
	for name, c := range map[string]struct{ piped, want string }{
		"refused":       {"sk_test_another0001", "HTTP 401"},
		"two lines":     {clitest.Key + "\n" + clitest.Key + "\n", "one line"},
		"a page":        {strings.Repeat("x", 5000), "larger than 4 KiB"},
		"a live key":    {clitest.LiveKey, "this is a live key"},
		"with a escape": {"sk_test_CANARY\x1b[31m", "without spaces"},
	} {
		h := keyHost(t, "keyring")
		if h.RunWith(c.piped, "key", "set").Is(command.Failed).Says(c.want); stored(h) != "" {
			t.Errorf("%s: it was stored", name)
		}
	}
}

func TestSourcesThatAreNotWrittenSayHowTheKeyGetsThere(t *testing.T) {
	for source, want := range map[string]string{"command": "That program", "file": "umask 077", "env": "PAYDESK_SECRET_KEY", "ask": "typed at each start"} {
		h := keyHost(t, source)
		h.RunWith(clitest.Key, "key", "set", "--unchecked").Is(command.Usage).Says(want)
		err := filepath.WalkDir(h.Home, func(path string, e os.DirEntry, err error) error {
			if err == nil && !e.IsDir() && filepath.Base(path) != "shop.toml" && filepath.Base(path) != "default" {
				t.Errorf("%s: %s was written", source, path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// elsewhere is a keyring whose key was given for another address.
type elsewhere struct{ keystore.Store }

func (elsewhere) Get(context.Context, string) (keystore.Key, error) {
	k, _ := keystore.ParseKey(clitest.Key)
	return keystore.ForAddress(k, []string{"https://payments.example"}, []string{"https://payments.example", "https://evil.example"}, nil)
}

func TestAKeyForAnotherAddressIsNamedAndNotUsed(t *testing.T) {
	h := keyHost(t, "keyring")
	h.Keeps["keyring"] = elsewhere{h.Keeps["keyring"]}
	h.Run("key", "show").Is(command.Failed).Lacks("0042").
		Prints("key          not used: the key was given for https://payments.example, and this profile would send it to https://evil.example\n")
	said := h.Run("doctor").Is(command.Failed).Out
	if !strings.Contains(strings.Join(strings.Fields(said), " "), "failed key source the key was given for https://payments.example, and this profile would send it to https://evil.example -> open the profile with paydesk") {
		t.Error(said)
	}
	h.RunWith(clitest.Key+"\n", "key", "set").Is(command.Done).Prints("is stored in the keyring, for " + h.Origin + ".")
}

func TestProfilesAreManagedWithoutAnEditor(t *testing.T) {
	h := clitest.New(t)
	must(t, os.RemoveAll(h.ConfigFolder()))
	h.Run("config", "check").Is(command.Usage).Says("There is no configuration")
	h.Run("profile", "list").Is(command.Done).Says("no profiles")
	h.Run("profile", "add", "Shop", "--base-url", "http://shop.example").Is(command.Usage).Says("NAME: must be", "--base-url: must be")
	h.Run("profile", "add", "shop", "--base-url", "https://payments.example").Is(command.Done).Says("paydesk key set --profile shop")
	h.Run("profile", "add", "shop", "--base-url", "https://payments.example").Is(command.Failed).Says("There is a profile shop already", "Choose another name")
	must(t, os.WriteFile(h.ConfigFolder()+"/profiles/faulty.toml", []byte("what = 1\n"), 0o600))
	for _, name := range []string{"shop", "faulty"} {
		h.Run("profile", "add", name, "--base-url", "https://payments.example").Is(command.Failed).Says("There is a profile " + name + " already")
	}
	must(t, os.Remove(h.ConfigFolder()+"/profiles/faulty.toml"))
	h.Run("profile", "add", "other", "--base-url", "https://payments.example", "--source", "ask").Is(command.Done)
	h.Run("profile", "add", "two", "--base-url", "https://payments.example", "--source-file", "/a", "--source-command", "b").Is(command.Usage).Says("choose one of --source-file and --source-command")
	h.Run("profile", "add", "filed", "--base-url", "https://payments.example", "--source-file", h.Home+"/none").Is(command.Usage).Says("--source-file: " + h.Home + "/none does not exist; put the key there first")
	h.Run("profile", "list").Is(command.Done).Prints("other\ttest\task\thttps://payments.example\t\nshop\ttest\tkeyring\thttps://payments.example\tdefault\n")
	h.Run("profile", "use", "other").Is(command.Done)
	must(t, os.Remove(h.ConfigFolder()+"/default"))
	h.Run("status", "R1").Is(command.Usage).Says("names no default profile", "make it the default: paydesk profile use NAME")
	h.Run("profile", "use", "other").Is(command.Done)
	h.Run("profile", "show").Is(command.Done).Prints("name\tother\n")
	h.Run("profile", "delete", "shop").Is(command.Usage).Says("--yes")
	h.Run("profile", "delete", "shop", "--yes").Is(command.Done).Says("Its key and its journal stay")
	h.Run("profile", "list", "--json").Is(command.Done).Prints(`"name":"other"`).Lacks(`"shop"`)
	h.Run("config", "check").Is(command.Done).Prints("OK, with 1 profile")
	h.Run("config", "path").Is(command.Done).Prints(h.ConfigFolder() + "\n")
}

func TestEverythingWrongWithAConfigurationIsReported(t *testing.T) {
	h := clitest.New(t)
	h.Configure("-- default --\nx\n-- profiles/shop.toml --\nenvironment = \"WRONGword\"\nbase_url = \"http://WRONG.example\"\n")
	h.Run("config", "check").Is(command.Usage).Says("environment", "base_url").Lacks("WRONG")
	h.Run("status", "REF1").Is(command.Usage).Says("environment").Lacks("WRONG")
	h.Configure("-- default --\ngone\n-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = \"https://payments.example\"\nlist_url = \"https://payments.example\"\n")
	h.Run("config", "check").Is(command.Usage).Says("names a default profile that is not there; it has: shop")
}
