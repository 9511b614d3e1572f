package keystore

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	keyring "github.com/zalando/go-keyring"
)

// fake is a backend that fails on demand.
type fake struct {
	mu    sync.Mutex
	keys  map[string]string
	fails error
	hangs chan struct{} // every call waits for it, when not nil
	deaf  bool          // changes succeed and change nothing
	panic bool

	calls atomic.Int32
}

func (f *fake) enter() error {
	f.calls.Add(1)
	if f.panic {
		panic("with " + sample)
	}
	if f.hangs != nil {
		<-f.hangs
	}
	return f.fails
}

func (f *fake) Get(service, user string) (string, error) {
	if err := f.enter(); err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.keys[service+"/"+user]
	if !ok {
		return "", keyring.ErrNotFound
	}
	return s, nil
}

func (f *fake) Set(service, user, secret string) error {
	if err := f.enter(); err != nil || f.deaf {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keys[service+"/"+user] = secret
	return nil
}

func (f *fake) Delete(service, user string) error {
	if _, err := f.Get(service, user); err != nil || f.deaf {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.keys, service+"/"+user)
	return nil
}

func newFake() *fake { return &fake{keys: map[string]string{}} }
func present() error { return nil }

// ring is the fake for a profile without an address, to which no key is sent.
func (f *fake) ring() *addressedRing { return &addressedRing{ring: newRing(f, present)} }

// open is the keyring of this host for a profile.
func open(p Profile) Store {
	p.Source = "keyring"
	return Sources(SourceOptions{})(p)
}

func TestEachFailureHasItsOwnError(t *testing.T) {
	all := []error{ErrNotFound, ErrNoKeyring, ErrLocked, ErrTimeout, ErrUnchanged}
	for said, want := range map[string]error{
		"secret not found in keyring": nil, // as text alone it proves nothing
		"failed to unlock correct collection '/org/freedesktop/secrets/aliases/default'": ErrLocked,
		"dial unix /nonexistent: connect: no such file or directory":                     ErrNoKeyring,
		`exec: "dbus-launch": executable file not found in $PATH`:                        ErrNoKeyring,
		"dbus: connection closed by user":                                                ErrNoKeyring,
		"something else \x1b[2J with " + sample:                                          nil,
	} {
		f := newFake()
		f.fails = errors.New(said)
		_, get := f.ring().Get(t.Context(), "test")
		set := f.ring().Set(t.Context(), "test", mustKey(t, sample))
		del := f.ring().Delete(t.Context(), "test")
		for _, err := range []error{get, set, del} {
			if err == nil || strings.Contains(err.Error(), sample) || strings.ContainsAny(err.Error(), "\x1b\n") || len(err.Error()) > 160 {
				t.Errorf("%q: %v", said, err)
			}
			for _, e := range all {
				if errors.Is(err, e) != (e == want) {
					t.Errorf("%q: is %v: %v", said, e, err)
				}
			}
		}
	}
	for is, want := range map[error]error{keyring.ErrNotFound: ErrNotFound, keyring.ErrUnsupportedPlatform: ErrNoKeyring} {
		f := newFake()
		f.fails = is
		if _, err := f.ring().Get(t.Context(), "test"); !errors.Is(err, want) {
			t.Errorf("%v: %v", is, err)
		}
	}
	f := newFake()
	f.panic = true
	s := f.ring()
	for range 2 { // the second has a turn as well
		if _, err := s.Get(t.Context(), "test"); err == nil || strings.Contains(err.Error(), sample) {
			t.Errorf("a panic: %v", err)
		}
	}
}

func TestAnAbsentKeyringIsNotCalled(t *testing.T) {
	f := newFake()
	s := &addressedRing{ring: newRing(f, func() error { return ErrNoKeyring })}
	_, get := s.Get(t.Context(), "test")
	for _, err := range []error{get, s.Set(t.Context(), "test", mustKey(t, sample)), s.Delete(t.Context(), "test")} {
		if !errors.Is(err, ErrNoKeyring) {
			t.Error(err)
		}
	}
	if n := f.calls.Load(); n != 0 {
		t.Errorf("%d calls", n)
	}
}

func TestADismissedPromptIsNotASuccess(t *testing.T) {
	f := newFake()
	if err := f.ring().Set(t.Context(), "test", Key{}); err == nil {
		t.Error("kept no key")
	}
	f.deaf = true
	if err := f.ring().Set(t.Context(), "test", mustKey(t, sample)); !errors.Is(err, ErrUnchanged) {
		t.Errorf("a key that was not kept: %v", err)
	}
	f.keys["paydesk/test"] = "sk_test_another_key"
	if err := f.ring().Set(t.Context(), "test", mustKey(t, sample)); !errors.Is(err, ErrUnchanged) {
		t.Errorf("the former key stayed: %v", err)
	}
	if err := f.ring().Delete(t.Context(), "test"); !errors.Is(err, ErrUnchanged) {
		t.Errorf("a key that was not removed: %v", err)
	}
}

func TestAProbeEndsInThreeSecondsAndAnActionInSixty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			name string
			ask  func(Store) error
			want time.Duration
		}{
			{"get", func(s Store) error { _, err := s.Get(t.Context(), "test"); return err }, 3 * time.Second},
			{"set", func(s Store) error { return s.Set(t.Context(), "test", mustKey(t, sample)) }, 60 * time.Second},
			{"delete", func(s Store) error { return s.Delete(t.Context(), "test") }, 60 * time.Second},
			{"get with a longer deadline", func(s Store) error { return getWithin(t, s, time.Hour) }, 3 * time.Second},
			{"patient get", func(s Store) error { _, err := s.Get(WithPrompt(t.Context()), "test"); return err }, 60 * time.Second},
		} {
			f := newFake()
			f.hangs = make(chan struct{})
			start := time.Now()
			err := c.ask(f.ring())
			if took := time.Since(start); !errors.Is(err, ErrTimeout) || took != c.want {
				t.Errorf("%s: %v after %v", c.name, err, took)
			}
			close(f.hangs)
		}
	})
}

func getWithin(t *testing.T, s Store, limit time.Duration) error {
	ctx, stop := context.WithTimeout(t.Context(), limit)
	defer stop()
	_, err := s.Get(ctx, "test")
	return err
}

func TestOneHangingCallIsLeftBehindAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.hangs = make(chan struct{})
		f.keys["paydesk/test"] = sample
		s := f.ring()
		if _, err := s.Get(t.Context(), "test"); !errors.Is(err, ErrTimeout) {
			t.Fatal(err)
		}
		for range 5 {
			start := time.Now()
			_, get := s.Get(t.Context(), "test")
			for _, err := range []error{get, s.Set(t.Context(), "test", mustKey(t, sample)), s.Delete(t.Context(), "test")} {
				if !errors.Is(err, ErrTimeout) {
					t.Error(err)
				}
			}
			if took := time.Since(start); took != 3*probeLimit {
				t.Errorf("three calls took %v", took)
			}
		}
		if n := f.calls.Load(); n != 1 {
			t.Errorf("%d calls", n)
		}
		time.AfterFunc(30*time.Second, func() { close(f.hangs) }) // the prompt is answered at last
		for range 2 {
			if k, err := s.Get(WithPrompt(t.Context()), "test"); err != nil || k.Expose() != sample {
				t.Errorf("once it has ended: %v", err)
			}
		}
	})
}
