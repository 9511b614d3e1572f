//go:build unix

package screens_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"paydesk/api/sandbox"
	"paydesk/api/timely"
	"paydesk/screens/consoletest"
)

const programKey = "sk_test_CANARYkeyOfThePrograms042"

// serve makes a sandbox that listens, behind a handler when one is given.
func serve(t *testing.T, behind func(http.Handler) http.Handler) (*sandbox.Sandbox, string) {
	t.Helper()
	s := sandbox.New(sandbox.Options{Key: programKey, Seed: 7, Transactions: 40, Settle: 200 * time.Millisecond})
	var handler http.Handler = s
	if behind != nil {
		handler = behind(s)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	s.SetOrigin(server.URL)
	return s, server.URL
}

// profile is a configuration with one profile.
func profile(origin, key string) string {
	return fmt.Sprintf("-- default --\nshop\n-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = %q\nlist_url = %q\nkey = %q\n", origin, origin, key)
}

// noSecret fails when the key or a card was written to the terminal or to a file.
func (v *window) noSecret(e setting) {
	v.t.Helper()
	for _, secret := range consoletest.Secrets(programKey) {
		if bytes.Contains(v.Bytes(), []byte(secret)) {
			v.t.Errorf("a secret was written to the terminal: it begins with %q", secret[:6])
		}
		filepath.Walk(e["HOME"], func(path string, info os.FileInfo, err error) error {
			if err == nil && info.Mode().IsRegular() {
				if held, err := os.ReadFile(path); err != nil || bytes.Contains(held, []byte(secret)) {
					v.t.Errorf("a secret is in %s (%v)", path, err)
				}
			}
			return nil
		})
	}
}

func TestAConfigurationThatIsNowhereIsSaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		set  setting
		says string
	}{
		{[]string{"--config", "/nowhere/paydesk"}, nil, "there is no configuration in /nowhere/paydesk"},
		{nil, setting{"XDG_CONFIG_HOME": "relative"}, "--config"},
		{nil, setting{"XDG_CONFIG_HOME": "", "HOME": ""}, "--config"},
	} {
		e := newSetting(t)
		maps.Copy(e, c.set)
		v := open(t, e, 200, 24, c.args...)
		if s := v.gone(); s != 2 || !v.Has(c.says) || bytes.ContainsRune(v.Bytes(), '\x1b') {
			t.Errorf("%v, %v: it ended with %d:\n%q", c.args, c.set, s, v.Bytes())
		}
	}
}

func TestWithoutAKeyringTheKeyIsAskedForAndUsedForThisRun(t *testing.T) {
	t.Parallel()
	_, origin := serve(t, nil)
	e := newSetting(t)
	e.configure(t, profile(origin, "keyring"))
	var v *window
	timely.Within(t, 4*time.Second, func() time.Duration {
		begun := time.Now()
		v = open(t, e, 80, 24)
		v.Sees("no keyring on this host", "Try the keyring again", "Type the key")
		return time.Since(begun)
	})
	v.Pick("Type the key").Press("enter")
	v.Sees("Enter the key for this run only")
	v.Type("sk_test_CANARYthatIsNotTheKey001").Press("enter")
	v.Sees("The service rejected the key", "Check the secret key")
	v.Type(strings.Repeat("\x7f", 40)) // what was typed is still there
	v.Type(programKey).Press("enter")
	v.Sees("Menu", "key this run …"+programKey[len(programKey)-4:])
	v.leave()
	v.noSecret(e)
}

// asking is a program that has a key and gives it only to a person at its terminal, as pass
// does with a PIN.
const asking = `#!/bin/sh
if ! [ -t 0 ]; then echo "no terminal" >&2; exit 2; fi
printf 'PIN: ' >&2
read -r pin
[ "$pin" = 4711 ] && echo ` + programKey + ` && exit
echo "wrong PIN" >&2
exit 3
`

func TestACommandThatFailsIsRunWithTheTerminalAndTheKeyboardComesBack(t *testing.T) {
	t.Parallel()
	_, origin := serve(t, nil)
	e := newSetting(t)
	program := filepath.Join(t.TempDir(), "vault")
	must(t, os.WriteFile(program, []byte(asking), 0o700))
	e.configure(t, profile(origin, "command")+fmt.Sprintf("key_command = [%q]\n", program))
	v := open(t, e, 80, 24)
	v.Sees("failed with exit code 2", "no terminal", "Run it with the terminal")
	v.Pick("Run it with the terminal").Press("enter")
	v.Sees("PIN:")
	v.Press("1", "enter")
	v.Sees("failed with exit code 3")
	v.Pick("Run it with the terminal").Press("enter")
	v.Sees("wrong PIN\nPIN:") // not the first question, which is still on the screen
	v.Type("4711").Press("enter")
	v.Sees("Menu", "key command …"+programKey[len(programKey)-4:])
	v.Press("2") // every key reaches the console again
	v.Sees(" read at ")
	v.leave()
}

func TestTheProxyOfTheEnvironmentIsGoneWithoutWhenAnOptionSaysSo(t *testing.T) {
	t.Parallel()
	e := newSetting(t)
	e.configure(t, profile("https://payments.example", "env"))
	e["PAYDESK_SECRET_KEY"], e["HTTPS_PROXY"] = programKey, "http://proxy.example:3128"
	for _, args := range [][]string{nil, {"--no-proxy"}} {
		v := open(t, e, 120, 40, args...)
		v.Sees("Menu")
		v.Press("?")
		v.Sees("Keys: Home", "Connected to")
		if shown := v.Has("proxy.example:3128"); shown != (args == nil) {
			t.Errorf("%v: the proxy is shown: %t\n%s", args, shown, v.Screen())
		}
		v.Press("esc")
		v.Sees("Menu")
		v.Press("3")
		v.Sees("▸ Activity", "Key from the environment: other programs can read it.")
		v.leave()
	}
}

var initTrace = regexp.MustCompile(`(?m)^init \S+ @\S+ ms, \S+ ms clock, (\d+) bytes, (\d+) allocs`)

// A package that fills a big table before main begins holds up every start.
func TestNoPackageHoldsUpTheStart(t *testing.T) {
	t.Parallel()
	c := exec.CommandContext(t.Context(), program(t), "--version")
	c.Env = append(newSetting(t).list(), "GODEBUG=inittrace=1")
	out, err := c.CombinedOutput()
	packages := initTrace.FindAllStringSubmatch(string(out), -1)
	if err != nil || len(packages) < 10 {
		t.Fatalf("the trace names %d packages: %v", len(packages), err)
	}
	var bytes, allocations int
	for _, p := range packages {
		b, _ := strconv.Atoi(p[1])
		n, _ := strconv.Atoi(p[2])
		bytes, allocations = bytes+b, allocations+n
	}
	hold(t, "bytes before main", bytes)
	hold(t, "allocations before main", allocations)
}
