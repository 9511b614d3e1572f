package browser

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api/timely"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestABrowserIsOpenedWhereThePersonIsElseATunnelIsNamed(t *testing.T) {
	const tunnel = "ssh -L 39000:127.0.0.1:39000 "
	for _, c := range []struct {
		name   string
		env    func(string) string
		tunnel string
		here   bool
	}{
		{"a desktop", env("DISPLAY", ":0"), "", true},
		{"a Wayland desktop", env("WAYLAND_DISPLAY", "wayland-0"), "", true},
		{"a console", env(), "", false},
		{"over SSH", env("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.9 22"), tunnel + "192.0.2.9", false},
		{"over SSH with a forwarded display", env("SSH_TTY", "/dev/pts/0", "DISPLAY", "localhost:10"), tunnel + "HOST", false},
		{"an IPv4 host seen through IPv6", env("SSH_CONNECTION", "::1 1 ::ffff:192.0.2.9 22"), tunnel + "192.0.2.9", false},
		{"another port", env("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.9 2222"), tunnel + "-p 2222 192.0.2.9", false},
		{"a zone that would run", env("SSH_CONNECTION", "a 1 fe80::1%;reboot 22"), tunnel + "fe80::1", false},
		{"a port that would run", env("SSH_CONNECTION", "a 1 192.0.2.9 22;reboot"), tunnel + "192.0.2.9", false},
	} {
		if why, got := Unavailable("linux", c.env), TunnelCommand(39000, c.env); (why == "") != c.here || got != c.tunnel {
			t.Errorf("%s: %q, %q", c.name, why, got)
		}
	}
	for _, system := range []string{"darwin", "windows"} {
		if why := Unavailable(system, env()); why != "" {
			t.Errorf("%s without DISPLAY: %q", system, why)
		}
	}
}

func TestOnlyWebAddressesAreHandedToABrowser(t *testing.T) {
	for _, a := range []string{
		"", "file:///etc/passwd", "javascript:alert(1)", "-new-window", "--help", "http://bank.example", "https://bank.example/\x1b[2J", "https://bank.example/$(reboot)`reboot`",
	} {
		err := Open(t.Context(), a)
		if err == nil || errors.Is(err, errNoBrowser) || len(a) > 10 && strings.Contains(err.Error(), a) {
			t.Errorf("%q: %v", a, err)
		}
	}
}

func TestTheOpenerIsAnAbsolutePath(t *testing.T) {
	windows := env("SystemRoot", "/windows") // as this system writes paths
	for system, want := range map[string][]string{
		"linux":   {"/usr/bin/xdg-open"},
		"freebsd": {"/usr/local/bin/xdg-open"},
		"darwin":  {"/usr/bin/osascript", "-"},
		"windows": {filepath.Join("/windows", "System32", "rundll32.exe"), "url.dll,FileProtocolHandler"},
	} {
		if d := cmp.Diff(want, opener(system, windows)); d != "" {
			t.Errorf("%s: %s", system, d)
		}
	}
	for what, path := range map[string]string{"a program from PATH": "sh", "a folder": t.TempDir(), "nothing": filepath.Join(t.TempDir(), "none")} {
		if err := run(t.Context(), []string{path, "x"}, ""); !errors.Is(err, errNoBrowser) {
			t.Errorf("%s was run: %v", what, err)
		}
	}
}

// program writes a stand-in for xdg-open.
func program(t *testing.T, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	path := filepath.Join(t.TempDir(), "open")
	must(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700))
	return path
}

func TestABrowserGetsOneArgumentAndNoSecrets(t *testing.T) {
	t.Setenv("PAYDESK_SECRET_KEY", "sk_test_0123456789")
	t.Setenv("BROWSER", "sh -c reboot")
	t.Setenv("DISPLAY", ":7")
	out := filepath.Join(t.TempDir(), "out")
	const address = "https://bank.example/acs?a=1&b=$(id)%20;x&redirect=true#f"
	path := program(t, `{ printf '%s\n' "$#" "$1"; readlink /proc/self/fd/0; env | cut -d= -f1; } >`+out)
	must(t, run(t.Context(), []string{path, address}, ""))
	b, err := os.ReadFile(out)
	must(t, err)
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	if lines[0] != "1" || lines[1] != address {
		t.Errorf("it was given %q", lines[:2])
	}
	if runtime.GOOS == "linux" && lines[2] != os.DevNull {
		t.Errorf("it reads from %s", lines[2])
	}
	if !slices.Contains(lines, "DISPLAY") {
		t.Error("it does not know the display")
	}
	for _, name := range lines[2:] {
		if !slices.Contains(inherited, name) && !slices.Contains([]string{"PWD", "OLDPWD", "SHLVL", "_", os.DevNull}, name) {
			t.Errorf("it was given %s", name)
		}
	}
}

func TestABrowserThatFailsOrHangsIsAnErrorWithoutTheAddress(t *testing.T) {
	const address = "https://bank.example/secret-path"
	err := run(t.Context(), []string{program(t, "exit 3"), address}, "")
	if err == nil || strings.Contains(err.Error(), "secret-path") {
		t.Error(err)
	}
	hangs := program(t, "exec sleep 60")
	timely.Within(t, openLimit, timely.Took(func() {
		ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer stop()
		if err := run(ctx, []string{hangs, address}, ""); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	}))
}
