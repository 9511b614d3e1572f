package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/keystore/doctor"
	"paydesk/keystore/keystoretest"
)

const canary = "sk_test_CANARY0042"

const file = `-- default --
shop
-- profiles/shop.toml --
environment = "test"
base_url = "https://payments.example"
list_url = "https://sandbox.example"
key = "SOURCE"
`

// A fixture runs commands without a terminal: standard input is a file.
type fixture struct {
	Keys
	t          *testing.T
	complaints bytes.Buffer
	stores     map[string]keystore.Store
	tried      int
}

func newFixture(t *testing.T, source string) *fixture {
	t.Helper()
	folder := t.TempDir()
	if source == "file" {
		source = "file\"\nkey_file = \"" + filepath.ToSlash(filepath.Join(folder, "plain"))
	}
	if source == "command" {
		source = "command\"\nkey_command = [\"pass\"]\n#\""
	}
	config := keystoretest.Write(t, filepath.Join(folder, "paydesk"), strings.ReplaceAll(file, "SOURCE", source))
	d := &fixture{t: t, stores: map[string]keystore.Store{"keyring": keystore.NewMemory("keyring")}}
	d.Keys = Keys{
		Stderr: &d.complaints, Config: config, State: filepath.Join(folder, "state"),
		Clean: func(s string) string { return strings.ReplaceAll(s, "\x1b", "^[") },
		Store: func(p keystore.Profile) keystore.Store {
			if s := d.stores[p.Source]; s != nil {
				return s
			}
			return keystore.Sources(keystore.SourceOptions{Folder: config})(p)
		},
		Verify: func(_ context.Context, _ keystore.Profile, k keystore.Key) error {
			d.tried++
			if k.Expose() != canary {
				return errors.New("The service said no with HTTP 401.")
			}
			return nil
		},
		Network: func(_ context.Context, _ keystore.Profile, k keystore.Key) []doctor.Check {
			return []doctor.Check{{Name: keyAccepted, State: doctor.OK, Message: "yes"}}
		},
	}
	return d
}

// run runs a command with piped input and returns its output and exit code.
func (d *fixture) run(piped string, args ...string) (said string, status int) {
	d.t.Helper()
	d.complaints.Reset()
	in, out := filepath.Join(d.t.TempDir(), "in"), filepath.Join(d.t.TempDir(), "out")
	if err := os.WriteFile(in, []byte(piped), 0o600); err != nil {
		d.t.Fatal(err)
	}
	var err error
	d.In, err = os.Open(in)
	w, err2 := os.Create(out)
	if err := errors.Join(err, err2); err != nil {
		d.t.Fatal(err)
	}
	d.Out = w
	status = d.do(args)
	d.In.Close()
	w.Close()
	b, err := os.ReadFile(out)
	if err != nil {
		d.t.Fatal(err)
	}
	said = string(b) + d.complaints.String()
	if strings.Contains(said, "CANARY") || strings.Contains(said, "\x1b") {
		d.t.Errorf("%v says the key: %s", args, said)
	}
	return said, status
}

// do calls a command and returns the exit code, as the command line does.
func (d *fixture) do(args []string) int {
	d.t.Helper()
	config, err := keystore.Folder(d.Config).Load()
	if err != nil {
		d.t.Fatal(err)
	}
	p, err := config.Select("")
	if err != nil {
		d.t.Fatal(err)
	}
	switch has := func(o string) bool { return slices.Contains(args, o) }; args[0] {
	case "set":
		err = d.Set(d.t.Context(), p, KeyOptions{Unchecked: has("--unchecked"), Age: has("--age")})
	case "show":
		err = d.Show(d.t.Context(), p)
	case "delete":
		err = d.Delete(d.t.Context(), p, has("--yes"))
	case "doctor":
		r := d.Doctor(d.t.Context(), "")
		err = r.WriteText(d.Out, 100)
		if r.Count(doctor.Failed) > 0 {
			err = ErrReported
		}
	default:
		d.t.Fatal(args)
	}
	switch {
	case err == nil:
		return 0
	case errors.As(err, &UsageError{}):
		d.printErr(err.Error())
		return 2
	case !errors.Is(err, ErrReported):
		d.printErr(err.Error())
	}
	return 1
}

func (d *fixture) storedKey() string {
	k, _ := d.stores["keyring"].Get(d.t.Context(), "shop")
	return k.Expose()
}

func TestAKeyIsVerifiedStoredAndShownByItsLastFour(t *testing.T) {
	d := newFixture(t, "keyring")
	if said, status := d.run("", "show"); status != 1 || !strings.Contains(said, "none: ") {
		t.Errorf("%d: %s", status, said)
	}
	if said, status := d.run(canary+"\n", "set"); status != 0 || d.storedKey() != canary || d.tried != 1 || !strings.Contains(said, "…0042 of profile shop is stored in the keyring") {
		t.Errorf("%d: %s", status, said)
	}
	said, status := d.run("", "show")
	if status != 0 || !strings.Contains(said, "source       keyring\nsent to      https://payments.example and https://sandbox.example\nkey          …0042\nlast worked  "+time.Now().UTC().Format("2006-01-02")) {
		t.Errorf("%d: %s", status, said)
	}
	// A different key is not taken for the one that worked.
	if _, status := d.run("sk_test_unchecked0099\n", "set", "--unchecked"); status != 0 || d.tried != 1 {
		t.Errorf("%d after %d trials", status, d.tried)
	}
	if said, _ := d.run("", "show"); !strings.Contains(said, "…0099") || !strings.Contains(said, "not recorded") {
		t.Error(said)
	}
	if said, status := d.run("", "delete"); status != 2 || !strings.Contains(said, "--yes") || d.storedKey() == "" {
		t.Errorf("%d: %s", status, said)
	}
	if said, status := d.run("", "delete", "--yes"); status != 0 || d.storedKey() != "" || !strings.Contains(said, "keyring   the key was removed\nage       there was no key\n") {
		t.Errorf("%d: %s", status, said)
	}
	if len(d.lastWorked()) != 0 {
		t.Error("the note outlived the key")
	}
}

func TestAKeyThatDoesNotFitTheProfileIsNotStored(t *testing.T) {
	for name, c := range map[string]struct{ piped, want string }{
		"refused":       {"sk_test_another0001", "HTTP 401"},
		"nothing":       {"", "at least 8"},
		"two lines":     {canary + "\n" + canary + "\n", "one line"},
		"a page":        {strings.Repeat("x", 5000), "larger than 4 KiB"},
		"a live key":    {"sk_live_CANARY0042", "this is a live key"},
		"a public key":  {"pk_test_CANARY0042", "public key"},
		"with a blank":  {"sk_test CANARY0042", "without spaces"},
		"with a escape": {"sk_test_CANARY\x1b[31m", "without spaces"},
	} {
		d := newFixture(t, "keyring")
		if said, status := d.run(c.piped, "set"); status != 1 || d.storedKey() != "" || !strings.Contains(said, c.want) {
			t.Errorf("%s: %d: %s", name, status, said)
		}
	}
}

func TestSourcesThatAreNotWrittenSayHowTheKeyGetsThere(t *testing.T) {
	for source, want := range map[string]string{"command": "That program", "file": "umask 077", "env": "PAYDESK_SECRET_KEY", "ask": "typed at each start"} {
		d := newFixture(t, source)
		said, status := d.run(canary, "set", "--unchecked")
		if status != 2 || !strings.Contains(said, want) || d.tried != 0 {
			t.Errorf("%s: %d: %s", source, status, said)
		}
		err := filepath.WalkDir(filepath.Dir(d.Config), func(path string, e os.DirEntry, err error) error {
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

func TestAFailingKeyringIsReportedAndTheKeyGoesNowhereElse(t *testing.T) {
	d := newFixture(t, "keyring")
	d.stores["keyring"] = broken{}
	said, status := d.run(canary, "set")
	if status != 1 || !strings.Contains(said, "no keyring") || !strings.Contains(said, "paydesk doctor") {
		t.Errorf("%d: %s", status, said)
	}
	if said, status := d.run("", "delete", "--yes"); status != 1 || !strings.Contains(said, "keyring   not removed: ") || !strings.Contains(said, "age       there was no key") {
		t.Errorf("%d: %s", status, said)
	}
}

type broken struct{}

func (broken) Name() string { return "keyring" }
func (broken) Get(context.Context, string) (keystore.Key, error) {
	return keystore.Key{}, keystore.ErrNoKeyring
}
func (broken) Set(context.Context, string, keystore.Key) error { return keystore.ErrNoKeyring }
func (broken) Delete(context.Context, string) error            { return keystore.ErrNoKeyring }

func TestTheDoctorNotesAKeyThatWorks(t *testing.T) {
	d := newFixture(t, "keyring")
	d.run(canary, "set", "--unchecked")
	if said, _ := d.run("", "show"); !strings.Contains(said, "not recorded") {
		t.Error(said)
	}
	if said, status := d.run("", "doctor"); !strings.Contains(said, keyAccepted+"  ") {
		t.Errorf("%d: %s", status, said)
	}
	if said, _ := d.run("", "show"); strings.Contains(said, "not recorded") {
		t.Error(said)
	}
	note := filepath.Join(d.State, workedFile)
	about, err := os.Stat(note)
	if err != nil || about.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v", about, err)
	}
	b, err := os.ReadFile(note)
	if err != nil || strings.Contains(string(b), "CANARY") {
		t.Errorf("%v: %s", err, b)
	}
}

func TestAnUnreadableRecordCountsAsNone(t *testing.T) {
	for _, text := range []string{"", "null", "[]", "{", `{"shop":{"lastFour":"…0042"}}`, `{"shop":{"lastFour":"","time":"2026-01-02T03:04:05Z"}}`} {
		d := newFixture(t, "keyring")
		d.run(canary, "set", "--unchecked")
		if err := errors.Join(os.MkdirAll(d.State, 0o700), os.WriteFile(filepath.Join(d.State, workedFile), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		if said, status := d.run("", "show"); status != 0 || !strings.Contains(said, "not recorded") {
			t.Errorf("%s: %s", text, said)
		}
		d.run(canary, "set")
		if said, _ := d.run("", "show"); strings.Contains(said, "not recorded") {
			t.Errorf("%s: %s", text, said)
		}
	}
}

func TestAPassphraseNeedsATerminal(t *testing.T) {
	d := newFixture(t, "age")
	if said, status := d.run(canary, "set"); status != 1 || !strings.Contains(said, "at a terminal") {
		t.Errorf("%d: %s", status, said)
	}
	d = newFixture(t, "keyring")
	if said, status := d.run(canary, "set", "--age"); status != 1 || d.storedKey() != "" || !strings.Contains(said, "at a terminal") {
		t.Errorf("%d: %s", status, said)
	}
}

func TestInputThatFailsOrIsNotWaitedForIsReported(t *testing.T) {
	ended, stop := context.WithCancelCause(t.Context())
	stop(errors.New("stopped"))
	waiting, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	closed, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for want, c := range map[string]struct {
		ctx context.Context
		in  *os.File
	}{"the input could not be read": {t.Context(), closed}, "stopped": {ended, waiting}} {
		if _, err := (Keys{In: c.in}).readPiped(c.ctx); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// elsewhere is a keyring whose key was given for another address.
type elsewhere struct{ keystore.Store }

func (elsewhere) Get(context.Context, string) (keystore.Key, error) {
	k, _ := keystore.ParseKey(canary)
	return keystore.ForAddress(k, []string{"https://payments.example"}, []string{"https://payments.example", "https://evil.example"}, nil)
}

func TestAKeyForAnotherAddressIsNamedAndNotUsed(t *testing.T) {
	d := newFixture(t, "keyring")
	d.stores["keyring"] = elsewhere{d.stores["keyring"]}
	said, status := d.run("", "show")
	if status != 1 || !strings.Contains(said, "key          not used: the key was given for https://payments.example, and this profile would send it to https://evil.example\n") || strings.Contains(said, "0042") {
		t.Errorf("%d: %s", status, said)
	}
	said, status = d.run("", "doctor")
	if status != 1 || !strings.Contains(strings.Join(strings.Fields(said), " "), "failed key source the key was given for https://payments.example, and this profile would send it to https://evil.example -> open the profile with paydesk") {
		t.Errorf("%d: %s", status, said)
	}
	said, status = d.run(canary+"\n", "set")
	if status != 0 || !strings.Contains(said, "is stored in the keyring, for https://payments.example and https://sandbox.example.") {
		t.Errorf("%d: %s", status, said)
	}
}
