package keystore

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	keyring "github.com/zalando/go-keyring"
)

const (
	sample     = "sk_test_0123456789wxyz"
	passphrase = "correct horse battery"
)

func mustKey(t testing.TB, s string) Key {
	t.Helper()
	k, err := ParseKey(s)
	must(t, err)
	return k
}

func TestAKeyIsOneLineOfPlainCharacters(t *testing.T) {
	for _, c := range []struct{ in, want, err string }{
		{sample, sample, ""},
		{sample + "\n", sample, ""},
		{sample + "\r\n", sample, ""},
		{"no-prefix-at-all~!", "no-prefix-at-all~!", ""},
		{strings.Repeat("k", 512), strings.Repeat("k", 512), ""},
		{"", "", "at least 8"},
		{"1234567", "", "at least 8"},
		{strings.Repeat("k", 513), "", "at most 512"},
		{"PK_live_0123456789", "", "a public key"},
		{sample + "\n\n", "", "one line"},
		{sample + "\nsecond", "", "one line"},
		{sample + " ", "", "without spaces"},
		{"sk_test_\x1b[31m01234", "", "without spaces"},
		{"sk_test_01234567é", "", "ASCII"},
		{"sk_test_01234567\xff", "", "ASCII"},
	} {
		k, err := ParseKey(c.in)
		if k.Expose() != c.want || (err == nil) != (c.err == "") {
			t.Errorf("%q: %q, %v", c.in, k.Expose(), err)
		}
		if err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v, want %q", c.in, err, c.err)
		}
		if k.IsZero() != (err != nil) {
			t.Errorf("%q: zero %v with %v", c.in, k.IsZero(), err)
		}
	}
}

func TestLastFourTellsKeysApartButNotShortOnes(t *testing.T) {
	for in, want := range map[string]string{
		sample: "…wxyz", "123456789012": "…9012", "12345678901": "", "12345678": "",
	} {
		if got := mustKey(t, in).LastFour(); got != want {
			t.Errorf("%d characters: %q, want %q", len(in), got, want)
		}
	}
	if got := (Key{}).LastFour(); got != "" {
		t.Errorf("no key: %q", got)
	}
}

// holder contains a key in all the ways that fmt and others may reach it.
type holder struct {
	Open   Key
	closed Key
	any    any
	ptr    *Key
	list   []Key
	byName map[string]Key
}

func TestNoFormattingPrintsAKey(t *testing.T) {
	k := mustKey(t, sample)
	h := holder{k, k, k, &k, []Key{k}, map[string]Key{"k": k}}
	out := map[string]string{}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%T", "%d", "%p", "%08.3f", "%b", "%c", "%U", "%t"} {
		for name, v := range map[string]any{"value": k, "pointer": &k, "struct": h, "pointer to struct": &h, "slice": h.list, "map": h.byName, "array": [1]Key{k}, "in a holder": NewKeyHolder(k), "nested": []any{h}} {
			out[verb+" of "+name] = fmt.Sprintf(verb, v)
		}
	}
	b, err := json.Marshal(map[string]any{"k": k, "h": h, "p": &k, "m": map[string]Key{"a": k}})
	out["json"] = fmt.Sprint(string(b), err)
	b, err = xml.Marshal(struct{ K Key }{k})
	out["xml"] = fmt.Sprint(string(b), err)
	var stream, logged bytes.Buffer
	err = gob.NewEncoder(&stream).Encode(k)
	out["gob"] = fmt.Sprint(stream.String(), err)
	for _, handler := range []slog.Handler{slog.NewTextHandler(&logged, nil), slog.NewJSONHandler(&logged, nil)} {
		slog.New(handler).Info("with", "k", k, "p", &k, "h", h, slog.Group("g", "k", k))
	}
	out["slog"], out["String"] = logged.String(), k.String()
	for route, s := range out {
		for _, part := range []string{sample, "0123456789", "wxyz", fmt.Sprintf("%x", sample), fmt.Sprintf("%X", sample)} {
			if strings.Contains(s, part) {
				t.Errorf("%s shows %q: %s", route, part, s)
			}
		}
	}
	if k.Expose() != sample {
		t.Error("Expose does not give the key")
	}
}

func TestTheKeyIsTakenOutOfTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		value   string
		want    string
		missing bool
		err     string
	}{
		{sample, sample, false, ""},
		{"", "", true, "not set"},
		{"short", "", false, "at least 8"},
		{"with spaces in it", "", false, "spaces"},
	} {
		t.Setenv(Variable, c.value)
		k, err := FromEnv()
		if k.Expose() != c.want || (err == nil) != (c.err == "") || errors.Is(err, ErrNotFound) != c.missing {
			t.Errorf("%q: %v, %v", c.value, k.IsZero(), err)
		}
		if err != nil && (!strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "keyring") || c.value != "" && strings.Contains(err.Error(), c.value)) {
			t.Errorf("%q: %v", c.value, err)
		}
		if _, set := os.LookupEnv(Variable); set {
			t.Errorf("%q: the variable is still there", c.value)
		}
	}
}

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
			if err == nil || strings.Contains(err.Error(), sample) || strings.ContainsAny(err.Error(), "\x1b\n") || len(err.Error()) > 160 ||
				want == nil && !strings.Contains(err.Error(), tryAnother) {
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
		if _, err := s.Get(t.Context(), "test"); err == nil || strings.Contains(err.Error(), sample) || !strings.Contains(err.Error(), tryAnother) {
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
