package inbound_test

import (
	"testing"

	"paydesk/api/inbound"
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

func TestABrowserIsOnlyWhereThePersonIs(t *testing.T) {
	for _, c := range []struct {
		name string
		env  func(string) string
		here bool
	}{
		{"a desktop", env("DISPLAY", ":0"), true},
		{"a Wayland desktop", env("WAYLAND_DISPLAY", "wayland-0"), true},
		{"a console", env(), false},
		{"over SSH", env("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.9 22"), false},
		{"over SSH with a forwarded display", env("SSH_TTY", "/dev/pts/0", "DISPLAY", "localhost:10"), false},
	} {
		here, why := inbound.BrowserHere(c.env)
		if here != c.here || here == (why != "") {
			t.Errorf("%s: %v %q", c.name, here, why)
		}
	}
}

func TestTheTunnelNamesTheHostThePersonReached(t *testing.T) {
	for _, c := range []struct {
		name string
		env  func(string) string
		want string
	}{
		{"here", env("DISPLAY", ":0"), ""},
		{"over SSH", env("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.9 22"), "ssh -L 39000:127.0.0.1:39000 192.0.2.9"},
		{"host unknown", env("SSH_TTY", "/dev/pts/0"), "ssh -L 39000:127.0.0.1:39000 HOST"},
		{"something else in the variable", env("SSH_CONNECTION", "a b $(reboot) d"), "ssh -L 39000:127.0.0.1:39000 HOST"},
	} {
		if got := inbound.TunnelLine(39000, c.env); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestOnlyWebAddressesAreHandedToABrowser(t *testing.T) {
	for _, a := range []string{"", "file:///etc/passwd", "javascript:alert(1)", "-new-window", "HTTPS//x"} {
		if inbound.OpenBrowser(t.Context(), a) == nil {
			t.Errorf("%q was opened", a)
		}
	}
}
