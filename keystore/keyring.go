package keystore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	keyring "github.com/zalando/go-keyring"
)

var errEmptyKey = errors.New("there is no key to store")

// A ring is a keyring. It sends nothing before its first call. Calls run one at a
// time and end with their context. A Get waits for at most 3 s, because it may run
// without a person; with [WithPrompt], and for Set and Delete, the limit is 60 s. Set
// and Delete check their result by reading it back, because the library reports success when a
// prompt is dismissed.
//
// A call that hangs cannot be stopped, only abandoned, and may still take effect. At most one is left behind: until it
// returns, another call waits 3 s for it, or with [WithPrompt] until the person has answered its prompt.
type ring struct {
	backend  backend
	precheck func() error  // runs before each call of the backend
	busy     chan struct{} // holds a token while a call is in progress
}

func newRing(b backend, ready func() error) *ring {
	return &ring{backend: b, precheck: ready, busy: make(chan struct{}, 1)}
}

// An addressedRing is the keyring for a profile: its keys are bound to the profile's origins.
type addressedRing struct {
	*ring
	origins []string
}

// A backend is a keyring that may fail, hang or panic.
type backend interface {
	Get(service, user string) (string, error)
	Set(service, user, secret string) error
	Delete(service, user string) error
}

// system is the keyring of the operating system.
type system struct{}

func (system) Get(service, user string) (string, error) { return keyring.Get(service, user) }
func (system) Set(service, user, secret string) error   { return keyring.Set(service, user, secret) }
func (system) Delete(service, user string) error        { return keyring.Delete(service, user) }

// WithPrompt returns a context for a call by a person who can answer the keyring's prompt.
func WithPrompt(ctx context.Context) context.Context {
	return context.WithValue(ctx, promptContext{}, true)
}

type promptContext struct{}

func (*addressedRing) Name() string { return "keyring" }

func (r *addressedRing) Get(ctx context.Context, profile string) (Key, error) {
	return r.do(ctx, probeLimit, func() (Key, error) {
		k, given, err := r.read(profile)
		if err != nil {
			return Key{}, err
		}
		return ForAddress(k, given, r.origins, func(ctx context.Context) error { return r.Set(ctx, profile, k) })
	})
}

func (r *addressedRing) Set(ctx context.Context, profile string, k Key) error {
	if k.IsZero() {
		return errEmptyKey
	}
	_, err := r.do(ctx, actionLimit, func() (Key, error) {
		if err := r.backend.Set(Service, profile, formatEntry(k, r.origins)); err != nil {
			return Key{}, classify(err)
		}
		kept, origins, err := r.read(profile)
		if errors.Is(err, ErrNotFound) || err == nil && formatEntry(kept, origins) != formatEntry(k, r.origins) {
			return Key{}, fmt.Errorf("%w: it did not store the key; its prompt may have been dismissed", ErrUnchanged)
		}
		return Key{}, err
	})
	return err
}

func (r *addressedRing) Delete(ctx context.Context, profile string) error {
	_, err := r.do(ctx, actionLimit, func() (Key, error) {
		if err := r.backend.Delete(Service, profile); err != nil {
			return Key{}, classify(err)
		}
		_, err := r.backend.Get(Service, profile)
		switch {
		case err == nil:
			return Key{}, fmt.Errorf("%w: it still has the key; its prompt may have been dismissed", ErrUnchanged)
		case errors.Is(err, keyring.ErrNotFound):
			return Key{}, nil
		}
		return Key{}, classify(err)
	})
	return err
}

// read parses what the backend returns: on macOS that is whatever a program printed.
func (r *ring) read(profile string) (k Key, origins []string, err error) {
	s, err := r.backend.Get(Service, profile)
	if err != nil {
		return Key{}, nil, classify(err)
	}
	if k, origins, err = parseEntry([]byte(s)); err != nil {
		err = problem(ErrNotAKey, "the keyring entry for this profile is not a valid secret key: "+err.Error(), "store the key again")
	}
	return k, origins, err
}

// do runs f once no other call is in progress, and waits for it until ctx ends.
func (r *ring) do(ctx context.Context, limit time.Duration, f func() (Key, error)) (Key, error) {
	patience := probeLimit
	if ctx.Value(promptContext{}) != nil {
		patience, limit = actionLimit, actionLimit
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	if ctx.Err() != nil {
		return Key{}, waitError(ctx)
	}
	select {
	case r.busy <- struct{}{}:
	case <-time.After(patience):
		return Key{}, fmt.Errorf("%w: an earlier keyring prompt is still open; answer or close it, or restart paydesk", ErrTimeout)
	case <-ctx.Done():
		return Key{}, waitError(ctx)
	}
	var k Key
	var err error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() { <-r.busy }()
		k, err = r.run(f)
	}()
	select {
	case <-ended:
		return k, err
	case <-ctx.Done():
		return Key{}, waitError(ctx)
	}
}

// run calls f. It recovers from panics: the library panics when its bus dies while a prompt is open. The panic value is
// not shown, because it may contain anything.
func (r *ring) run(f func() (Key, error)) (k Key, err error) {
	defer func() {
		if recover() != nil {
			k, err = Key{}, problem(ErrFailed, "the keyring library crashed", tryAnother)
		}
	}()
	if err := r.precheck(); err != nil {
		return Key{}, err
	}
	return f()
}

// waitError returns the reason why a call stopped waiting.
func waitError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: it may be showing a prompt on another display", ErrTimeout)
	}
	return fmt.Errorf("waiting for the keyring was cancelled: %w", ctx.Err())
}

const tryAnother = "try again, or choose another place for the key"

// errorPatterns recognizes the errors of the Secret Service and its bus by their text, since
// they have no types.
var errorPatterns = []struct {
	words string
	means error
	hint  string
}{
	{"failed to unlock correct collection", ErrLocked, "unlock it, or log in to a desktop that does, and try again"},
	{"not provided by any .service files", ErrNoKeyring, "its bus has no Secret Service, such as gnome-keyring or KWallet"},
	{"disconnected from message bus", ErrNoKeyring, "its Secret Service ended during the request"},
	{"dbus: invalid bus address", ErrNoKeyring, "the address of its bus (D-Bus) is invalid"},
	{"dbus-launch", ErrNoKeyring, "no session bus is running (D-Bus)"},
	{"dial unix", ErrNoKeyring, "its bus (D-Bus) does not answer"},
	{"connection closed", ErrNoKeyring, "its bus (D-Bus) has ended"},
}

// classify translates an error of the backend. It never passes on the original text, which
// comes from outside and may contain anything.
func classify(err error) error {
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNotFound
	case errors.Is(err, keyring.ErrUnsupportedPlatform):
		return fmt.Errorf("%w: paydesk supports none on this system", ErrNoKeyring)
	}
	for _, s := range errorPatterns {
		if strings.Contains(err.Error(), s.words) {
			return fmt.Errorf("%w: %s", s.means, s.hint)
		}
	}
	return problem(ErrFailed, "the keyring failed for an unknown reason", tryAnother)
}
