package keystore

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// theirs is a profile of another configuration with the name of ours, and another address.
func theirs(source string) Profile {
	p := usual
	p.Source, p.BaseURL = source, "https://evil.example"
	return p
}

func TestAKeyBelongsToTheAddressesItWasGivenFor(t *testing.T) {
	f := newFake()
	shared := newRing(f, present)
	of := func(p Profile) Store { return &addressedRing{shared, p.Origins()} }
	ours, other := of(usual), of(theirs("keyring"))
	must(t, ours.Set(t.Context(), "test", mustKey(t, sample)))
	if want := sample + "\nfor https://payments.example https://sandbox.example"; f.keys["paydesk/test"] != want {
		t.Errorf("stored without its addresses")
	}
	if k, err := ours.Get(t.Context(), "test"); err != nil || k.Expose() != sample {
		t.Fatal(err)
	}
	k, err := other.Get(t.Context(), "test")
	var e *Elsewhere
	if !k.IsZero() || !errors.As(err, &e) || !errors.Is(err, ErrElsewhere) || strings.Contains(err.Error(), sample) ||
		err.Error() != "the key was given for https://payments.example and https://sandbox.example, and this profile would send it to https://evil.example" {
		t.Fatalf("another address: %v", err)
	}
	if _, err := ours.Get(t.Context(), "test"); err != nil { // the question changes nothing
		t.Error(err)
	}
	if k, err := e.Bind(t.Context()); err != nil || k.Expose() != sample {
		t.Error(err)
	}
	if _, err := other.Get(t.Context(), "test"); err != nil {
		t.Errorf("after a yes: %v", err)
	}
	if _, err := ours.Get(t.Context(), "test"); !errors.Is(err, ErrElsewhere) {
		t.Errorf("the former address is not forgotten: %v", err)
	}
}

func TestAKeyStoredWithoutAnAddressIsBoundByOneAnswer(t *testing.T) {
	f := newFake()
	s := &addressedRing{newRing(f, present), usual.Origins()}
	for _, held := range []string{sample, sample + "\n", sample + "\nfor \n"} {
		f.keys["paydesk/test"] = held
		_, err := s.Get(t.Context(), "test")
		var e *Elsewhere
		if !errors.As(err, &e) || len(e.For) != 0 || !strings.HasPrefix(err.Error(), "there is a key, but nothing says which address") {
			t.Fatalf("%q: %v", held, err)
		}
		if k, err := e.Bind(t.Context()); err != nil || k.Expose() != sample {
			t.Error(err)
		}
		if _, err := s.Get(t.Context(), "test"); err != nil {
			t.Error(err)
		}
	}
	f.deaf, f.keys["paydesk/test"] = true, sample
	_, err := s.Get(t.Context(), "test")
	var e *Elsewhere
	if errors.As(err, &e); e == nil {
		t.Fatal(err)
	}
	if k, err := e.Bind(t.Context()); !errors.Is(err, ErrUnchanged) || k.Expose() != sample {
		t.Errorf("a keyring that cannot be written: %v", err)
	}
	e.Wipe()
	if k, _ := e.Bind(t.Context()); !k.IsZero() {
		t.Error("after a no it still has the key")
	}
}

func TestASealedKeyBelongsToItsAddressesToo(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "paydesk")
	of := func(p Profile) *ageFile {
		s := Sources(SourceOptions{Folder: folder})(p).(*ageFile)
		s.factor = 4
		return s
	}
	p := usual
	p.Source = "age"
	ours, other := of(p), of(theirs("age"))
	must(t, ours.Seal(t.Context(), "test", mustKey(t, sample), []byte(passphrase)))
	if k, err := ours.Unlock(t.Context(), "test", []byte(passphrase)); err != nil || k.Expose() != sample {
		t.Fatal(err)
	}
	k, err := other.Unlock(t.Context(), "test", []byte(passphrase))
	var e *Elsewhere
	if !k.IsZero() || !errors.As(err, &e) || !slices.Equal(e.New(), []string{"https://evil.example"}) {
		t.Fatal(err)
	}
	if k, err := e.Bind(t.Context()); err != nil || k.Expose() != sample {
		t.Error(err)
	}
	if _, err := other.Unlock(t.Context(), "test", []byte(passphrase)); err != nil {
		t.Errorf("after a yes: %v", err)
	}
}
