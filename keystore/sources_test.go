//go:build !windows

package keystore

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"filippo.io/age"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"paydesk/keystore/keystoretest"
)

// private returns a folder that nobody else can write.
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
		text = sample // a folder is in nobody's way
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

// planted makes a configuration below a folder that a test then alters.
func planted(t *testing.T) (top, path string) {
	t.Helper()
	top = private(t)
	return top, keystoretest.Write(t, filepath.Join(top, "a", "b"), "-- profiles/test.toml --\n"+required+"key = \"command\"\nkey_command = [\"true\"]\n")
}

// refused fails unless the configuration is neither read nor written, with a way out.
func refused(t *testing.T, name, path, words, hint string) {
	t.Helper()
	_, err := Folder(path).Load()
	var p *Problem
	if !errors.As(err, &p) || !errors.Is(err, ErrUnsafe) || !strings.HasPrefix(p.Message, "the configuration was not read: ") ||
		!strings.Contains(p.Message, words) || !strings.Contains(p.Hint, hint) {
		t.Errorf("%s: %v", name, err)
	}
	if err := Folder(path).Remove("test"); !errors.Is(err, ErrUnsafe) {
		t.Errorf("%s: written: %v", name, err)
	}
}

func TestAConfigurationThatOthersCanReplaceIsNotRead(t *testing.T) {
	for name, mode := range map[string]os.FileMode{"everybody": 0o777, "everybody, from outside": 0o703} {
		for _, below := range []string{"", "a", "a/b"} {
			top, path := planted(t)
			folder := filepath.Join(top, below)
			must(t, os.Chmod(folder, mode))
			refused(t, name, path, "others can change "+folder+" (mode ", "run: chmod go-w "+folder)
			refused(t, name+", not there yet", filepath.Join(path, "new"), "others can change "+folder, "chmod go-w")
			must(t, os.Chmod(folder, os.ModeSticky|mode))
			if _, err := Folder(path).Load(); err != nil {
				t.Errorf("%s, sticky: %v", name, err)
			}
		}
	}
}

func TestAConfigurationIsReachedThroughLinksOfOnesOwn(t *testing.T) {
	top, path := planted(t)
	t.Chdir(top)
	for name, to := range map[string]string{"absolute": path, "relative": "a/b", "up": "a/../a/./b"} {
		must(t, os.Symlink(to, name))
		if _, err := Folder(name).Load(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, os.Symlink("a", "folder"))
	if _, err := Folder("folder/b").Load(); err != nil {
		t.Error(err)
	}
	if err := os.Chmod("a", 0o777); err != nil { // what a link leads through counts as well
		t.Fatal(err)
	}
	for _, name := range []string{"absolute", "relative", "up", "folder/b"} {
		refused(t, name, name, "others can change "+filepath.Join(top, "a"), "chmod go-w")
	}
	must(t, os.Symlink("round", "round"))
	refused(t, "round", "round", "lead nowhere", "name the file itself")
}

// TestAConfigurationOfSomebodyElseIsNotRead needs root, who alone can give files away.
func TestAConfigurationOfSomebodyElseIsNotRead(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a file away")
	}
	for _, below := range []string{"", "a", "a/b", "a/b/profiles", "a/b/profiles/test.toml"} {
		top, path := planted(t)
		theirs := filepath.Join(top, below)
		must(t, os.Chown(theirs, 65534, 65534))
		refused(t, below, path, theirs+" belongs to user 65534", "chown 0 "+theirs)
	}
	top, path := planted(t)
	link := filepath.Join(top, "link")
	must(t, errors.Join(os.Symlink(path, link), os.Lchown(link, 65534, 65534)))
	refused(t, "link", link, link+" is a symbolic link of user 65534", "name the file that it leads to")
}

func TestCertificatesThatOthersCanChangeAreNotTrusted(t *testing.T) {
	_, path := planted(t)
	authorities := filepath.Join(private(t), "ca.pem")
	p := usual
	p.CAFile = authorities
	must(t, errors.Join(Folder(path).Edit(p), os.Chmod(filepath.Dir(authorities), 0o777)))
	if _, err := Folder(path).Load(); !errors.Is(err, ErrUnsafe) || !strings.HasPrefix(err.Error(), "ca_file of profile test cannot be trusted: others can change "+filepath.Dir(authorities)) {
		t.Error(err)
	}
}

func named(name string) Profile {
	p := usual
	p.Name = name
	return p
}

// anyProfile draws a profile with arbitrary settings.
func anyProfile(t *rapid.T, name string) Profile {
	texts := func(of ...string) string { return rapid.SampledFrom(of).Draw(t, "text") }
	p := Profile{
		Name: name, Environment: Environment(texts("test", "live")), Source: texts(SourceNames()...),
		BaseURL: texts("https://a.example", `https://b.example/"quoted'`), ListURL: texts("https://a.example", "http://[::1]:80/"),
		KeyCommand: NewList("/opt/my tools/pass", texts("a b", `"#]`, "'", `\`, "[x]", "", "grün")), KeyFile: texts("/k", `/a "b"/#c`, `/ü\x`),
		AllowEnvKey: true, AllowCardEntry: rapid.Bool().Draw(t, "cards"), SendReference: rapid.Bool().Draw(t, "send"),
		KeyHeader: texts("", "X-Key", "X-`odd'"), AuthenticatePath: texts("", `/a?r={reference}&q="`), StatusPath: texts("", `/{reference}?"`),
		Mirror: texts("", "off", "5 MB"), UnlockMinutes: rapid.IntRange(1, 480).Draw(t, "minutes"), IdleLock: rapid.IntRange(0, 480).Draw(t, "idle"),
		CAFile: texts("", "/etc/ca"), WebhookListen: texts("", "localhost:1", "[::1]:8425"), WebhookAnyAddress: rapid.Bool().Draw(t, "any"),
		WebhookTargets: NewList(rapid.SliceOfN(rapid.SampledFrom([]string{"https://a.example/[x]", `http://b.example/'"y"?z=1`}), 0, 3).Draw(t, "targets")...),
		WebhookLimit:   texts("", "5 MB"),
	}
	if p.Environment == Test {
		p.Journal = texts("on", "off")
	}
	if p.Source != "command" && rapid.Bool().Draw(t, "no command") {
		p.KeyCommand = ""
	}
	if p.Source != "file" && rapid.Bool().Draw(t, "no file") {
		p.KeyFile = ""
	}
	return p.WithDefaults()
}

// Whatever is written is read back as it was, and the rest of the folder stays to the byte.
func TestProfilesComeChangeAndGoWithoutTheOthers(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		rest := "-- config.toml --\n# mine\ntime_zone = \"UTC\"\n-- default --\na\n-- profiles/a.toml --\n# the safe one\n" + required
		f := Folder(keystoretest.Write(t, folder, rest))
		for name, p := range map[string]Profile{"Create": anyProfile(r, "b"), "Edit": anyProfile(r, "b")} {
			write := f.Edit
			if c, err := f.Load(); err != nil || len(c.Profiles) == 1 {
				write = f.Create
			}
			if err := write(p); err != nil {
				r.Fatalf("%s: %v", name, err)
			}
			c, err := f.Load()
			if err != nil {
				r.Fatalf("%v\n%s", err, keystoretest.Read(t, folder))
			}
			if d := cmp.Diff(p, c.Profiles["b"]); d != "" {
				r.Fatal(d)
			}
		}
		if err := errors.Join(f.SetDefault("b"), f.SetDefault("a"), f.Remove("b")); err != nil {
			r.Fatal(err)
		}
		if d := cmp.Diff(rest, keystoretest.Read(t, folder)); d != "" {
			r.Fatal(d)
		}
	})
	f := Folder(folder)
	if err := f.Remove("a"); err != nil { // the last one may be the default
		t.Fatal(err)
	}
	if c, err := f.Load(); err != nil || c.Default != "" || len(c.Profiles) != 0 || c.TimeZone != "UTC" {
		t.Errorf("%+v %v", c, err)
	}
}

func TestWhatCannotBeWrittenLeavesTheFolderAsItWas(t *testing.T) {
	const mine = "-- default --\ntest\n-- profiles/live.toml --\n" + required + "-- profiles/test.toml --\n" + required
	bad, secret := named("Bad Name"), named("new")
	bad.BaseURL, secret.KeyHeader = "http://payments.example", sample
	keyed := named("test")
	keyed.KeyCommand = NewList("echo", sample)
	for name, c := range map[string]struct {
		old    string
		change func(Folder) error
		want   string
	}{
		"a taken name":          {mine, func(f Folder) error { return f.Create(usual) }, "already has a profile test"},
		"a wrong name":          {"", func(f Folder) error { return f.Create(bad) }, "name must be 1 to 32"},
		"none for the default":  {mine, func(f Folder) error { return f.SetDefault("a") }, "no profile of that name"},
		"the default, not last": {mine, func(f Folder) error { return f.Remove("test") }, "make another one the default first"},
		"a bad part":            {mine, func(f Folder) error { return f.Edit(Profile{Name: "test"}) }, "base_url must be"},
		"a key":                 {mine, func(f Folder) error { return f.Edit(keyed) }, "must not contain a secret key"},
		"another file is wrong": {mine + "x = 1\n", func(f Folder) error { return f.SetDefault("live") }, "correct the configuration first"},
		"open to a group": {mine, func(f Folder) error {
			return errors.Join(os.Chmod(f.Profile("test"), 0o660), f.Remove("live"))
		}, "run: chmod go-w "},
	} {
		f := Folder(keystoretest.Write(t, t.TempDir(), c.old))
		err := c.change(f)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), sample) {
			t.Errorf("%s: %v", name, err)
		}
		if got := keystoretest.Read(t, string(f)); got != c.old {
			t.Errorf("%s: it became\n%s", name, got)
		}
		if left, _ := filepath.Glob(string(f) + "/*/.*"); len(left) != 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
}

func TestModesDoNotDependOnTheUmask(t *testing.T) {
	for _, umask := range []int{0o000, 0o022, 0o077} {
		f := Folder(filepath.Join(t.TempDir(), "x", "paydesk"))
		func() {
			defer syscall.Umask(syscall.Umask(umask))
			for _, name := range []string{"a", "b"} {
				must(t, f.Create(named(name)))
			}
		}()
		for path, want := range map[string]os.FileMode{
			f.Profile("a"): 0o600, f.defaultName(): 0o600, f.profiles(): 0o700, string(f): 0o700, filepath.Dir(string(f)): 0o700,
		} {
			about, err := os.Stat(path)
			must(t, err)
			if got := about.Mode().Perm(); got != want {
				t.Errorf("umask %03o: %s is %03o, want %03o", umask, filepath.Base(path), got, want)
			}
		}
	}
}

func TestModesAndLinksThatAPersonChoseAreKept(t *testing.T) {
	f := Folder(keystoretest.Write(t, t.TempDir(), "-- profiles/test.toml --\n"+required))
	kept := filepath.Join(t.TempDir(), "kept")
	must(t, errors.Join(os.Rename(f.Profile("test"), kept), os.Symlink(kept, f.Profile("test"))))
	for mode, ok := range map[os.FileMode]bool{0o640: true, 0o644: true, 0o664: false, 0o662: false, 0o400: true, 0o666: false} {
		must(t, os.Chmod(kept, mode))
		if _, err := f.Load(); (err == nil) != ok {
			t.Errorf("%03o: %v", mode, err)
		}
	}
	must(t, errors.Join(os.Chmod(kept, 0o640), f.Edit(usual)))
	if about, _ := os.Stat(kept); about.Mode().Perm() != 0o640 {
		t.Errorf("became %03o", about.Mode().Perm())
	}
	if about, err := os.Lstat(f.Profile("test")); err != nil || about.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v", err)
	}
}
