//go:build secretservice

package keystore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"paydesk/api/timely"
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

// reportsBrokenKeyrings tests the keyring with real buses, the real library and real
// processes.
func reportsBrokenKeyrings(t *testing.T) {
	launched, bin := filepath.Join(t.TempDir(), "launched"), t.TempDir()
	script := "#!/bin/sh\necho once >>" + launched + "\n"
	must(t, os.WriteFile(filepath.Join(bin, "dbus-launch"), []byte(script), 0o700))
	type setUp struct{ name, address, get, set string }
	setUps := []setUp{
		{"disabled", "disabled:", "no keyring", "no keyring"},
		{"a bus without a service", bareBus(t), "no keyring", "no keyring"},
		{"the working one", os.Getenv(busVariable), "not found", "kept"},
	}
	if !reachable(fmt.Sprintf("/run/user/%d/bus", os.Getuid())) { // the bus of a desktop would rightly be used
		setUps = append(setUps,
			setUp{"no address", "", "no keyring", "no keyring"},
			setUp{"autolaunch", "autolaunch:", "no keyring", "no keyring"},
			setUp{"a bad address", "nonsense", "no keyring", "no keyring"},
			setUp{"a dead socket", "unix:path=" + deadSocket(t), "no keyring", "no keyring"})
	}
	if seen := t.TempDir(); os.WriteFile(filepath.Join(seen, "x"), []byte("a "+sample), 0o600) != nil || fileWith(t, seen, sample) == "" {
		t.Fatal("a key in a file would not be found")
	}
	for _, c := range setUps {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			timely.Within(t, 4*time.Second, func() (took time.Duration) { // the first answer
				again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestARealSecretService$", "-test.count=1")
				again.Dir = home
				again.Env = append(os.Environ(), task+"="+c.set, busVariable+"="+c.address, "XDG_RUNTIME_DIR=", "PATH="+bin+":"+os.Getenv("PATH"),
					"HOME="+home, "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_CACHE_HOME=", "TMPDIR="+home)
				out, err := again.CombinedOutput()
				said, after, _ := strings.Cut(string(out), "took: ")
				if want := "get: " + c.get + "\nset: " + c.set + "\n"; err != nil || said != want {
					t.Fatalf("want %s, %v: got\n%s", want, err, out)
				}
				after, _, _ = strings.Cut(after, "\n")
				if took, err = time.ParseDuration(after); err != nil {
					t.Fatal(err)
				}
				return took
			})
			for _, folder := range []string{home, os.Getenv("HOME")} {
				if found := fileWith(t, folder, sample); found != "" {
					t.Errorf("the key is readable in %s", found)
				}
			}
		})
	}
	if b, err := os.ReadFile(launched); err == nil {
		t.Errorf("dbus-launch was run: %s", b)
	}
}

// meetKeyring runs in a process of its own. It requests a key as at the start of the program,
// stores one, and prints how long the first answer took. It fails if more than one call is left
// behind.
func meetKeyring() {
	s, start := open(Profile{}), time.Now()
	_, err := s.Get(context.Background(), "broken-test")
	took := time.Since(start)
	fmt.Println("get:", kindOf(err))
	k, _ := ParseKey(sample)
	err = s.Set(context.Background(), "broken-test", k)
	fmt.Println("set:", kindOf(err))
	_ = s.Delete(context.Background(), "broken-test")
	fmt.Println("took:", took)
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	if left := bytes.Count(all, []byte("created by paydesk/keystore")); left > 1 {
		fmt.Printf("%d calls were left behind\n", left)
		os.Exit(1)
	}
}

func kindOf(err error) string {
	if err == nil {
		return "kept"
	}
	for e, name := range map[error]string{
		ErrNotFound: "not found", ErrNoKeyring: "no keyring", ErrLocked: "locked", ErrTimeout: "timeout", ErrUnchanged: "unchanged",
	} {
		if errors.Is(err, e) {
			return name
		}
	}
	return fmt.Sprint(err)
}

// fileWith returns a file below folder that contains text.
func fileWith(t *testing.T, folder, text string) (found string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(text)) {
			found = path
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return found
}

// deadSocket returns a socket whose bus has ended.
func deadSocket(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "dead")
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	must(t, err)
	defer unix.Close(fd)
	must(t, unix.Bind(fd, &unix.SockaddrUnix{Name: path}))
	return path
}

// bareBus returns the address of a bus without a Secret Service that can start none.
func bareBus(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	socket := filepath.Join(folder, "bus")
	config := filepath.Join(folder, "bus.conf")
	text := `<busconfig><type>session</type><listen>unix:path=` + socket + `</listen><policy context="default">` +
		`<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`
	must(t, os.WriteFile(config, []byte(text), 0o600))
	ctx, stop := context.WithCancel(context.Background())
	bus := exec.CommandContext(ctx, "dbus-daemon", "--config-file="+config, "--nofork", "--nopidfile", "--print-address")
	out, err := bus.StdoutPipe()
	must(t, err)
	must(t, bus.Start())
	t.Cleanup(func() {
		stop()
		_ = bus.Wait()
	})
	if _, err := out.Read(make([]byte, 1)); err != nil { // it prints when it listens
		t.Fatal(err)
	}
	return "unix:path=" + socket
}
