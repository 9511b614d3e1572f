package keystore

import (
	"testing"
)

func TestTheBusIsLookedForBeforeAnyCall(t *testing.T) {
	const stale = "unix:path=/tmp/gone"
	for _, c := range []struct {
		name, address, runtimeDir string
		answering                 []string
		want                      string
	}{
		{"nothing", "", "", nil, ""},
		{"an escaped path", "unix:path=/tmp/a%20bus", "", []string{"/tmp/a bus"}, "unix:path=/tmp/a%20bus"},
		{"an abstract socket that is a file only", "unix:abstract=/tmp/dbus-x", "", []string{"/tmp/dbus-x"}, ""},
		{"stale, but a bus in the user's folder", stale, "", []string{"/run/user/7/bus"}, "unix:path=/run/user/7/bus"},
		{"autolaunch, but a bus in the runtime folder", "autolaunch:", "/run/x y", []string{"/run/x y/bus"}, "unix:path=/run/x%20y/bus"},
		{"disabled, although there is a bus", "disabled:", "/run/user/7", []string{"/run/user/7/bus"}, ""},
		{"the runtime folder", "", "/custom", []string{"/custom/bus", "/run/user/7/bus"}, "unix:path=/custom/bus"},
		{"another user's folder", "", "", []string{"/run/user/8/bus"}, ""},
		{"a bad escape", "unix:path=/tmp/%zz", "", []string{"/tmp/%zz"}, ""},
	} {
		env := map[string]string{busVariable: c.address, "XDG_RUNTIME_DIR": c.runtimeDir}
		got := findBus(func(name string) string { return env[name] }, 7, func(socket string) bool {
			for _, s := range c.answering {
				if s == socket {
					return true
				}
			}
			return false
		})
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
