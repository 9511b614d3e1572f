//go:build secretservice

package keystore

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestARealSecretService fails without one. Run it by .ci/secret-service, once in a
// session: it locks the keyring in the end, for the rest of it.
func TestARealSecretService(t *testing.T) {
	if os.Getenv(task) != "" {
		meetKeyring()
		return
	}
	t.Run("keeps, replaces and removes a key", keeps)
	t.Run("has a key for the addresses it was given for", isBound)
	t.Run("is seen without being asked", isSeen)
	t.Run("is told from broken ones", reportsBrokenKeyrings)
	t.Run("says that it is locked", saysThatItIsLocked)
}

// A process has one connection to its bus for good, so each broken set-up needs a
// process of its own: this test, run again with a task.
const task = "PAYDESK_TEST_KEYRING"

func keeps(t *testing.T) {
	s := open(Profile{})
	ctx := t.Context()
	const profile = "secretservice-test"
	if _, err := s.Get(ctx, profile); !errors.Is(err, ErrNotFound) {
		t.Fatalf("there must be a Secret Service, unlocked and without the key: %v", err)
	}
	if err := s.Delete(ctx, profile); !errors.Is(err, ErrNotFound) {
		t.Errorf("removed what is not there: %v", err)
	}
	for _, key := range []string{sample, strings.Repeat("~", 512)} { // the second replaces the first
		must(t, s.Set(ctx, profile, mustKey(t, key)))
		if k, err := s.Get(ctx, profile); err != nil || k.Expose() != key {
			t.Errorf("kept: %v", err)
		}
	}
	if _, err := s.Get(ctx, profile+"-2"); !errors.Is(err, ErrNotFound) {
		t.Errorf("another profile: %v", err)
	}
	if err := s.Delete(ctx, profile); err != nil {
		t.Error(err)
	}
	if _, err := s.Get(ctx, profile); !errors.Is(err, ErrNotFound) {
		t.Errorf("after removing: %v", err)
	}
}

// People store keys with secret-tool too, which keeps the newline they typed. A key that was stored without an address is
// bound by one answer, and another program still finds it on the first line.
func isBound(t *testing.T) {
	store := exec.Command("secret-tool", "store", "--label=test", "service", Service, "username", "bound")
	store.Stdin = strings.NewReader(sample + "\n")
	if out, err := store.CombinedOutput(); err != nil {
		t.Fatalf("secret-tool: %v: %s", err, out)
	}
	ours, theirs := open(usual), open(Profile{BaseURL: "https://evil.example", ListURL: usual.ListURL})
	for _, step := range []struct {
		s    Store
		want string // the addresses that a person is asked about
	}{
		{ours, "https://payments.example https://sandbox.example"}, {ours, ""},
		{theirs, "https://evil.example"}, {theirs, ""}, {ours, "https://payments.example"},
	} {
		k, err := step.s.Get(t.Context(), "bound")
		var e *Elsewhere
		if errors.As(err, &e); (e == nil) != (step.want == "") || e != nil && strings.Join(e.New(), " ") != step.want {
			t.Fatalf("%s: %v", step.want, err)
		}
		if e != nil {
			if k, err = e.Bind(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if k.Expose() != sample {
			t.Error("not the key")
		}
	}
	out, err := exec.Command("secret-tool", "lookup", "service", Service, "username", "bound").Output()
	if first, _, _ := strings.Cut(string(out), "\n"); err != nil || first != sample {
		t.Errorf("%v: not the key on its first line", err)
	}
	if err := ours.Delete(t.Context(), "bound"); err != nil {
		t.Error(err)
	}
}

func isSeen(t *testing.T) {
	s := InspectKeyring(t.Context())
	if s.Address == "" || !s.HasService || s.Collection != "login" || s.Locked || s.BusErr != nil {
		t.Errorf("%+v", s)
	}
	t.Setenv(busVariable, bareBus(t))
	if s := InspectKeyring(t.Context()); s.Address == "" || s.HasService || s.Activatable || s.BusErr != nil {
		t.Errorf("a bus without a service: %+v", s)
	}
}

// Without a display the prompt cannot be shown, so the call fails at once.
func saysThatItIsLocked(t *testing.T) {
	lock := exec.Command("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
		"org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login")
	if out, err := lock.CombinedOutput(); err != nil {
		t.Fatalf("dbus-send: %v: %s", err, out)
	}
	if seen := InspectKeyring(t.Context()); !seen.HasService || !seen.Locked {
		t.Errorf("%+v", seen)
	}
	s := open(Profile{})
	_, get := s.Get(t.Context(), "locked")
	for _, err := range []error{get, s.Set(t.Context(), "locked", mustKey(t, sample)), s.Delete(t.Context(), "locked")} {
		if !errors.Is(err, ErrLocked) {
			t.Errorf("want locked: %v", err)
		}
	}
}
