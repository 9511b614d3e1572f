package keystore

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"

	"github.com/godbus/dbus/v5"
)

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
	s := KeyringState{NeedsBus: runtime.GOOS != "darwin" && runtime.GOOS != "windows", EnvAddress: os.Getenv(busVariable)}
	if !s.NeedsBus {
		return s
	}
	seen := make(chan KeyringState, 1)
	go func() { seen <- s.inspect(ctx) }()
	select {
	case s = <-seen:
	case <-ctx.Done():
		s.BusErr = ErrTimeout
	}
	return s
}

func (s KeyringState) inspect(ctx context.Context) (seen KeyringState) {
	seen = s
	defer func() {
		if recover() != nil { // the library panics if its bus dies at the wrong moment
			seen.BusErr = errors.New("the connection to the bus broke")
		}
	}()
	if seen.Address = firstReachable(findBus(os.Getenv, os.Getuid(), reachable), reachable); seen.Address == "" {
		return seen
	}
	c, err := dbus.Dial(seen.Address, dbus.WithContext(ctx)) // closes the connection when ctx ends
	if err != nil {
		seen.BusErr = errors.New("it refuses connections")
		return seen
	}
	defer c.Close()
	if c.Auth(nil) != nil || c.Hello() != nil {
		seen.BusErr = errors.New("it accepts connections but does not behave like a bus")
		return seen
	}
	seen.queryService(ctx, c)
	return seen
}

func (s *KeyringState) queryService(ctx context.Context, c *dbus.Conn) {
	bus := c.BusObject()
	if err := bus.CallWithContext(ctx, busName+".NameHasOwner", 0, secretService).Store(&s.HasService); err != nil {
		s.BusErr = errors.New("it does not report which services are on it")
		return
	}
	if !s.HasService {
		var names []string
		_ = bus.CallWithContext(ctx, busName+".ListActivatableNames", 0).Store(&names) // without an answer, none
		s.Activatable = slices.Contains(names, secretService)
		return
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
			return
		}
	}
}
