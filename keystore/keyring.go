package keystore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	keyring "github.com/zalando/go-keyring"
)

var errEmptyKey = errors.New("there is no key to store")

// Open is the operating system's keyring behind its guard. Opening asks nothing.
// Calls take turns and end with their context. A Get waits [ProbeLimit] at most, since
// nobody may have asked for it; in a ctx of [WithPrompt], as a Set or Delete, it waits
// [ActionLimit]. A change is read back, because a dismissed prompt looks like success.
//
// A call that hangs cannot be stopped, only left. While it hangs, every further
// call is [ErrTimeout] at once, so at most one is ever left behind (R70); a patient one
// waits for its prompt to be answered. A change that was left may still be made then.
func Open() Store { return newRing(system{}, requireBus) }

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

// WithPrompt is a ctx in which a person asks and can answer the keyring's prompt.
func WithPrompt(ctx context.Context) context.Context {
	return context.WithValue(ctx, promptContext{}, true)
}

type promptContext struct{}

func canPrompt(ctx context.Context) bool { return ctx.Value(promptContext{}) != nil }

type ring struct {
	backend  backend
	precheck func() error // asked before each call of the backend

	mu      sync.Mutex
	current *call // under way; nil when it is nobody's turn
}

// A call is one turn at the backend.
type call struct {
	ended     chan struct{} // closed when the backend has returned
	abandoned chan struct{} // closed when it was given up before
}

type callResult struct {
	key Key
	err error
}

func newRing(b backend, ready func() error) *ring { return &ring{backend: b, precheck: ready} }

func (r *ring) Name() string { return "keyring" }

func (r *ring) Get(ctx context.Context, profile string) (Key, error) {
	return r.do(ctx, ProbeLimit, func() (Key, error) { return r.read(profile) })
}

func (r *ring) Set(ctx context.Context, profile string, k Key) error {
	if k.IsZero() {
		return errEmptyKey
	}
	_, err := r.do(ctx, ActionLimit, func() (Key, error) {
		if err := r.backend.Set(Service, profile, k.Expose()); err != nil {
			return Key{}, classify(err)
		}
		kept, err := r.read(profile)
		if errors.Is(err, ErrNotFound) || err == nil && kept.Expose() != k.Expose() {
			return Key{}, fmt.Errorf("%w: it did not store the key; its prompt may have been dismissed", ErrUnchanged)
		}
		return Key{}, err
	})
	return err
}

func (r *ring) Delete(ctx context.Context, profile string) error {
	_, err := r.do(ctx, ActionLimit, func() (Key, error) {
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

// read asks the backend and believes only what can be a key: on macOS the answer
// is whatever a program printed.
func (r *ring) read(profile string) (Key, error) {
	s, err := r.backend.Get(Service, profile)
	if err != nil {
		return Key{}, classify(err)
	}
	k, err := ParseKey(s)
	if err != nil {
		return Key{}, &Problem{Kind: ErrNotAKey, Message: "the keyring entry for this profile is not a valid secret key: " + err.Error(), Hint: "store the key again"}
	}
	return k, nil
}

// do runs ask when nobody else asks, and waits for it until ctx ends.
func (r *ring) do(ctx context.Context, limit time.Duration, ask func() (Key, error)) (Key, error) {
	if canPrompt(ctx) {
		limit = ActionLimit
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	c, err := r.acquire(ctx)
	if err != nil {
		return Key{}, err
	}
	answers := make(chan callResult, 1) // buffered, so that a call that was left can end
	go func() {
		k, err := callRecovering(r.precheck, ask)
		r.release(c)
		answers <- callResult{k, err}
	}()
	select {
	case a := <-answers:
		return a.key, a.err
	case <-ctx.Done():
		close(c.abandoned)
		return Key{}, waitError(ctx)
	}
}

// acquire takes the turn, or says why it cannot be had.
func (r *ring) acquire(ctx context.Context) (*call, error) {
	for {
		if ctx.Err() != nil {
			return nil, waitError(ctx)
		}
		mine, other := r.tryAcquire()
		if mine != nil {
			return mine, nil
		}
		left := other.abandoned
		if canPrompt(ctx) {
			left = nil // whoever answers the prompt of the other ends it
		}
		select {
		case <-other.ended:
		case <-left:
			return nil, fmt.Errorf("%w: an earlier keyring prompt is still open; answer or close it, or restart paydesk", ErrTimeout)
		case <-ctx.Done():
			return nil, waitError(ctx)
		}
	}
}

// tryAcquire gives a call of one's own, or the one that is in the way.
func (r *ring) tryAcquire() (mine, other *call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.current != nil {
		return nil, r.current
	}
	r.current = &call{make(chan struct{}), make(chan struct{})}
	return r.current, nil
}

func (r *ring) release(c *call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.current = nil
	close(c.ended)
}

// callRecovering survives a library that panics when its bus dies under an open prompt. What
// it panicked with is not shown: it may hold anything.
func callRecovering(ready func() error, ask func() (Key, error)) (k Key, err error) {
	defer func() {
		if recover() != nil {
			k, err = Key{}, errors.New("the keyring library crashed")
		}
	}()
	if err := ready(); err != nil {
		return Key{}, err
	}
	return ask()
}

// waitError says why nobody waits any more.
func waitError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: it may be showing a prompt on another display", ErrTimeout)
	}
	return fmt.Errorf("waiting for the keyring was cancelled: %w", ctx.Err())
}

// errorPatterns are the words by which the Secret Service and its bus are understood;
// their errors have no types.
var errorPatterns = []struct {
	words string
	means error
	told  string
}{
	{"failed to unlock correct collection", ErrLocked, "unlock it, or log in to a desktop that does, and try again"},
	{"not provided by any .service files", ErrNoKeyring, "its bus has no Secret Service, such as gnome-keyring or KWallet"},
	{"disconnected from message bus", ErrNoKeyring, "its Secret Service ended during the request"},
	{"dbus: invalid bus address", ErrNoKeyring, "the address of its bus (D-Bus) is invalid"},
	{"dbus-launch", ErrNoKeyring, "no session bus is running (D-Bus)"},
	{"dial unix", ErrNoKeyring, "its bus (D-Bus) does not answer"},
	{"connection closed", ErrNoKeyring, "its bus (D-Bus) has ended"},
}

// classify words an error of the backend. The backend's own words are not
// shown: they come from outside, and nobody promises what they hold.
func classify(err error) error {
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNotFound
	case errors.Is(err, keyring.ErrUnsupportedPlatform):
		return fmt.Errorf("%w: paydesk supports none on this system", ErrNoKeyring)
	}
	for _, s := range errorPatterns {
		if strings.Contains(err.Error(), s.words) {
			return fmt.Errorf("%w: %s", s.means, s.told)
		}
	}
	return errors.New("the keyring failed for an unknown reason")
}
