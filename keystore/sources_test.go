//go:build !windows

package keystore

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
)

// private returns a folder that no other user can write.
func private(t testing.TB) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "private")
	must(t, os.Mkdir(folder, 0o700))
	return folder
}

// sealText encrypts text with the test passphrase at a low work factor.
func sealText(t testing.TB, text string) []byte {
	t.Helper()
	r, err := age.NewScryptRecipient(passphrase)
	must(t, err)
	r.SetWorkFactor(2)
	var b bytes.Buffer
	w, err := age.Encrypt(&b, r)
	must(t, err)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	must(t, w.Close())
	return b.Bytes()
}

// A condition is a state of the file that holds the key.
type condition struct {
	name  string
	text  string
	alter func(path string) error // of the file that has it
}

var conditions = []condition{
	{"ok", sample + "\n", nil},
	{"missing", "", os.Remove},
	{"mode 0644", sample + "\n", func(path string) error { return os.Chmod(path, 0o644) }},
	{"owner", sample + "\n", func(path string) error { return os.Chown(path, 65534, 65534) }},
	{"symlink", sample + "\n", func(path string) error {
		return errors.Join(os.Rename(path, path+".real"), os.Symlink(path+".real", path))
	}},
	{"directory", "", func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }},
	{"empty", "", nil},
	{"two lines", sample + "\n" + sample + "\n", nil},
	{"1 MiB", strings.Repeat("k", 1<<20), nil},
}

// outcomes are the errors of each source under each condition; nil means that it returns the
// key. A source without a file has no modes, owners or links, so those conditions do not
// affect it. A command reads its files itself; the first line of its output counts.
var outcomes = map[string][]error{
	"keyring": {nil, ErrNotFound, nil, nil, nil, nil, ErrNotAKey, ErrNotAKey, ErrNotAKey},
	"command": {nil, ErrFailed, nil, nil, nil, ErrFailed, ErrEmpty, nil, ErrNotAKey},
	"file":    {nil, ErrNotFound, ErrUnsafe, ErrUnsafe, ErrUnsafe, ErrUnsafe, ErrEmpty, ErrNotAKey, ErrNotAKey},
	"age":     {nil, ErrNotFound, ErrUnsafe, ErrUnsafe, ErrUnsafe, ErrUnsafe, ErrEmpty, ErrNotAKey, ErrNotAKey},
	"env":     {nil, ErrNotFound, nil, nil, nil, nil, ErrNotFound, ErrNotAKey, ErrNotAKey},
	"ask":     {nil, ErrAsk, nil, nil, nil, nil, ErrAsk, ErrAsk, ErrAsk},
}

// storeIn returns a store whose key is in the given condition.
func storeIn(t *testing.T, source string, c condition) Store {
	path := filepath.Join(private(t), "key")
	held := []byte(c.text)
	if source == "age" && len(held) > 0 && len(held) < maxFile {
		held = sealText(t, c.text)
	}
	must(t, os.WriteFile(path, held, 0o600))
	if c.alter != nil {
		must(t, c.alter(path))
	}
	var o SourceOptions
	p := Profile{Name: "test", Environment: Test, Source: source, KeyFile: path, KeyCommand: NewList("cat", path)}
	text := c.text
	if text == "" && c.name == "directory" {
		text = sample // a folder does no harm there
	}
	switch source {
	case "keyring":
		f := newFake()
		if c.name != "missing" {
			f.keys["paydesk/test"] = text
		}
		return f.ring()
	case "env":
		t.Setenv(Variable, text)
		o.Env, o.EnvErr = FromEnv()
	}
	s := Sources(o)(p)
	if k, err := ParseKey(text); source == "ask" && err == nil {
		must(t, s.Set(t.Context(), p.Name, k))
	}
	return s
}

func TestEachSourceInEachConditionDoesWhatIsSaid(t *testing.T) {
	for _, source := range SourceNames() {
		for i, c := range conditions {
			t.Run(source+" "+c.name, func(t *testing.T) {
				if c.name == "owner" && os.Getuid() != 0 {
					t.Skip("only root can give a file away")
				}
				s := storeIn(t, source, c)
				k, err := s.Get(t.Context(), "test")
				if locked, ok := s.(Sealed); ok && errors.Is(err, ErrPassphrase) {
					k, err = locked.Unlock(t.Context(), "test", []byte(passphrase))
				}
				want := outcomes[source][i]
				if want == nil && (err != nil || k.Expose() != sample) || want != nil && (!errors.Is(err, want) || !k.IsZero()) {
					t.Fatalf("want %v: %v", want, err)
				}
				if err != nil && (strings.Contains(err.Error(), sample) || strings.Contains(err.Error(), "kkkkkkkk") || strings.ContainsAny(err.Error(), "\n\x1b")) {
					t.Errorf("the error tells too much: %v", err)
				}
				if p, is := errors.AsType[*Problem](err); is && source != "age" && p.Hint == "" {
					t.Errorf("the error does not say what to do: %v", err)
				}
			})
		}
	}
}

func TestALiveKeyComesFromTheEnvironmentOnlyWhenTheProfileSaysSo(t *testing.T) {
	t.Setenv(Variable, sample)
	k, err := FromEnv()
	of := Sources(SourceOptions{Env: k, EnvErr: err})
	for _, c := range []struct {
		p    Profile
		want error
	}{
		{Profile{Environment: Test, Source: "env"}, nil},
		{Profile{Environment: Live, Source: "env"}, ErrRefused},
		{Profile{Environment: Live, Source: "env", AllowEnvKey: true}, nil},
	} {
		got, err := of(c.p).Get(t.Context(), "x")
		if !errors.Is(err, c.want) || (c.want == nil) != (got.Expose() == sample) {
			t.Errorf("%s, allowed %v: %v", c.p.Environment, c.p.AllowEnvKey, err)
		}
	}
}

func TestWhatPaydeskCannotStoreIsReportedAndNotWritten(t *testing.T) {
	folder := private(t)
	of := Sources(SourceOptions{Folder: folder})
	for _, p := range []Profile{
		{Name: "a", Source: "command", KeyCommand: NewList("cat", filepath.Join(folder, "none"))},
		{Name: "a", Source: "env"},
		{Name: "a", Source: "file", KeyFile: "$CREDENTIALS_DIRECTORY/key"},
	} {
		for _, err := range []error{of(p).Set(t.Context(), "a", mustKey(t, sample)), of(p).Delete(t.Context(), "a")} {
			if !errors.Is(err, ErrReadOnly) {
				t.Errorf("%s: %v", p.Source, err)
			}
		}
	}
	if err := of(Profile{Name: "a", Source: "age"}).Set(t.Context(), "a", mustKey(t, sample)); !errors.Is(err, ErrPassphrase) {
		t.Errorf("age without a passphrase: %v", err)
	}
	plain := Profile{Name: "a", Source: "file", KeyFile: filepath.Join(folder, "key")}
	if err := of(plain).Set(t.Context(), "a", mustKey(t, sample)); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a readable file: %v", err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("written: %v", left)
	}
}

func TestAKeyInAFolderWhereOthersWriteIsRejected(t *testing.T) {
	folder := private(t)
	path := filepath.Join(folder, "a key")
	must(t, os.WriteFile(path, []byte(sample), 0o600))
	s := Sources(SourceOptions{})(Profile{Name: "a", Source: "file", KeyFile: path})
	for mode, want := range map[os.FileMode]error{0o700: nil, 0o755: nil, 0o770: ErrUnsafe, 0o702: ErrUnsafe, os.ModeSticky | 0o777: ErrUnsafe} {
		must(t, os.Chmod(folder, mode))
		_, err := s.Get(t.Context(), "a")
		if !errors.Is(err, want) {
			t.Errorf("%v: %v", mode, err)
		}
		var p *Problem
		if want != nil && (!errors.As(err, &p) || p.Hint != "run: chmod go-w "+folder) {
			t.Errorf("%v: no way out: %v", mode, err)
		}
	}
	must(t, errors.Join(os.Chmod(folder, 0o700), os.Chmod(filepath.Dir(folder), 0o777)))
	if _, err := s.Get(t.Context(), "a"); !errors.Is(err, ErrUnsafe) || !strings.Contains(err.Error(), "others can change "+filepath.Dir(folder)) {
		t.Errorf("below such a folder: %v", err)
	}
	must(t, errors.Join(os.Chmod(filepath.Dir(folder), 0o700), os.Chmod(path, 0o644)))
	if err := s.Delete(t.Context(), "a"); !errors.Is(err, ErrUnsafe) {
		t.Errorf("removed an open file: %v", err)
	}
}

func TestSystemdsCredentialsMayBelongToRoot(t *testing.T) {
	folder := private(t)
	path := filepath.Join(folder, "paydesk")
	must(t, os.WriteFile(path, []byte(sample+"\n"), 0o400))
	p := Profile{Name: "a", Source: "file", KeyFile: "$CREDENTIALS_DIRECTORY/paydesk"}
	t.Setenv("CREDENTIALS_DIRECTORY", folder)
	s := Sources(SourceOptions{})(p)
	for mode, want := range map[os.FileMode]error{0o400: nil, 0o440: nil, 0o600: nil, 0o444: ErrUnsafe, 0o460: ErrUnsafe} {
		must(t, os.Chmod(path, mode))
		if k, err := s.Get(t.Context(), "a"); !errors.Is(err, want) || want == nil && k.Expose() != sample {
			t.Errorf("%v: %v", mode, err)
		}
	}
	for _, credentials := range []string{"", "run", "/run/\x1b[2J"} {
		t.Setenv("CREDENTIALS_DIRECTORY", credentials)
		_, err := s.Get(t.Context(), "a")
		if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "LoadCredential=paydesk:PATH") || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", credentials, err)
		}
	}
}

func TestAWipedKeyIsGoneFromAllItsCopies(t *testing.T) {
	k := mustKey(t, sample)
	same := k
	same.Wipe()
	if k.Expose() != "" || !k.IsZero() || k.LastFour() != "" {
		t.Error("a copy still has it")
	}
	(Key{}).Wipe()
	b := []byte(sample)
	if k, err := readKey(b); err != nil || k.Expose() != sample || strings.Trim(string(b), "\x00") != "" {
		t.Error("what the key was read from is not wiped")
	}
}

func TestAPassphraseFileOpensForItsPassphraseAlone(t *testing.T) {
	folder := filepath.Join(private(t), "paydesk")
	p := Profile{Name: "shop", Source: "age"}
	s := Sources(SourceOptions{Folder: folder})(p).(*ageFile)
	s.factor = 4 // the work of a real one is for people
	if _, err := s.Get(t.Context(), "shop"); !errors.Is(err, ErrNotFound) {
		t.Errorf("before: %v", err)
	}
	for _, key := range []string{"sk_test_the_former_one", sample} {
		given := []byte(passphrase)
		must(t, s.Seal(t.Context(), "shop", mustKey(t, key), given))
		if strings.Trim(string(given), "\x00") != "" {
			t.Error("the passphrase was not wiped")
		}
	}
	path := filepath.Join(folder, "shop.age")
	b, err := os.ReadFile(path)
	if err != nil || bytes.Contains(b, []byte(sample)) {
		t.Fatalf("plain: %v", err)
	}
	if about, _ := os.Stat(path); about.Mode() != 0o600 {
		t.Errorf("mode %v", about.Mode())
	}
	if _, err := s.Get(t.Context(), "shop"); !errors.Is(err, ErrPassphrase) {
		t.Errorf("without the passphrase: %v", err)
	}
	for given, want := range map[string]error{passphrase: nil, "": ErrWrongPassphrase, passphrase + " ": ErrWrongPassphrase} {
		typed := []byte(given)
		k, err := s.Unlock(t.Context(), "shop", typed)
		if !errors.Is(err, want) || want == nil && k.Expose() != sample || want != nil && errors.Is(err, ErrNotAKey) {
			t.Errorf("%d characters: %v", len(given), err)
		}
		if strings.Trim(string(typed), "\x00") != "" {
			t.Error("the passphrase was not wiped")
		}
	}
	if err := s.Seal(t.Context(), "shop", mustKey(t, sample), []byte("short")); err == nil || !strings.Contains(err.Error(), "at least 8") {
		t.Errorf("a short passphrase: %v", err)
	}
	b[len(b)-1] ^= 1
	must(t, os.WriteFile(path, b, 0o600))
	if _, err := s.Unlock(t.Context(), "shop", []byte(passphrase)); !errors.Is(err, ErrNotAKey) {
		t.Errorf("damaged: %v", err)
	}
	must(t, os.Chmod(path, 0o644))
	if err := s.Seal(t.Context(), "shop", mustKey(t, sample), []byte(passphrase)); !errors.Is(err, ErrUnsafe) {
		t.Errorf("over a file that others can read: %v", err)
	}
	must(t, os.Chmod(path, 0o600))
	if err := s.Delete(t.Context(), "shop"); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

func TestAPassphraseFileThatAsksForTooMuchWorkIsNotTried(t *testing.T) {
	path := filepath.Join(private(t), "key.age")
	text := strings.Replace(string(sealText(t, sample)), " 2\n", " 30\n", 1)
	must(t, os.WriteFile(path, []byte(text), 0o600))
	s := Sources(SourceOptions{})(Profile{Name: "a", Source: "age", KeyFile: path}).(Sealed)
	if _, err := s.Unlock(t.Context(), "a", []byte(passphrase)); !errors.Is(err, ErrNotAKey) {
		t.Error(err)
	}
}
