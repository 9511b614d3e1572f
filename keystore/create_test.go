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
)

func named(name string) Profile {
	p := usual
	p.Name = name
	return p
}

func TestTheFirstProfileMakesTheFileAndIsTheDefault(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "paydesk", "config.toml")
	if err := File(path).Create(usual); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "created.toml", string(b))
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&Config{Path: path, Default: "test", KeepDays: 90, TimeZone: "local", Profiles: map[string]Profile{"test": usual}}, c); d != "" {
		t.Error(d)
	}
}

func TestWhatIsCreatedIsReadBackAsItWas(t *testing.T) {
	p := Profile{
		Name: "shop-2", Environment: Test, BaseURL: `https://payments.example/"quoted'`, ListURL: "http://[::1]:80/", Source: "command",
		KeyCommand: NewCommand("/opt/my tools/say", "", `a "b" \c`, "grün"), KeyFile: `/home/jürgen/a "key" \ # file`, AllowEnvKey: true, AllowCardEntry: true,
		KeyHeader: "X-`odd'", AuthenticatePath: "/a?r={reference}&q=\"", StatusPath: "/{reference}", SendReference: true, Journal: "off", Mirror: "off",
		UnlockMinutes: 480, IdleLock: 1, CAFile: "/etc/ca.pem",
		WebhookListen: "[::1]:8425", WebhookTargets: NewTargets(`https://a.example/'x'"y"?z=1`, "http://b.example"), WebhookLimit: "1 MB",
	}
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := File(path).Create(p); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(p, c.Profiles["shop-2"]); d != "" {
		t.Error(d)
	}
}

func TestAProfileIsAddedBehindWhatIsThere(t *testing.T) {
	for _, c := range []struct{ name, old, chosen string }{
		{"after a profile", "# mine\ndefault = \"a\"\r\n[profiles.a]\n" + required + "# end", "a"},
		{"after a profile without a default", "[profiles.a]\n" + required + "\n\n", ""},
		{"after comments", "# nothing yet", "test"},
		{"after nothing", "", "test"},
		{"after an empty table", "[profiles]\n", "test"},
	} {
		path := file(t, c.old)
		if err := File(path).Create(usual); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		b, _ := os.ReadFile(path)
		if !strings.Contains(string(b), c.old) {
			t.Errorf("%s: what was there is not kept:\n%s", c.name, b)
		}
		got, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if got.Default != c.chosen || got.Profiles["test"] != usual {
			t.Errorf("%s: default %q\n%s", c.name, got.Default, b)
		}
	}
}

func TestAFileIsLeftAloneWhenTheProfileCannotBeAdded(t *testing.T) {
	inline := "profiles = {a = {environment = \"test\", base_url = \"https://p.example\", list_url = \"https://s.example\"}}\n"
	bad := usual
	bad.BaseURL, bad.Name = "http://payments.example", "Bad Name"
	secret := usual
	secret.KeyHeader = sample
	for _, c := range []struct {
		name, old string
		p         Profile
		want      string
	}{
		{"the name is taken", "[profiles.test]\n" + required, usual, "already has a profile test"},
		{"the file is wrong", "[profiles.a]\nenvironment = 1\n", usual, ":2: environment must be a string"},
		{"the profiles are inline", inline, usual, "by hand"},
		{"the profile is wrong", "", bad, "base_url must begin with https://"},
		{"the name is wrong", "", bad, "name must be 1 to 32"},
		{"the header is a key", "", secret, "must not contain a secret key"},
	} {
		path := file(t, c.old)
		err := File(path).Create(c.p)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), sample) {
			t.Errorf("%s: %v", c.name, err)
		}
		if b, _ := os.ReadFile(path); string(b) != c.old {
			t.Errorf("%s: the file became\n%s", c.name, b)
		}
		if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
			t.Errorf("%s: left %v", c.name, left)
		}
	}
}

func TestModesDoNotDependOnTheUmask(t *testing.T) {
	for _, umask := range []int{0o000, 0o022, 0o077} {
		folder := filepath.Join(t.TempDir(), "x", "paydesk")
		path := filepath.Join(folder, "config.toml")
		func() {
			defer syscall.Umask(syscall.Umask(umask))
			for _, name := range []string{"a", "b"} {
				if err := File(path).Create(named(name)); err != nil {
					t.Fatal(err)
				}
			}
		}()
		for path, want := range map[string]os.FileMode{path: 0o600, folder: 0o700, filepath.Dir(folder): 0o700} {
			about, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := about.Mode().Perm(); got != want {
				t.Errorf("umask %03o: %s is %03o, want %03o", umask, filepath.Base(path), got, want)
			}
		}
	}
}

func TestModesThatAPersonChoseAreKept(t *testing.T) {
	path := file(t, "")
	for mode, ok := range map[os.FileMode]bool{0o640: true, 0o644: true, 0o664: false, 0o662: false, 0o400: true, 0o666: false} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); (err == nil) != ok {
			t.Errorf("%03o: %v", mode, err)
		}
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := File(path).Create(usual); err != nil {
		t.Fatal(err)
	}
	if about, _ := os.Stat(path); about.Mode().Perm() != 0o640 {
		t.Errorf("became %03o", about.Mode().Perm())
	}
}

func TestALinkStaysALink(t *testing.T) {
	folder := t.TempDir()
	kept := filepath.Join(folder, "dotfiles", "paydesk.toml")
	link := filepath.Join(folder, "config.toml")
	if err := errors.Join(os.Symlink("second", link), os.Symlink(filepath.Join("dotfiles", "paydesk.toml"), filepath.Join(folder, "second"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} { // the first time it leads to nothing
		if err := File(link).Create(named(name)); err != nil {
			t.Fatal(err)
		}
	}
	if about, err := os.Lstat(link); err != nil || about.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v", err)
	}
	if c, err := Load(kept); err != nil || len(c.Profiles) != 2 {
		t.Errorf("%v", err)
	}
	loop := filepath.Join(folder, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	if err := File(loop).Create(usual); err == nil {
		t.Error("a loop was followed to its end")
	}
}

func TestAFolderThatCannotBeWrittenIsAnErrorAndLeavesNothing(t *testing.T) {
	blocker := file(t, "")
	if err := File(filepath.Join(blocker, "config.toml")).Create(usual); err == nil {
		t.Error("a file was taken for a folder")
	}
}

func TestAPipeIsNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
}

func TestAMissingFileHasNoProfiles(t *testing.T) {
	f := File(filepath.Join(t.TempDir(), "config.toml"))
	if c, err := f.Load(); err != nil || c.Path != string(f) || len(c.Profiles) != 0 {
		t.Errorf("%+v %v", c, err)
	}
	if err := f.Create(named("a")); err != nil {
		t.Fatal(err)
	}
	if c, err := f.Load(); err != nil || len(c.Profiles) != 1 {
		t.Errorf("%+v %v", c, err)
	}
}
