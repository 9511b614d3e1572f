//go:build !windows

package keystore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"paydesk/keystore/keystoretest"
)

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
			err = f.SetSource("b", "ask")
			if c, failed := f.Load(); err != nil || failed != nil || c.Profiles["b"] != p.WithSource("ask") {
				r.Fatalf("with another source it is %+v, %v, %v", c, err, failed)
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
