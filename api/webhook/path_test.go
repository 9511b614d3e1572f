package webhook

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"paydesk/api/statefile"
)

func TestASecretPathIsMadeOnceForEachProfile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state", "paydesk")
	seen := map[string]bool{}
	for _, profile := range []string{"test", "live", "a.b", "a%b", "../x", "a/b", "", "\x1b[2J"} {
		one, err1 := Path(dir, profile)
		two, err2 := Path(dir, profile)
		if err := errors.Join(err1, err2); err != nil || one != two || seen[one] || !regexp.MustCompile(`^/hooks/[a-z2-7]{26}$`).MatchString(one) {
			t.Errorf("%q: %q and %q, %v", profile, one, two, err)
		}
		seen[one] = true
	}
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		about, _ := f.Info()
		plain := regexp.MustCompile(`^(webhook-path-[A-Za-z0-9%.]*|webhooks\.db\.lock)$`)
		if !plain.MatchString(f.Name()) || runtime.GOOS != "windows" && about.Mode().Perm() != 0o600 {
			t.Errorf("%q %v", f.Name(), about.Mode())
		}
	}
}

func TestConsolesThatMakeASecretPathTogetherShareIt(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("nothing locks there: one that collides says so, and finds the path when it tries again")
	}
	for range 5 {
		dir := filepath.Join(t.TempDir(), "state")
		var all sync.WaitGroup
		var paths [8]string
		for i := range paths {
			all.Go(func() {
				var err error
				if paths[i], err = Path(dir, "test"); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, p := range paths {
			if p != paths[0] || p == "" {
				t.Fatalf("%q", paths)
			}
		}
	}
}

func TestASecretPathThatCannotBeTrustedIsNotUsed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	good, err := Path(dir, "test")
	must(t, err)
	file := filepath.Join(dir, "webhook-path-test")
	for _, text := range []string{"", "\n", "/hooks/", "/", good[:20], good + "x", good + "\n" + good, strings.ToUpper(good), "/hooks/../" + good} {
		os.WriteFile(file, []byte(text), 0o600)
		if got, err := Path(dir, "test"); err == nil || got != "" || !strings.Contains(err.Error(), file+" is damaged; remove it") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	os.WriteFile(file, []byte(good+"\r\n"), 0o600)
	if got, err := Path(dir, "test"); got != good {
		t.Errorf("as an editor left it: %q, %v", got, err)
	}
	os.Remove(file)
	os.Mkdir(file, 0o700)
	if got, err := Path(dir, "test"); err == nil || got != "" {
		t.Errorf("a folder: %q, %v", got, err)
	}
}

func TestASecretPathThatOthersCanReadIsNotUsed(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes here")
	}
	dir := filepath.Join(t.TempDir(), "state")
	if _, err := Path(dir, "test"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "webhook-path-test")
	for path, modes := range map[string][2]os.FileMode{file: {0o640, 0o600}, dir: {0o755, 0o700}} {
		os.Chmod(path, modes[0])
		got, err := Path(dir, "test")
		if err == nil || got != "" || !strings.HasSuffix(err.Error(), "fix it with: "+(&statefile.Exposed{Path: path, Most: modes[1]}).Fix()) {
			t.Errorf("%q, %v", got, err)
		}
		os.Chmod(path, modes[1])
	}
}

// A file that a crash left half-written is replaced.
func TestAHalfWrittenSecretPathIsMadeAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	os.Mkdir(dir, 0o700)
	os.WriteFile(filepath.Join(dir, "webhook-path-test.new"), []byte("/ho"), 0o600)
	if got, err := Path(dir, "test"); err != nil || !isPath(got) {
		t.Errorf("%q, %v", got, err)
	}
}

// A receiver that was killed takes nothing back, and another may have the address since.
func TestOnlyAReceiverThatAnswersIsFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r, _ := receive(t, nil)
	forget, err := Announce(dir, "shop", r.host())
	must(t, err)
	for path, want := range map[string]string{"/hooks/zbcdefghijklmnopqrstuvwxyz": "", secretPath: r.host()} {
		must(t, statefile.WriteFile(pathFile(dir, "shop"), []byte(path+"\n")))
		if got := Announced(t.Context(), dir, "shop"); got != want {
			t.Errorf("%s: %q, not %q", path, got, want)
		}
	}
	if got := Announced(t.Context(), dir, "other"); got != "" {
		t.Errorf("of another profile: %q", got)
	}
	again, err := Announce(dir, "shop", "127.0.0.1:1")
	must(t, err)
	announced := func() string {
		address, _ := readLine(addressFile(dir, "shop"))
		return address
	}
	if forget(); announced() != "127.0.0.1:1" {
		t.Error("the first to end takes back what the second announced")
	}
	if got := Announced(t.Context(), dir, "shop"); got != "" {
		t.Errorf("where nothing answers: %q", got)
	}
	if again(); announced() != "" {
		t.Error("the last to end takes nothing back")
	}
}
