package keystore

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"paydesk/keystore/keystoretest"
)

const canary = "sk_test_CANARY0042"

const file = `-- default --
shop
-- profiles/shop.toml --
environment = "test"
base_url = "https://payments.example"
list_url = "https://sandbox.example"
%s`

// A store returns what a test sets.
type store struct {
	Store
	get func(context.Context) (Key, error)
}

func (s store) Get(ctx context.Context, _ string) (Key, error) { return s.get(ctx) }

// examination is of a host where everything works; more is added to the profile.
func examination(t *testing.T, more string) Examination {
	t.Helper()
	folder := t.TempDir()
	state := filepath.Join(folder, "state")
	config := keystoretest.Write(t, filepath.Join(folder, "paydesk"), strings.ReplaceAll(file, "%s", more))
	must(t, os.Mkdir(state, 0o700))
	return Examination{
		Config: config, StateDir: state,
		Store: func(p Profile) Store {
			return store{NewMemory(p.Source), func(context.Context) (Key, error) { return mustKey(t, canary), nil }}
		},
		Network: func(_ context.Context, p Profile, k Key) []Finding {
			return []Finding{{Name: "key accepted", State: OK, Message: "asked with the key " + k.LastFour()}}
		},
		inspect: func(context.Context) KeyringState {
			return KeyringState{NeedsBus: true, Address: "unix:path=/run/user/7/bus", HasService: true, Collection: "login"}
		},
	}
}

func step(t *testing.T, r Report, name string) Finding {
	t.Helper()
	for _, s := range r.Checks {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("there is no step %s in %+v", name, r.Checks)
	return Finding{}
}

func TestEachStepSaysWhatToDo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes mean nothing on Windows")
	}
	sight := func(change func(*KeyringState)) func(*Examination) {
		return func(e *Examination) {
			s := e.inspect(context.Background())
			change(&s)
			e.inspect = func(context.Context) KeyringState { return s }
		}
	}
	fails := func(err error) func(*Examination) {
		return func(e *Examination) {
			e.Store = func(p Profile) Store {
				return store{NewMemory(p.Source), func(context.Context) (Key, error) { return Key{}, err }}
			}
		}
	}
	for name, c := range map[string]struct {
		more string
		bend func(*Examination)
		want map[string]string // state, and pieces of the words
	}{
		"all is well": {"", func(*Examination) {}, map[string]string{
			"configuration": "ok: mode 700", "profile": "ok: shop, environment test", "journal folder": "ok: is writable", "keyring": "ok: login of the Secret Service is open",
			"key source": "ok: …0042", "key accepted": "ok: …0042",
		}},
		"no file": {"", func(e *Examination) { e.Config += "x" }, map[string]string{
			"configuration": "failed: has no configuration", "profile": "skipped", "key source": "skipped", "network": "skipped", "keyring": "ok",
		}},
		"a file that all may write": {"", func(e *Examination) { _ = os.Chmod(filepath.Join(e.Config, "profiles", "shop.toml"), 0o666) }, map[string]string{"configuration": "failed: chmod go-w"}},
		"a journal yet to be made":  {"", func(e *Examination) { e.StateDir += "/a/b" }, map[string]string{"journal folder": "ok: does not exist yet"}},
		"no bus": {"", sight(func(s *KeyringState) { *s = KeyringState{NeedsBus: true} }), map[string]string{
			"keyring": `failed: DBUS_SESSION_BUS_ADDRESS is not set|key = "file"`,
		}},
		"a dead bus": {"", sight(func(s *KeyringState) {
			*s = KeyringState{NeedsBus: true, EnvAddress: "unix:path=/gone"}
		}), map[string]string{"keyring": "failed: nothing answers at unix:path=/gone"}},
		"a bus without a service": {"", sight(func(s *KeyringState) { s.HasService = false }), map[string]string{"keyring": "failed: gnome-keyring"}},
		"locked": {"", sight(func(s *KeyringState) { s.Locked = true }), map[string]string{
			"keyring": "warning: unlock it", "key source": "failed: would show a prompt", "key accepted": "ok",
		}},
		"no key":    {"", fails(ErrNotFound), map[string]string{"key source": "failed: paydesk key set --profile shop"}},
		"sealed":    {"key = \"age\"\n", fails(&Problem{Kind: ErrPassphrase, Message: "sealed in x", Hint: "enter"}), map[string]string{"key source": "skipped: at a terminal"}},
		"a problem": {"key = \"file\"\nkey_file = \"/x\"\n", fails(&Problem{Kind: ErrUnsafe, Message: "others can read /x", Hint: "chmod 600 /x"}), map[string]string{"key source": "failed: others can read /x / chmod 600 /x"}},
		"a hostile locale": {"", func(e *Examination) {
			e.Terminal = func() []Finding { return []Finding{{"letters", Warning, "LANG is \x1b]0;x\a", "set it"}} }
		}, map[string]string{"letters": "warning: ^[]0"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := examination(t, c.more)
			c.bend(&e)
			r := e.Run(t.Context())
			for name, want := range c.want {
				s := step(t, r, name)
				state, words, _ := strings.Cut(want, ": ")
				all := s.Message + " / " + s.Fix
				for piece := range strings.SplitSeq(words, "|") {
					if s.State != state || !strings.Contains(all, piece) {
						t.Errorf("%s: %s, %s\nwant %s, %s", name, s.State, all, state, piece)
					}
				}
			}
			for _, s := range r.Checks {
				if (s.State == Failed || s.State == Warning) && s.Fix == "" {
					t.Errorf("%s does not say what to do: %s", s.Name, s.Message)
				}
				if strings.ContainsRune(s.Message+s.Fix, '\x1b') {
					t.Errorf("%s drives the terminal", s.Name)
				}
			}
		})
	}
}

// People copy a path from the report: it stays in one piece, however narrow the terminal is.
func TestAReportKeepsAPathInOnePiece(t *testing.T) {
	const path = "/home/ada/.config/paydesk-of-the-shop/profiles"
	r, text := Report{Checks: []Finding{{Name: "configuration", State: OK, Message: "the files are in " + path + " alone", Fix: "chmod 600 " + path}}}, &bytes.Buffer{}
	if err := r.WriteText(text, 60); err != nil || strings.Count(text.String(), path) != 2 {
		t.Errorf("%v:\n%s", err, text)
	}
}

// Even words that hold the key show it nowhere.
func TestTheKeyIsInNoReport(t *testing.T) {
	e := examination(t, "")
	e.Network = func(_ context.Context, _ Profile, k Key) []Finding {
		return []Finding{{Name: canary, State: Failed, Message: "it said " + k.Expose(), Fix: k.Expose()}}
	}
	r := e.Run(t.Context())
	var text bytes.Buffer
	must(t, r.WriteText(&text, 80))
	for _, b := range []string{text.String(), fmt.Sprint(r.Checks)} {
		if strings.Contains(b, canary) || !strings.Contains(b, "it said [key]") {
			t.Error(b)
		}
	}
}
