//go:build !windows

package keystore

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

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
