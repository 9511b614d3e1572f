//go:build !windows

package keystore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAConfirmedKeyIsRememberedByItsFingerprintAlone(t *testing.T) {
	folder := filepath.Join(private(t), "state")
	k := mustKey(t, "keyWithoutAPrefix0042")
	if c := OpenConfirmed(folder); c.Has(k, Test) || c.Add(k, Test) != nil || !c.Has(k, Test) || c.Has(k, Live) {
		t.Error("not remembered for what it was confirmed for")
	}
	path := filepath.Join(folder, confirmedFile)
	b, err := os.ReadFile(path)
	about, err2 := os.Stat(path)
	if err != nil || err2 != nil || about.Mode().Perm() != 0o600 || strings.Contains(string(b), k.Expose()) {
		t.Errorf("%v %v: %s", err, err2, b)
	}
	again := OpenConfirmed(folder)
	if !again.Has(k, Test) || again.Has(k, Live) || again.Has(mustKey(t, "keyWithoutAPrefix0043"), Test) {
		t.Error("at the next start something else is remembered")
	}
	for i := range maxConfirmed {
		must(t, again.Add(mustKey(t, fmt.Sprintf("anotherKey%04d", i)), Test))
	}
	if c := OpenConfirmed(folder); c.Has(k, Test) || !c.Has(mustKey(t, "anotherKey0031"), Test) {
		t.Error("the oldest is not the one that is forgotten")
	}
	if err := os.Chmod(path, 0o660); err != nil { // others may have written it
		t.Fatal(err)
	}
	if OpenConfirmed(folder).Has(mustKey(t, "anotherKey0031"), Test) {
		t.Error("a file of others is believed")
	}
	here := OpenConfirmed("")
	if here.Add(k, Test) != nil || !here.Has(k, Test) || OpenConfirmed("").Has(k, Test) {
		t.Error("without a folder it is not remembered for this run alone")
	}
	if here.Add(Key{}, Live) != nil || here.Has(Key{}, Live) {
		t.Error("no key is confirmed")
	}
}

func TestAKeyThatReadsLikeLiveIsLive(t *testing.T) {
	for s, want := range map[string]Environment{
		"sk_live_0123456789": Live, "SK_LIVE_0123456789": Live, "live_sk_0123456789": Live, "sk-live-0123456789": Live,
		"sklive0123456789": Live, "sk_prod_0123456789": Live, "PRODUCTION-0123456789": Live, "Sk_Live0123456789": Live,
		"sk_test_0123456789": Test,
		"SK_TEST_0123456789": "", "test_sk_0123456789": "", "sk-test-0123456789": "", "keyWithoutAPrefix": "", "sk_test_live_0123": Test,
		"0123456789abcdeflive": "",
	} {
		if got := mustKey(t, s).Environment(); got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}
