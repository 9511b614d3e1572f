//go:build !windows

package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api/timely"
)

// shell returns a command that runs a script; profiles have no shell.
func shell(script string) *command {
	return &command{words: []string{"sh", "-c", script}, limit: CommandLimit, of: printedKey}
}

func TestEachFailureOfACommandHasItsOwnError(t *testing.T) {
	notRunnable := filepath.Join(private(t), "text")
	must(t, os.WriteFile(notRunnable, []byte("x"), 0o600))
	kinds := []error{ErrNoProgram, ErrFailed, ErrTimeout, ErrEmpty, ErrNotAKey}
	for _, c := range []struct {
		name string
		c    *command
		kind error
		what string
	}{
		{"a key", shell("echo " + sample), nil, ""},
		{"a key and more", shell("echo " + sample + "; yes | head -c 1000000"), nil, ""},
		{"a key of Windows", shell("printf '" + sample + "\\r\\n'"), nil, ""},
		{"no program", &command{words: []string{"paydesk-has-no-such-program"}, limit: CommandLimit, of: printedKey}, ErrNoProgram, "there is no program paydesk-has-no-such-program"},
		{"no execution", &command{words: []string{notRunnable}, limit: CommandLimit, of: printedKey}, ErrNoProgram, "cannot be run"},
		{"failed", shell("echo " + sample + "; exit 3"), ErrFailed, "failed with exit code 3"},
		{"nothing", shell("true"), ErrEmpty, "key command printed is empty"},
		{"no key", shell("echo Enter your password:"), ErrNotAKey, "without spaces"},
		{"a long line", shell("yes | tr -d '\\n' | head -c 100000"), ErrNotAKey, "at most 512"},
	} {
		k, err := c.c.Get(t.Context(), "test")
		if c.kind == nil {
			if err != nil || k.Expose() != sample {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.what) || strings.Contains(err.Error(), sample) || !k.IsZero() {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, kind := range kinds {
			if errors.Is(err, kind) != (kind == c.kind) {
				t.Errorf("%s: is %v: %v", c.name, kind, err)
			}
		}
	}
}

func TestACommandIsEndedWithAllThatItStarted(t *testing.T) {
	folder := private(t)
	pid := filepath.Join(folder, "pid")
	start := "sleep 300 >/dev/null 2>&1 & echo $! >" + pid + "; "
	for name, c := range map[string]*command{
		"in time":   shell(start + "echo " + sample),
		"too late":  {words: []string{"sh", "-c", start + "sleep 300"}, limit: 200 * time.Millisecond},
		"talkative": {words: []string{"sh", "-c", start + "exec yes"}, limit: 200 * time.Millisecond},
	} {
		timely.Within(t, 5*time.Second, func() (took time.Duration) {
			os.Remove(pid)
			began := time.Now()
			_, err := c.Get(t.Context(), "test")
			took = time.Since(began)
			if (name != "in time") != errors.Is(err, ErrTimeout) {
				t.Errorf("%s: %v after %v", name, err, took)
			}
			b, err := os.ReadFile(pid)
			if (errors.Is(err, fs.ErrNotExist) || len(b) == 0) && c.limit < CommandLimit {
				c.limit *= 2 // the machine was too busy for it to start anything
				return time.Minute
			}
			must(t, err)
			if !waitGone(t, strings.TrimSpace(string(b))) {
				t.Errorf("%s: what it started still runs", name)
			}
			return took
		})
	}
}

// waitGone waits until a process has ended, even if its parent has not collected its status
// yet.
func waitGone(t *testing.T, pid string) bool {
	t.Helper()
	if _, err := strconv.Atoi(pid); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range 4000 {
		b, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || bytes.Contains(b, []byte(") Z ")) {
			return true
		}
		<-tick.C
	}
	return false
}

func TestACommandSeesOnlyWhatItNeeds(t *testing.T) {
	path := filepath.Join(private(t), "seen")
	for name, value := range map[string]string{
		"HOME": "/home/x", "LC_ALL": "C", "XDG_RUNTIME_DIR": "/run/x", "PASSWORD_STORE_DIR": "/s", "GPG_TTY": "/dev/tty9", "TERM": "x",
		Variable: sample, "AWS_SECRET_ACCESS_KEY": "x", "LD_PRELOAD": "", "CREDENTIALS_DIRECTORY": "/c", "LC": "x",
	} {
		t.Setenv(name, value)
	}
	c := &command{words: []string{"sh", "-c", "env >" + path + "; echo " + sample}, limit: CommandLimit, of: printedKey}
	seen := func() string {
		b, err := os.ReadFile(path)
		must(t, err)
		return "\n" + string(b)
	}
	if _, err := c.Get(t.Context(), "test"); err != nil {
		t.Fatal(err)
	}
	got := seen()
	for _, name := range []string{"PATH", "HOME", "LC_ALL", "XDG_RUNTIME_DIR", "PASSWORD_STORE_DIR", "TERM"} {
		if !strings.Contains(got, "\n"+name+"=") {
			t.Errorf("%s is missing", name)
		}
	}
	for _, name := range []string{Variable, "AWS_SECRET_ACCESS_KEY", "LD_PRELOAD", "CREDENTIALS_DIRECTORY", "LC", "GPG_TTY"} {
		if strings.Contains(got, "\n"+name+"=") {
			t.Errorf("%s is seen", name)
		}
	}
	cmd, read := c.Interactive("test")
	must(t, cmd.Run())
	if k, err := read(); err != nil || k.Expose() != sample {
		t.Error(err)
	}
	if got := seen(); !strings.Contains(got, "\nGPG_TTY=/dev/tty9\n") || strings.Contains(got, Variable) {
		t.Errorf("at the terminal: %s", got)
	}
}

func TestTheStderrOfACommandIsNeverShownRaw(t *testing.T) {
	for script, want := range map[string]string{
		`echo first >&2; printf '\033[2J\033]0;x\007gpg: no \342\200\256agent\n' >&2; exit 2`: "[2J]0;xgpg: no agent",
		`echo the key is ` + sample + ` >&2; exit 2`:                                          "",
		`echo plain-key-0123; echo plain-key-0123 is wrong >&2; exit 2`:                       "",
		`yes long | head -c 100000 | tr -d '\n' >&2; exit 2`:                                  strings.Repeat("long", 50),
	} {
		_, err := shell(script).Get(t.Context(), "test")
		var p *Problem
		if !errors.As(err, &p) || p.Stderr() != want {
			t.Errorf("%s: %q, want %q", script, p.Stderr(), want)
		}
		if want != "" && strings.Contains(err.Error(), want) {
			t.Errorf("the error itself says %s", err)
		}
	}
}

func TestAConfirmedKeyIsRememberedByItsFingerprintAlone(t *testing.T) {
	folder := filepath.Join(private(t), "state")
	k := mustKey(t, "keyWithoutAPrefix0042")
	if c := OpenConfirmed(folder); c.Has(k, Test) || c.Add(k, Test) != nil || !c.Has(k, Test) || c.Has(k, Live) {
		t.Error("not remembered for what it was confirmed for")
	}
	path := filepath.Join(folder, confirmedFile)
	b, err := os.ReadFile(path)
	about, err2 := os.Stat(path)
	if err != nil || err2 != nil || about.Mode().Perm() != 0o600 || strings.Contains(string(b), k.Expose()) {
		t.Errorf("%v %v: %s", err, err2, b)
	}
	again := OpenConfirmed(folder)
	if !again.Has(k, Test) || again.Has(k, Live) || again.Has(mustKey(t, "keyWithoutAPrefix0043"), Test) {
		t.Error("at the next start something else is remembered")
	}
	for i := range maxConfirmed {
		must(t, again.Add(mustKey(t, fmt.Sprintf("anotherKey%04d", i)), Test))
	}
	if c := OpenConfirmed(folder); c.Has(k, Test) || !c.Has(mustKey(t, "anotherKey0031"), Test) {
		t.Error("the oldest is not the one that is forgotten")
	}
	if err := os.Chmod(path, 0o660); err != nil { // others may have written it
		t.Fatal(err)
	}
	if OpenConfirmed(folder).Has(mustKey(t, "anotherKey0031"), Test) {
		t.Error("a file of others is believed")
	}
	here := OpenConfirmed("")
	if here.Add(k, Test) != nil || !here.Has(k, Test) || OpenConfirmed("").Has(k, Test) {
		t.Error("without a folder it is not remembered for this run alone")
	}
	if here.Add(Key{}, Live) != nil || here.Has(Key{}, Live) {
		t.Error("no key is confirmed")
	}
}

func TestAKeyThatReadsLikeLiveIsLive(t *testing.T) {
	for s, want := range map[string]Environment{
		"sk_live_0123456789": Live, "SK_LIVE_0123456789": Live, "live_sk_0123456789": Live, "sk-live-0123456789": Live,
		"sklive0123456789": Live, "sk_prod_0123456789": Live, "PRODUCTION-0123456789": Live, "Sk_Live0123456789": Live,
		"sk_test_0123456789": Test,
		"SK_TEST_0123456789": "", "test_sk_0123456789": "", "sk-test-0123456789": "", "keyWithoutAPrefix": "", "sk_test_live_0123": Test,
		"0123456789abcdeflive": "",
	} {
		if got := mustKey(t, s).Environment(); got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

// team is a journal with all settings.
const team = "[journal]\nstore = \"postgres\"\nurl = \"postgres://paydesk@db.example/payments\" # of the team\nschema = \"shop_1\"\n" +
	"password_command = [\"pass\", \"show\", \"a b\"]\nkey_file = \"/run/team.key\"\nkeep_days = 14\n\n"

func TestEverySettingOfATeamsJournalIsRead(t *testing.T) {
	c, err := load(t, team+"-- profiles/test.toml --\n"+required)
	must(t, err)
	want := Journal{
		Store: "postgres", URL: "postgres://paydesk@db.example/payments", Schema: "shop_1",
		PasswordCommand: NewList("pass", "show", "a b"), KeyFile: "/run/team.key",
	}
	if d := cmp.Diff(want, c.Journal); d != "" || c.KeepDays != 14 {
		t.Error(d)
	}
	shown := strings.Join(want.Shareable(), "\n")
	if strings.Contains(shown, "pass\"") || strings.Contains(shown, "team.key") || !strings.Contains(shown, `schema = "shop_1"`) {
		t.Error(shown)
	}
}

func TestAllURLsOfPostgreSQLAreTaken(t *testing.T) {
	for _, address := range []string{
		"postgresql://paydesk@db.example:5433/payments?sslmode=verify-full&connect_timeout=3", "postgres:///payments?host=/run/postgresql",
		"postgres://a.example,b.example/payments?target_session_attrs=primary", "postgres://a.example:1,b.example:2/payments", "postgres://[::1]:5432/x",
	} {
		if _, err := load(t, "[journal]\nstore = \"postgres\"\nurl = \""+address+"\"\n"); err != nil {
			t.Error(err)
		}
	}
}

// printing is a journal whose password a script prints.
func printing(script string) Journal { return Journal{PasswordCommand: NewList("sh", "-c", script)} }

func TestAPasswordIsTheFirstLineOfItsCommand(t *testing.T) {
	for script, want := range map[string]string{
		"echo 'a b: c'":           "a b: c",
		"printf 'x\\r\\nmore\\n'": "x",
	} {
		if got, err := printing(script).Password(t.Context()); got != want || err != nil {
			t.Errorf("%s: %q %v", script, got, err)
		}
	}
	for script, c := range map[string]struct {
		kind error
		want string
	}{
		"echo secret; echo secret >&2; exit 3":   {ErrFailed, "the password command failed with exit code 3"},
		"printf 'secret\\033[2J\\n'":             {ErrNotAKey, "is not a password"},
		"yes secret | head -c 2000 | tr '\\n' x": {ErrNotAKey, "is not a password"},
	} {
		got, err := printing(script).Password(t.Context())
		var p *Problem
		if got != "" || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || !errors.As(err, &p) || strings.Contains(err.Error()+p.Stderr(), "secret") {
			t.Errorf("%s: %q %v %q", script, got, err, p.Stderr())
		}
	}
}
