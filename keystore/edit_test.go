//go:build !windows

package keystore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mine is a file as a person writes it.
const mine = `# my shops
default = "test"   # the safe one

[journal]
keep_days = 14

# --- the test shop ---
[profiles.test]
environment = "test"                      # declared
base_url    = "https://payments.example"  # ask Ada before changing it
list_url    = 'https://sandbox.example'
key = "command"
key_command = [
  "pass", # of the team
  "show", "paydesk/test",
]

# --- the live shop ---
[profiles.live]
list_url = "https://list.example"
environment = "live"
base_url = "https://payments.example"
# key = "env"
`

// applyTo applies a change to a file and returns the new text.
func applyTo(t testing.TB, text string, change func(path string) error) (string, error) {
	t.Helper()
	path := file(t, text)
	err := change(path)
	b, readErr := os.ReadFile(path)
	if readErr != nil {
		t.Fatal(readErr)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("left %v", left)
	}
	return string(b), err
}

func TestAnEditChangesItsValuesAndNothingElse(t *testing.T) {
	c, err := Load(file(t, mine))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		profile string
		change  func(*Profile)
		was, is string
	}{
		{"nothing", "test", func(*Profile) {}, "", ""},
		{"a value", "test", func(p *Profile) { p.BaseURL = "https://new.example" }, `"https://payments.example"  # ask`, `"https://new.example"  # ask`},
		{"a literal", "test", func(p *Profile) { p.ListURL = "https://new.example" }, `'https://sandbox.example'`, `"https://new.example"`},
		{"a long value", "test", func(p *Profile) { p.KeyCommand = NewCommand("op", "read", `a "b"`) },
			"[\n  \"pass\", # of the team\n  \"show\", \"paydesk/test\",\n]", `["op", "read", "a \"b\""]`},
		{"a part that goes", "test", func(p *Profile) { p.Source, p.KeyCommand = "ask", "" },
			"key = \"command\"\nkey_command = [\n  \"pass\", # of the team\n  \"show\", \"paydesk/test\",\n]\n", "key = \"ask\"\n"},
		{"back to the default", "test", func(p *Profile) { p.Source = "keyring" }, `key = "command"`, `key = "keyring"`},
		{"parts that come", "live", func(p *Profile) { p.UnlockMinutes, p.AllowCardEntry = 5, true },
			"# key = \"env\"", "allow_card_entry = true\nunlock_minutes = 5\n# key = \"env\""},
		{"a part that comes before a comment of the next", "test", func(p *Profile) { p.IdleLock = 10 }, "]\n\n# --- the live", "]\nidle_lock = 10\n\n# --- the live"},
	} {
		for name, with := range map[string]func(string) string{
			"":          func(s string) string { return s },
			"CRLF":      func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
			"no end":    func(s string) string { return strings.TrimSuffix(s, "\n") },
			"indented":  func(s string) string { return strings.ReplaceAll(s, "\n[", "\n  [") },
			"with tabs": func(s string) string { return strings.ReplaceAll(s, " = ", "\t=\t") },
		} {
			if name == "with tabs" && test.is != "" && strings.Contains(test.is, " = ") {
				continue // what is new has blanks
			}
			p := c.Profiles[test.profile]
			test.change(&p)
			got, err := applyTo(t, with(mine), func(path string) error { return File(path).Edit(p) })
			if err != nil {
				t.Errorf("%s %s: %v", test.name, name, err)
			}
			if d := cmp.Diff(with(strings.Replace(mine, test.was, test.is, 1)), got); d != "" {
				t.Errorf("%s %s: %s", test.name, name, d)
			}
		}
	}
}

func TestAProfileIsRemovedWithItsTableAlone(t *testing.T) {
	for name, c := range map[string]struct{ old, profile, want string }{
		"between": {strings.Replace(mine, `default = "test"`, `default = "live"`, 1), "test",
			"# my shops\ndefault = \"live\"   # the safe one\n\n[journal]\nkeep_days = 14\n\n# --- the test shop ---\n\n# --- the live shop ---\n" + mine[strings.Index(mine, "[profiles.live]"):]},
		"at the end":  {mine, "live", mine[:strings.Index(mine, "[profiles.live]")] + "# key = \"env\"\n"},
		"the last":    {"default = \"a\"\n\n[profiles.a]\n" + required + "# end\n", "a", "\n# end\n"},
		"blank lines": {"[profiles.a]\n" + required + "\n[profiles.b]\n" + required, "a", "[profiles.b]\n" + required},
		"in one line": {"[profiles]\na = {environment = \"test\", base_url = \"https://a\", list_url = \"https://a\"} # a\nb.environment = \"test\"\nb.base_url = \"https://b\"\nb.list_url = \"https://b\"\n", "a",
			"[profiles]\nb.environment = \"test\"\nb.base_url = \"https://b\"\nb.list_url = \"https://b\"\n"},
		"dotted": {"profiles.a.environment = \"test\"\n# b\nprofiles.a.base_url = \"https://a\"\nprofiles.a.list_url = \"https://a\"\n", "a", "# b\n"},
	} {
		got, err := applyTo(t, c.old, func(path string) error { return File(path).Remove(c.profile) })
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestTheDefaultIsChosenInItsLine(t *testing.T) {
	got, err := applyTo(t, mine, func(path string) error { return File(path).SetDefault("live") })
	if d := cmp.Diff(strings.Replace(mine, `default = "test"   #`, `default = "live"   #`, 1), got); d != "" || err != nil {
		t.Error(err, d)
	}
	without := "# mine\r\n[profiles.a]\r\n" + strings.ReplaceAll(required, "\n", "\r\n")
	got, err = applyTo(t, without, func(path string) error { return File(path).SetDefault("a") })
	if d := cmp.Diff("default = \"a\"\r\n\r\n"+without, got); d != "" || err != nil {
		t.Error(err, d)
	}
}

func TestACopyIsAProfileOfItsOwn(t *testing.T) {
	path := file(t, mine)
	if err := File(path).Copy("test", "second"); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	want := c.Profiles["test"]
	want.Name = "second"
	if c.Profiles["second"] != want {
		t.Error(cmp.Diff(want, c.Profiles["second"]))
	}
	if b, _ := os.ReadFile(path); !strings.HasPrefix(string(b), mine) {
		t.Errorf("what was there is not kept: %s", b)
	}
}

func TestAFileThatCannotBeChangedSafelyIsLeftAlone(t *testing.T) {
	inline := "profiles = {a = {environment = \"test\", base_url = \"https://p.example\", list_url = \"https://s.example\"}}\n"
	a := named("a")
	a.BaseURL = "https://new.example"
	more := named("a")
	more.BaseURL, more.ListURL, more.IdleLock = "https://a", "https://a", 5
	for name, c := range map[string]struct {
		old    string
		change func(path string) error
		want   string
	}{
		"inline":            {inline, func(path string) error { return File(path).Edit(a) }, "by hand"},
		"inline, removed":   {inline, func(path string) error { return File(path).Remove("a") }, "by hand"},
		"no table":          {"profiles.a.environment = \"test\"\nprofiles.a.base_url = \"https://a\"\nprofiles.a.list_url = \"https://a\"\n", func(path string) error { return File(path).Edit(more) }, "by hand"},
		"no such profile":   {mine, func(path string) error { return File(path).Edit(a) }, "no profile of that name"},
		"none to remove":    {mine, func(path string) error { return File(path).Remove("a") }, "no profile of that name"},
		"none for default":  {mine, func(path string) error { return File(path).SetDefault("a") }, "no profile of that name"},
		"none to copy":      {mine, func(path string) error { return File(path).Copy("a", "b") }, "no profile of that name"},
		"a taken name":      {mine, func(path string) error { return File(path).Copy("test", "live") }, "already has a profile live"},
		"default, not last": {mine, func(path string) error { return File(path).Remove("test") }, "make another one the default first"},
		"a bad part":        {mine, func(path string) error { return File(path).Edit(Profile{Name: "test"}) }, "base_url must be"},
		"a key": {mine, func(path string) error {
			p := named("test")
			p.KeyCommand = NewCommand("echo", sample)
			return File(path).Edit(p)
		}, "must not contain a secret key"},
		"a wrong file":    {"x = 1\n", func(path string) error { return File(path).SetDefault("a") }, "correct the configuration file first"},
		"open to a group": {mine, func(path string) error { return openTo(path, "test") }, "run: chmod go-w "},
	} {
		got, err := applyTo(t, c.old, c.change)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), sample) {
			t.Errorf("%s: %v", name, err)
		}
		if got != c.old {
			t.Errorf("%s: the file became\n%s", name, got)
		}
	}
}

func openTo(path, name string) error {
	if err := os.Chmod(path, 0o660); err != nil {
		return err
	}
	return File(path).Remove(name)
}

func TestAnEditKeepsModeAndLink(t *testing.T) {
	path := file(t, mine)
	link := filepath.Join(t.TempDir(), "config.toml")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := File(link).SetDefault("live"); err != nil {
		t.Fatal(err)
	}
	about, err := os.Lstat(link)
	if err != nil || about.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v", err)
	}
	if about, _ := os.Stat(path); about.Mode() != 0o640 {
		t.Errorf("became %v", about.Mode())
	}
}
