package keystore

import (
	"errors"
	"net"
	"path/filepath"
	"runtime"
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
		{"a runtime folder without a bus", "", "/run/user/7", nil, ""},
		{"a path", "unix:path=/tmp/bus", "", []string{"/tmp/bus"}, "unix:path=/tmp/bus"},
		{"a path with a guid", "unix:path=/tmp/bus,guid=00ff", "", []string{"/tmp/bus"}, "unix:path=/tmp/bus,guid=00ff"},
		{"a guid before the path", "unix:guid=00ff,path=/tmp/bus", "", []string{"/tmp/bus"}, "unix:guid=00ff,path=/tmp/bus"},
		{"an escaped path", "unix:path=/tmp/a%20bus", "", []string{"/tmp/a bus"}, "unix:path=/tmp/a%20bus"},
		{"an abstract socket", "unix:abstract=/tmp/dbus-x", "", []string{"@/tmp/dbus-x"}, "unix:abstract=/tmp/dbus-x"},
		{"an abstract socket that is a file only", "unix:abstract=/tmp/dbus-x", "", []string{"/tmp/dbus-x"}, ""},
		{"the second of two", stale + ";unix:path=/tmp/bus", "", []string{"/tmp/bus"}, stale + ";unix:path=/tmp/bus"},
		{"stale", stale, "", nil, ""},
		{"stale, but a bus in the user's folder", stale, "", []string{"/run/user/7/bus"}, "unix:path=/run/user/7/bus"},
		{"autolaunch", "autolaunch:", "", nil, ""},
		{"autolaunch with a scope", "autolaunch:scope=*user", "", nil, ""},
		{"autolaunch, but a bus in the runtime folder", "autolaunch:", "/run/x y", []string{"/run/x y/bus"}, "unix:path=/run/x%20y/bus"},
		{"disabled", "disabled:", "", nil, ""},
		{"disabled, although there is a bus", "disabled:", "/run/user/7", []string{"/run/user/7/bus"}, ""},
		{"the runtime folder", "", "/custom", []string{"/custom/bus", "/run/user/7/bus"}, "unix:path=/custom/bus"},
		{"the user's folder", "", "", []string{"/run/user/7/bus"}, "unix:path=/run/user/7/bus"},
		{"another user's folder", "", "", []string{"/run/user/8/bus"}, ""},
		{"a relative runtime folder", "", "run", []string{"run/bus"}, ""},
		{"no runtime folder is not the root", "", "", []string{"/bus"}, ""},
		{"tcp", "tcp:host=localhost,port=1", "", nil, ""},
		{"an empty path", "unix:path=", "", []string{""}, ""},
		{"a bad escape", "unix:path=/tmp/%zz", "", []string{"/tmp/%zz"}, ""},
		{"nonsense", "unix", "", nil, ""},
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

func TestASocketFileWithoutABusIsNoBus(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has abstract sockets")
	}
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	if !reachable(path) {
		t.Error("a living socket is not seen")
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	if reachable(path) {
		t.Error("a dead socket is taken for a bus")
	}
	a, err := net.Listen("unix", "@"+path)
	if err != nil {
		t.Fatal(err)
	}
	if !reachable("@" + path) {
		t.Error("an abstract socket is not seen")
	}
	a.Close()
	if reachable("@" + path) {
		t.Error("an abstract socket that is gone is seen")
	}
}

func TestWithoutABusNothingIsStarted(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the keyrings of macOS and Windows need no bus")
	}
	t.Setenv(busVariable, "disabled:")
	if _, err := open(Profile{}).Get(t.Context(), "test"); !errors.Is(err, ErrNoKeyring) {
		t.Error(err)
	}
}
