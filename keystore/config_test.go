package keystore

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// file writes a configuration file and returns its path.
func file(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

var usual = Profile{
	Name: "test", Environment: Test, BaseURL: "https://payments.example", ListURL: "https://sandbox.example",
	Source: "keyring", KeyHeader: "X-Api",
	AuthenticatePath: "/api/payment/pay/get-auth-3ds?referenceId={reference}",
	StatusPath:       "/api/payment/transactions/{reference}", Journal: "on", Mirror: "200 MB", UnlockMinutes: 15, WebhookLimit: "50 MB",
}

const required = "environment = \"test\"\nbase_url = \"https://payments.example\"\nlist_url = \"https://sandbox.example\"\n"

func TestTheMirrorIsOffWithTheJournal(t *testing.T) {
	for text, want := range map[string]int64{
		"":                                       200_000_000,
		"mirror = \"50 MB\"\n":                   50_000_000,
		"mirror = \"off\"\n":                     0,
		"journal = \"off\"\n":                    0,
		"journal = \"off\"\nmirror = \"9 MB\"\n": 0,
	} {
		c, err := Load(file(t, "[profiles.test]\n"+text+required))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Profiles["test"].MirrorLimit(); got != want {
			t.Errorf("%q: %d bytes", text, got)
		}
	}
}

func TestTheSampleIsReadAndItsOptionalPartsAreTheDefaults(t *testing.T) {
	for _, path := range []string{
		filepath.Join("testdata", "sample.toml"),
		file(t, "default = \"test\"\n[profiles.test]\n"+required),
		file(t, "default = \"test\"\r\n[profiles.test]\r\n"+strings.ReplaceAll(required, "\n", "\r\n")),
		file(t, "profiles.test = {environment = \"test\", base_url = \"https://payments.example\", list_url = 'https://sandbox.example'}\ndefault = \"test\"\n"),
	} {
		c, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		want := &Config{Path: path, Default: "test", KeepDays: 90, TimeZone: "local", Profiles: map[string]Profile{"test": usual}}
		if d := cmp.Diff(want, c); d != "" {
			t.Error(d)
		}
	}
}

func TestEverySettingIsRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its absolute paths are those of other systems")
	}
	c, err := Load(file(t, "[profiles.shop_1]\nenvironment = \"live\"\nbase_url = \"http://127.0.0.1:8080/base\"\nlist_url = \"http://localhost\"\nkey = \"env\"\nallow_env_key = true\nallow_card_entry = true\nunlock_minutes = 5\nidle_lock = 30\nca_file = \"/etc/ca.pem\"\nkey_command = [\"pass\", \"show\", \"a b\"]\nkey_file = \"/run/key\"\nkey_header = \"X-API\"\nauthenticate_path = \"/a?r={reference}&x=1\"\nstatus_path = \"/s/{reference}/now\"\nsend_reference = true\nmirror = \"25 MB\"\n"+
		"webhook_listen = \":8425\"\nwebhook_any_address = true\nwebhook_targets = [\"https://staging.example/hooks?of=shop\", \"http://10.0.0.7:3000/\"]\nwebhook_limit = \"9 MB\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Profile{
		Name: "shop_1", Environment: Live, BaseURL: "http://127.0.0.1:8080/base", ListURL: "http://localhost", Source: "env",
		KeyCommand: NewCommand("pass", "show", "a b"), KeyFile: "/run/key", AllowEnvKey: true, AllowCardEntry: true,
		KeyHeader: "X-API", AuthenticatePath: "/a?r={reference}&x=1", StatusPath: "/s/{reference}/now", SendReference: true, Journal: "on", Mirror: "25 MB",
		UnlockMinutes: 5, IdleLock: 30, CAFile: "/etc/ca.pem",
		WebhookListen: ":8425", WebhookAnyAddress: true, WebhookTargets: NewTargets("https://staging.example/hooks?of=shop", "http://10.0.0.7:3000/"),
		WebhookLimit: "9 MB",
	}
	if d := cmp.Diff(want, c.Profiles["shop_1"]); d != "" {
		t.Error(d)
	}
}

func TestTheJournalIsKeptAsLongAsTheFileSays(t *testing.T) {
	c, err := Load(file(t, "[journal]\nkeep_days = 14\n[profiles.test]\njournal = \"off\"\n"+required))
	if err != nil {
		t.Fatal(err)
	}
	if c.KeepDays != 14 || c.Profiles["test"].Journal != "off" {
		t.Errorf("%+v", c)
	}
}

func TestOneSettingIsTheZoneOfAllTimes(t *testing.T) {
	for setting, zone := range map[string]string{
		"": time.Local.String(), `time_zone = "local"`: time.Local.String(), `time_zone = "UTC"`: "UTC", `time_zone = "Europe/London"`: "Europe/London",
	} {
		c, err := Load(file(t, setting+"\n[profiles.test]\n"+required))
		if err != nil {
			t.Fatal(err)
		}
		if at, err := c.TimeZone.Location(); err != nil || at.String() != zone {
			t.Errorf("%s: %v, %v", setting, at, err)
		}
	}
}

func TestAllErrorsAreReportedAtOnceWithTheirLines(t *testing.T) {
	_, err := Load(filepath.Join("testdata", "wrong.toml"))
	if err == nil {
		t.Fatal("it was taken")
	}
	golden(t, "wrong.golden", filepath.ToSlash(err.Error())+"\n")
}

func TestAWrongLineIsNamed(t *testing.T) {
	const head = "[profiles.test]\n" + required // lines 1 to 4
	for _, c := range []struct{ text, want string }{
		{"default = 1\n" + head, "1: expected default to be a string"},
		{"default = \"\"\n" + head, "1: expected default to name a profile"},
		{"\n\ndefault = \"x\"\n" + head, "3: expected default to name a profile"},
		{"profiles = 3\n", "1: expected profiles to be tables"},
		{"[[profiles.test]]\n" + required, "1: expected a table"},
		{"[profiles]\ntest = 1\n", "2: expected a table"},
		{"[[profiles]]\n" + required, "1: expected profiles to be tables"},
		{"[profile.test]\n" + required, "1: expected default, time_zone, [journal] or [profiles.NAME], not profile"},
		{head + "Key = \"env\"\n", "5: expected one of allow_card_entry, allow_env_key, authenticate_path, base_url, ca_file, environment, idle_lock, journal, key, key_command, key_file, key_header, list_url, mirror, send_reference, status_path, unlock_minutes, webhook_any_address, webhook_limit, webhook_listen, webhook_targets, not Key"},
		{head + "\"\x7f\" = 1\n", "5: expected TOML"},
		{head + "\"\\u001b[2J\" = 1\n", "5: expected one of allow_card_entry, allow_env_key, authenticate_path, base_url, ca_file, environment, idle_lock, journal, key, key_command, key_file, key_header, list_url, mirror, send_reference, status_path, unlock_minutes, webhook_any_address, webhook_limit, webhook_listen, webhook_targets, not this name"},
		{"[profiles.test]\n[profiles.test.sub]\nx = 1\n", "1: environment is missing"},
		{"[profiles.test]\n[profiles.test.sub]\nx = 1\n", "2: expected one of"},
		{head + "key = true\n", "5: key must be a string in quotes"},
		{head + "key = [\"env\"]\n", "5: key must be a string in quotes"},
		{head + "key = \"\"\n", `5: key must be one of keyring, command, file, age, env, ask`},
		{head + "key = \"command\"\n", "1: key_command is missing; it must be a program"},
		{head + "key_command = []\nkey = \"command\"\n", "5: key_command must be a program"},
		{head + "key_command = \"pass show x\"\n", "5: key_command must be a list of strings"},
		{head + "key_command = [\"pass\", 1]\n", "5: key_command must be a list of strings"},
		{head + "key_command = [\"pass\\u0000\"]\n", "5: key_command must be a list of strings"},
		{head + "key_command = [" + strings.Repeat("\"x\",", 17) + "]\n", "5: key_command must be a program and its arguments, 1 to 16"},
		{head + "key_command = [\"./pass\"]\n", "5: key_command must begin with the name or absolute path of a program"},
		{head + "key_command = [\"\", \"x\"]\n", "5: key_command must begin with the name or absolute path of a program"},
		{head + "key_command = [\"pass\", \"\\u001b[2J\"]\n", "5: key_command must contain only printable"},
		{head + "key = \"file\"\n", "1: key_file is missing; it must be an absolute path"},
		{head + "key_file = \"key\"\n", "5: key_file must be an absolute path"},
		{head + "key_file = \"~/key\"\n", "5: key_file must be an absolute path"},
		{head + "key_file = \"$CREDENTIALS_DIRECTORY/../key\"\n", "5: key_file must be an absolute path"},
		{head + "key_file = \"$CREDENTIALS_DIRECTORY/a/b\"\n", "5: key_file must be an absolute path"},
		{head + "key_file = \"/a\\u202eb\"\n", "5: key_file must be an absolute path"},
		{head + "key = \"age\"\nkey_file = \"$CREDENTIALS_DIRECTORY/x\"\n", "6: key_file must be an absolute path for age"},
		{"[profiles.live]\n" + strings.Replace(required, `"test"`, `"live"`, 1) + "key = \"env\"\n", `5: key must not be "env" for live payments`},
		{head + "allow_env_key = \"yes\"\n", "5: allow_env_key must be true or false"},
		{head + "allow_card_entry = 1\n", "5: allow_card_entry must be true or false"},
		{head + "mirror = \"200\"\n", `5: mirror must be "off", or a size from "1 MB" to "99999 MB"`},
		{head + "mirror = \"0 MB\"\n", `5: mirror must be "off", or a size`},
		{head + "mirror = \"100000 MB\"\n", `5: mirror must be "off", or a size`},
		{head + "mirror = 200\n", "5: mirror must be a string in quotes"},
		{head + "unlock_minutes = 0\n", "5: unlock_minutes must be a number of minutes from 1 to 480"},
		{head + "unlock_minutes = 481\n", "5: unlock_minutes must be a number of minutes from 1 to 480"},
		{head + "unlock_minutes = 9223372036854775807\n", "5: unlock_minutes must be a number of minutes from 1 to 480"},
		{head + "unlock_minutes = 1.5\n", "5: unlock_minutes must be a whole number"},
		{head + "idle_lock = -1\n", "5: idle_lock must be a number of minutes from 0"},
		{head + "idle_lock = \"5\"\n", "5: idle_lock must be a whole number"},
		{head + "ca_file = \"ca.pem\"\n", "5: ca_file must be an absolute path"},
		{head + "key_header = \"Host\"\n", "5: key_header must not be a header that HTTP itself uses"},
		{strings.Replace(head, "payments.example", "payments.example:0", 1), "3: base_url must have a valid port: from 1 to 65535"},
		{strings.Replace(head, "payments.example", "payments.example:99999", 1), "3: base_url must have a valid port: from 1 to 65535"},
		{strings.Replace(head, "payments.example", "h..example", 1), "3: base_url must name a host"},
		{strings.Replace(head, "payments.example", "[fe80::1%25eth0]", 1), "3: base_url must name a host"},
		{head + "send_reference = 1\n", "5: send_reference must be true or false"},
		{head + "journal = false\n", "5: journal must be a string in quotes"},
		{head + "journal = \"no\"\n", `5: journal must be "on" or "off"`},
		{"[profiles.live]\n" + strings.Replace(required, `"test"`, `"live"`, 1) + "journal = \"off\"\n", `5: journal must be "on" for live payments`},
		{"journal = 90\n" + head, "1: expected journal to be a table"},
		{"[journal]\nkeep = 1\n" + head, "2: expected one of keep_days, key_file, password_command, schema, store, url, not keep"},
		{"[journal]\nkeep_days = 0\n" + head, "2: keep_days must be a number of days"},
		{"[journal]\nkeep_days = \"90\"\n" + head, "2: keep_days must be a number of days"},
		{"time_zone = \"Mars/Olympus\"\n" + head, `1: expected time_zone to be "local", "UTC" or the name of a zone, such as "Europe/London"`},
		{"time_zone = \"\"\n" + head, "1: expected time_zone to be"},
		{"\ntime_zone = 1\n" + head, "2: expected time_zone to be"},
		{"time_zone = \"../../etc/passwd\"\n" + head, "1: expected time_zone to be"},
		{head + "time_zone = \"UTC\"\n", "5: expected one of"},
		{head + "\n[profiles.UPPER]\n" + required, "6: a profile name must be 1 to 32"},
		{head + "[profiles.\"\"]\n" + required, "5: a profile name"},
		{head + "[profiles.\"a b\"]\n" + required, "5: a profile name"},
		{head + "[profiles." + strings.Repeat("a", 33) + "]\n" + required, "5: a profile name"},
		{head + "key_header = \"X-Api\"\nkey_header = \"X-Api\"\n", "6: expected each name and each table only once"},
		{head + head, "5: expected each name and each table only once"},
		{head + "key = env\n", "5: expected TOML"},
		{head + "key\n", "5: expected TOML"},
		{head + "key = \"env\n", "5: expected TOML"},
		{head + "send_reference = 0x\n", "5: expected TOML"},
		{"[profiles.test]\nenvironment = \"sandbox\"\n", `2: environment must be "test" or "live"`},
		{"[profiles.test]\nenvironment = \"test\"\n", "1: base_url is missing; it must be a URL"},
		{"\n[profiles.test]\n", "2: environment is missing; it must be \"test\" or \"live\""},
		{"profiles.test.environment = \"x\"\n", "1: environment must be"},
		{"[profiles]\ntest = {environment = \"test\",\n  base_url = \"ftp://x\", list_url = \"https://x\"}\n", "3: base_url must begin with https://"},
	} {
		path := file(t, c.text)
		_, err := Load(path)
		if err == nil {
			t.Errorf("%q was taken", c.text)
			continue
		}
		if !strings.Contains(err.Error(), path+":"+c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
		for line := range strings.SplitSeq(err.Error(), "\n") {
			if !strings.HasPrefix(line, path+":") {
				t.Errorf("%q: a line without its place: %s", c.text, line)
			}
		}
		if strings.ContainsAny(err.Error(), "\x1b\x7f") {
			t.Errorf("%q reaches the terminal: %q", c.text, err)
		}
	}
}

func TestAFileThatIsNotTOMLIsNotJudgedByItsFirstHalf(t *testing.T) {
	for text, want := range map[string]string{
		"key\n":                    `:3: expected TOML: name = "value" lines under [profiles.NAME]`,
		"environment = \"live\"\n": ":3: expected each name and each table only once",
	} {
		path := file(t, "[profiles.test]\nenvironment = \"test\"\n"+text)
		if _, err := Load(path); err == nil || !strings.HasPrefix(err.Error(), path+want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want one line: %s", err, want)
		}
	}
}

func TestASecretKeyInTheFileIsRefusedAndNotQuoted(t *testing.T) {
	const head = "[profiles.test]\n" + required
	for _, c := range []struct {
		text string
		line string
	}{
		{head + "key = \"" + sample + "\"\n", ":5: expected no secret key"},
		{head + "# " + sample + "\n", ":5: expected no secret key"},
		{head + "secret = \"" + sample + "\"\n", ":5: expected no secret key"},
		{head + sample + " = 1\n", ":5: expected no secret key"},
		{head + "key = " + sample + "\n", ":5: expected no secret key"},
		{head + "key = \"\"\"\n" + sample + "\"\"\"\n", ":6: expected no secret key"},
		{head + "key = \"sk\\u005ftest_0123456789wxyz\"\n", ":5: expected no secret key"},
		{head + "x = [{y = \"sk\\u005ftest_0123456789wxyz\"}]\n", ":5: expected no secret key"},
		{"[profiles." + sample + "]\n" + required, ":1: expected no secret key"},
		{"default = \"" + sample + "\"\n" + head, ":1: expected no secret key"},
		{head + "key_command = [\"echo\", \"" + sample + "\"]\n", ":5: expected no secret key"},
		{head + "[profiles.b]\nbase_url = \"https://SK_LIVE_0123456789wxyz.example\"\n", ":6: expected no secret key"},
		{"]]]\n" + sample, ":2: expected no secret key"},
	} {
		path := file(t, c.text)
		_, err := Load(path)
		if err == nil || !strings.Contains(err.Error(), path+c.line) {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if strings.Contains(err.Error(), "0123456789") {
			t.Errorf("quoted: %v", err)
		}
	}
	if _, err := Load(file(t, strings.ReplaceAll("# task_management_note\n"+head, "test]", "sk_test]"))); err != nil {
		t.Errorf("no key, but refused: %v", err)
	}
}

func TestAProfileIsChosenByNameOrByDefault(t *testing.T) {
	two := &Config{Path: "f", Default: "b", Profiles: map[string]Profile{"a": {Name: "a"}, "b": {Name: "b"}}}
	none := &Config{Path: "f", Profiles: map[string]Profile{}}
	undecided := &Config{Path: "f", Profiles: two.Profiles}
	for _, c := range []struct {
		c          *Config
		name, want string
		err        string
	}{
		{two, "", "b", ""},
		{two, "a", "a", ""},
		{two, "c", "", "it has: a, b"},
		{undecided, "", "", "choose one of: a, b"},
		{undecided, "b", "b", ""},
		{none, "", "", "[profiles.NAME]"},
		{none, "a", "", "[profiles.NAME]"},
	} {
		p, err := c.c.Select(c.name)
		if p.Name != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %q, %v", c.name, p.Name, err)
		}
	}
}

func TestWhatCannotBeAConfigurationFileIsRejected(t *testing.T) {
	folder := t.TempDir()
	if _, err := Load(filepath.Join(folder, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Load(folder); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Load(file(t, strings.Repeat("# long\n", 10_000))); err == nil || !strings.Contains(err.Error(), "64 KiB") {
		t.Error(err)
	}
	if c, err := Load(file(t, "")); err != nil || len(c.Profiles) != 0 {
		t.Error(err)
	}
}

func TestTheDefaultPath(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", folder)
	if got, err := DefaultPath(); err != nil || got != filepath.Join(folder, "paydesk", "config.toml") {
		t.Errorf("%s, %v", got, err)
	}
	t.Setenv("XDG_CONFIG_HOME", "relative")
	if got, err := DefaultPath(); err == nil || got != "" {
		t.Errorf("%s, %v", got, err)
	}
	t.Setenv("XDG_CONFIG_HOME", "")
	want, err := os.UserConfigDir()
	if err != nil {
		t.Skip("this system has no folder for configuration")
	}
	if got, err := DefaultPath(); err != nil || got != filepath.Join(want, "paydesk", "config.toml") {
		t.Errorf("%s, %v", got, err)
	}
}

func FuzzLoad(f *testing.F) {
	for _, name := range []string{"sample.toml", "wrong.toml"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("[[profiles]]\n[profiles.a]\nb.c = {d = [1, {e = 'sk_0123456789'}]}"))
	f.Add([]byte("\xef\xbb\xbfdefault = 'a'"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := parse("f", b)
		if (c == nil) == (err == nil) {
			t.Fatal("neither profiles nor an error")
		}
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				place, _, ok := strings.Cut(strings.TrimPrefix(line, "f:"), ": ")
				if !ok || !strings.HasPrefix(line, "f:") || strings.Trim(place, "0123456789") != "" || place == "0" {
					t.Errorf("no line: %q", line)
				}
			}
			return
		}
		o := parseOutline(b)
		for name, p := range c.Profiles {
			if wrong := p.Check(); len(wrong) > 0 || p.Name != name {
				t.Errorf("taken although %v", wrong)
			}
			changed := p
			changed.ListURL, changed.IdleLock, changed.KeyCommand = "https://changed.example", 7, NewCommand("a")
			_, _ = parse("f", o.apply(o.editProfile(p, changed))) // whatever the hand, it does not panic
			_, _ = parse("f", o.apply(o.removeProfile(name)))
			if same := o.apply(o.editProfile(p, p)); !bytes.Equal(same, b) {
				t.Errorf("changed without a change: %q", same)
			}
		}
	})
}
