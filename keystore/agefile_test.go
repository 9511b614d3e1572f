//go:build !windows

package keystore

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAPassphraseFileOpensForItsPassphraseAlone(t *testing.T) {
	folder := filepath.Join(private(t), "paydesk")
	p := Profile{Name: "shop", Source: "age"}
	s := Sources(SourceOptions{Folder: folder})(p).(*ageFile)
	s.factor = 4 // the work of a real one is for people
	if _, err := s.Get(t.Context(), "shop"); !errors.Is(err, ErrNotFound) {
		t.Errorf("before: %v", err)
	}
	for _, key := range []string{"sk_test_the_former_one", sample} {
		given := []byte(passphrase)
		must(t, s.Seal(t.Context(), "shop", mustKey(t, key), given))
		if strings.Trim(string(given), "\x00") != "" {
			t.Error("the passphrase was not wiped")
		}
	}
	path := filepath.Join(folder, "shop.age")
	b, err := os.ReadFile(path)
	if err != nil || bytes.Contains(b, []byte(sample)) {
		t.Fatalf("plain: %v", err)
	}
	if about, _ := os.Stat(path); about.Mode() != 0o600 {
		t.Errorf("mode %v", about.Mode())
	}
	if _, err := s.Get(t.Context(), "shop"); !errors.Is(err, ErrPassphrase) {
		t.Errorf("without the passphrase: %v", err)
	}
	for given, want := range map[string]error{passphrase: nil, "": ErrWrongPassphrase, passphrase + " ": ErrWrongPassphrase} {
		typed := []byte(given)
		k, err := s.Unlock(t.Context(), "shop", typed)
		if !errors.Is(err, want) || want == nil && k.Expose() != sample || want != nil && errors.Is(err, ErrNotAKey) {
			t.Errorf("%d characters: %v", len(given), err)
		}
		if strings.Trim(string(typed), "\x00") != "" {
			t.Error("the passphrase was not wiped")
		}
	}
	if err := s.Seal(t.Context(), "shop", mustKey(t, sample), []byte("short")); err == nil || !strings.Contains(err.Error(), "at least 8") {
		t.Errorf("a short passphrase: %v", err)
	}
	b[len(b)-1] ^= 1
	must(t, os.WriteFile(path, b, 0o600))
	if _, err := s.Unlock(t.Context(), "shop", []byte(passphrase)); !errors.Is(err, ErrNotAKey) {
		t.Errorf("damaged: %v", err)
	}
	must(t, os.Chmod(path, 0o644))
	if err := s.Seal(t.Context(), "shop", mustKey(t, sample), []byte(passphrase)); !errors.Is(err, ErrUnsafe) {
		t.Errorf("over a file that others can read: %v", err)
	}
	must(t, os.Chmod(path, 0o600))
	if err := s.Delete(t.Context(), "shop"); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

func TestAPassphraseFileThatAsksForTooMuchWorkIsNotTried(t *testing.T) {
	path := filepath.Join(private(t), "key.age")
	text := strings.Replace(string(sealText(t, sample)), " 2\n", " 30\n", 1)
	must(t, os.WriteFile(path, []byte(text), 0o600))
	s := Sources(SourceOptions{})(Profile{Name: "a", Source: "age", KeyFile: path}).(Sealed)
	if _, err := s.Unlock(t.Context(), "a", []byte(passphrase)); !errors.Is(err, ErrNotAKey) {
		t.Error(err)
	}
}
