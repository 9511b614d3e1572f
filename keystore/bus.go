package keystore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/godbus/dbus/v5"
)

const (
	busVariable = "DBUS_SESSION_BUS_ADDRESS"
	needsBus    = runtime.GOOS != "darwin" && runtime.GOOS != "windows" // to reach the keyring
)

// requireBus makes sure that a session bus is running before the keyring is used. Without one
// the D-Bus library would run dbus-launch from PATH, and each call would leave two processes
// behind. The keyrings of macOS and Windows need no bus.
func requireBus() error {
	if !needsBus {
		return nil
	}
	address := findBus(os.Getenv, os.Getuid(), reachable)
	if address == "" {
		return fmt.Errorf("%w: no session bus is running (D-Bus)", ErrNoKeyring)
	}
	if address == os.Getenv(busVariable) {
		return nil
	}
	// The library does not look in XDG_RUNTIME_DIR, and would try the other addresses too, some of which start programs.
	return os.Setenv(busVariable, address)
}

// findBus returns the address of the session bus: the first in the environment whose socket
// answers, otherwise the bus in the user's runtime folder, otherwise "". The address
// "disabled:" means that the user wants no bus.
func findBus(env func(string) string, uid int, answers func(socket string) bool) string {
	address := env(busVariable)
	if strings.HasPrefix(address, "disabled:") {
		return ""
	}
	for one := range strings.SplitSeq(address, ";") {
		if s := socketPath(one); s != "" && answers(s) {
			return one
		}
	}
	for _, folder := range []string{env("XDG_RUNTIME_DIR"), "/run/user/" + strconv.Itoa(uid)} {
		if s := folder + "/bus"; strings.HasPrefix(s, "/") && folder != "" && answers(s) {
			return "unix:path=" + dbus.EscapeBusAddressValue(s)
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

// A KeyringState describes the way to the keyring, found out without a request to the keyring.
type KeyringState struct {
	// NeedsBus is false where the keyring is part of the operating system; the other
	// fields are then empty.
	NeedsBus    bool
	EnvAddress  string // bus address in the environment; "" if unset
	Address     string // address of the bus that answers; "" if none does
	BusErr      error  // why the bus did not answer
	HasService  bool   // a Secret Service is running
	Activatable bool   // the bus would start one on request
	// Collection is the collection for keys: "login", "default", or "" if there is none.
	Collection string
	Locked     bool
}

// Usable reports whether a key can be stored there: the keyring is part of the operating system, or a Secret Service
// runs or would be started.
func (s KeyringState) Usable() bool {
	return !s.NeedsBus || s.BusErr == nil && (s.HasService || s.Activatable)
}

const (
	secretService    = "org.freedesktop.secrets"
	secretObject     = dbus.ObjectPath("/org/freedesktop/secrets")
	secretCollection = "org.freedesktop.Secret.Collection"
	busName          = "org.freedesktop.DBus"
)

// InspectKeyring describes the way to the keyring. It returns when ctx ends at the latest,
// shows no prompt, starts no service and changes nothing. If the bus hangs, one goroutine is
// left behind.
func InspectKeyring(ctx context.Context) KeyringState {
	s := KeyringState{NeedsBus: needsBus, EnvAddress: os.Getenv(busVariable)}
	if !s.NeedsBus {
		return s
	}
	seen := make(chan KeyringState, 1)
	go func(s KeyringState) {
		s.BusErr = s.inspect(ctx)
		seen <- s
	}(s)
	select {
	case s = <-seen:
	case <-ctx.Done():
		s.BusErr = ErrTimeout
	}
	return s
}

func (s *KeyringState) inspect(ctx context.Context) (err error) {
	defer func() {
		if recover() != nil { // the library panics if its bus dies at the wrong moment
			err = errors.New("the connection to the bus broke")
		}
	}()
	if s.Address = findBus(os.Getenv, os.Getuid(), reachable); s.Address == "" {
		return nil
	}
	c, err := dbus.Dial(s.Address, dbus.WithContext(ctx)) // closes the connection when ctx ends
	if err != nil {
		return errors.New("it refuses connections")
	}
	defer c.Close()
	if c.Auth(nil) != nil || c.Hello() != nil {
		return errors.New("it accepts connections but does not behave like a bus")
	}
	return s.queryService(ctx, c)
}

func (s *KeyringState) queryService(ctx context.Context, c *dbus.Conn) error {
	bus := c.BusObject()
	if err := bus.CallWithContext(ctx, busName+".NameHasOwner", 0, secretService).Store(&s.HasService); err != nil {
		return errors.New("it does not report which services are on it")
	}
	if !s.HasService {
		var names []string
		_ = bus.CallWithContext(ctx, busName+".ListActivatableNames", 0).Store(&names) // without an answer, none
		s.Activatable = slices.Contains(names, secretService)
		return nil
	}
	// The keyring library tries them in this order.
	for _, one := range []struct {
		name string
		path dbus.ObjectPath
	}{{"login", secretObject + "/collection/login"}, {"default", secretObject + "/aliases/default"}} {
		var locked dbus.Variant
		err := c.Object(secretService, one.path).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart, secretCollection, "Locked").Store(&locked)
		if is, ok := locked.Value().(bool); err == nil && ok {
			s.Collection, s.Locked = one.name, is
			break
		}
	}
	return nil
}
