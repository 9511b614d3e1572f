package keystore

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/godbus/dbus/v5"
)

const busVariable = "DBUS_SESSION_BUS_ADDRESS"

// requireBus makes sure that a session bus is running before the keyring is used. Without one
// the D-Bus library would run dbus-launch from PATH, and each call would leave two processes
// behind. The keyrings of macOS and Windows need no bus.
func requireBus() error {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return nil
	}
	address := findBus(os.Getenv, os.Getuid(), reachable)
	if address == "" {
		return fmt.Errorf("%w: no session bus is running (D-Bus)", ErrNoKeyring)
	}
	if address == os.Getenv(busVariable) {
		return nil
	}
	// The library does not look in XDG_RUNTIME_DIR.
	return os.Setenv(busVariable, address)
}

// findBus returns the address of the session bus: the one in the environment if one of its
// sockets answers, otherwise the bus in the user's runtime folder, otherwise "". The address
// "disabled:" means that the user wants no bus.
func findBus(env func(string) string, uid int, answers func(socket string) bool) string {
	address := env(busVariable)
	if strings.HasPrefix(address, "disabled:") {
		return ""
	}
	if firstReachable(address, answers) != "" {
		return address
	}
	for _, folder := range []string{env("XDG_RUNTIME_DIR"), "/run/user/" + strconv.Itoa(uid)} {
		if s := folder + "/bus"; strings.HasPrefix(s, "/") && folder != "" && answers(s) {
			return "unix:path=" + dbus.EscapeBusAddressValue(s)
		}
	}
	return ""
}

// firstReachable returns the first of several addresses where something answers. The library
// would try the others too, and some of them start programs.
func firstReachable(addresses string, answers func(socket string) bool) string {
	for one := range strings.SplitSeq(addresses, ";") {
		if s := socketPath(one); s != "" && answers(s) {
			return one
		}
	}
	return ""
}

// socketPath returns the socket of one D-Bus address in the notation of the net package
// ("@name" for an abstract socket), or "" if the address names no socket.
func socketPath(address string) string {
	parts, ok := strings.CutPrefix(address, "unix:")
	if !ok {
		return ""
	}
	for part := range strings.SplitSeq(parts, ",") {
		name, value, _ := strings.Cut(part, "=")
		value, err := url.PathUnescape(value)
		switch {
		case err != nil || value == "":
		case name == "path":
			return value
		case name == "abstract":
			return "@" + value
		}
	}
	return ""
}

// reachable reports whether something answers at a socket. The file alone proves nothing: it
// may have outlived its bus.
func reachable(socket string) bool {
	c, err := net.Dial("unix", socket)
	if err != nil {
		return false
	}
	c.Close()
	return true
}
