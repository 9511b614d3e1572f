package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

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
	h.RunWith(clitest.Key+"\n", "key", "set").Is(command.Done).Prints("…0042 of profile shop is stored in the keyring, for " + h.Origin + ".").Says("Verifying the key")
	if stored(h) != clitest.Key {
		t.Error("it is not in the keyring")
	}
	h.Run("key", "show").Is(command.Done).Prints("source       keyring\nsent to      " + h.Origin + "\nkey          …0042\nlast worked  " + time.Now().UTC().Format("2006-01-02"))
	// A different key is not taken for the one that worked.
	h.RunWith("sk_test_unchecked0099\n", "key", "set", "--unchecked").Is(command.Done).Lacks("Verifying the key")
	h.Run("key", "show").Prints("…0099", "not recorded")
	if h.Run("key", "delete").Is(command.Usage).Says("--yes"); stored(h) == "" {
		t.Error("it was removed without a question")
	}
	if h.Run("key", "delete", "--yes").Is(command.Done).Prints("keyring   the key was removed\nage       there was no key\n"); stored(h) != "" {
		t.Error("the key is there")
	}
	if b, err := os.ReadFile(filepath.Join(h.StateDir(), "keys.json")); string(b) != "{}\n" {
		t.Errorf("the note outlived the key: %s %v", b, err)
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
