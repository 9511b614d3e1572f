//go:build linux

package command_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"paydesk/api/sandbox"
	"paydesk/keystore/keystoretest"
	"paydesk/screens/cli/clitest"
)

// The tests of the program run it as a process of its own, on a pseudo-terminal where something is typed.

const canary = "sk_test_CANARY0042"

func TestMain(m *testing.M) { clitest.Main(m) }

// A host is a home folder with a configuration file, an empty environment, and a service.
type host struct {
	t    *testing.T
	home string
	env  map[string]string
	said bytes.Buffer // everything that was ever written
}

func newHost(t *testing.T, source, address string) *host {
	t.Helper()
	h := &host{t: t, home: t.TempDir()}
	h.env = map[string]string{
		"HOME": h.home, "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/nowhere", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
		"XDG_CONFIG_HOME": h.home + "/config", "XDG_STATE_HOME": h.home + "/state", "XDG_RUNTIME_DIR": h.home,
	}
	text := "-- default --\nshop\n-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = \"" + address + "\"\nlist_url = \"" + address + "\"\nkey = \"" + source + "\"\n"
	keystoretest.Write(t, h.home+"/config/paydesk", text)
	t.Cleanup(h.searchForKey)
	return h
}

// searchForKey fails if the key appears in any output or file.
func (h *host) searchForKey() {
	if strings.Contains(h.said.String(), "CANARY") {
		h.t.Errorf("the key was said: %q", h.said.String())
	}
	err := filepath.WalkDir(h.home, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte("CANARY")) {
			h.t.Errorf("the key is in %s", path)
		}
		return err
	})
	if err != nil {
		h.t.Error(err)
	}
}

func (h *host) command(args ...string) *exec.Cmd {
	if args[0] != "doctor" {
		args = append([]string{"key"}, args...)
	}
	var environ []string
	for name, value := range h.env {
		environ = append(environ, name+"="+value)
	}
	return clitest.Program(environ, args...)
}

// run runs a command without a terminal.
func (h *host) run(piped string, args ...string) (said string, status int) {
	h.t.Helper()
	c := h.command(args...)
	c.Stdin = strings.NewReader(piped)
	out, err := c.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		h.t.Fatal(err)
	}
	h.said.Write(out)
	return string(out), c.ProcessState.ExitCode()
}

// A terminal is a pseudo-terminal in which a command runs.
type terminal struct {
	h       *host
	c       *exec.Cmd
	master  *os.File
	tty     *os.File
	screen  bytes.Buffer
	came    chan []byte
	echoing uint32 // the settings before
}

func (h *host) start(args ...string) *terminal {
	h.t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		h.t.Fatal(err)
	}
	s := &terminal{h: h, c: h.command(args...), master: master, tty: tty, came: make(chan []byte, 64)}
	h.t.Cleanup(func() { master.Close(); tty.Close() })
	s.echoing = s.settings()
	s.c.Stdin, s.c.Stdout, s.c.Stderr = tty, tty, tty
	s.c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.c.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = s.c.Process.Kill() })
	go func() {
		for {
			b := make([]byte, 4096)
			n, err := master.Read(b)
			if err != nil {
				close(s.came)
				return
			}
			s.came <- b[:n]
		}
	}()
	return s
}

// settings returns how the terminal treats input.
func (s *terminal) settings() uint32 {
	s.h.t.Helper()
	t, err := unix.IoctlGetTermios(int(s.tty.Fd()), unix.TCGETS)
	if err != nil {
		s.h.t.Fatal(err)
	}
	return t.Lflag
}

// waitFor waits until the terminal shows new text that contains words.
func (s *terminal) waitFor(words string) *terminal {
	s.h.t.Helper()
	limit := time.After(20 * time.Second)
	for !strings.Contains(s.screen.String(), words) {
		select {
		case b, open := <-s.came:
			if !open {
				s.h.t.Fatalf("the terminal ended before it showed %q: %q", words, s.screen.String())
			}
			s.screen.Write(b)
			s.h.said.Write(b)
		case <-limit:
			s.h.t.Fatalf("it does not show %q: %q", words, s.screen.String())
		}
	}
	_, rest, _ := strings.Cut(s.screen.String(), words)
	s.screen.Reset()
	s.screen.WriteString(rest)
	return s
}

// waitHidden waits until the terminal stops echoing input.
func (s *terminal) waitHidden() *terminal {
	s.h.t.Helper()
	for begun := time.Now(); s.settings()&unix.ECHO != 0; {
		if time.Since(begun) > 10*time.Second {
			s.h.t.Fatal("what is typed would be shown")
		}
	}
	return s
}

func (s *terminal) send(text string) *terminal {
	s.h.t.Helper()
	if _, err := io.WriteString(s.master, text); err != nil {
		s.h.t.Fatal(err)
	}
	return s
}

// waitExit waits for the end of the command and checks that the terminal is as before.
func (s *terminal) waitExit(status int) {
	s.h.t.Helper()
	_ = s.c.Wait()
	if s.c.ProcessState.ExitCode() != status {
		s.h.t.Errorf("it ended with %v, want %d: %q", s.c.ProcessState, status, s.screen.String())
	}
	if s.settings() != s.echoing {
		s.h.t.Error("the terminal is not as it was")
	}
}

// service is a sandbox that accepts the test key.
func service(t *testing.T) string {
	t.Helper()
	box := sandbox.New(sandbox.Options{Key: canary, Transactions: 3})
	server := httptest.NewServer(box)
	t.Cleanup(func() { server.Close(); box.Close() })
	return server.URL
}

// sealCheaply replaces the sealed file by one that is as easy to open as can be. Of the program's own
// each passphrase takes about a second of the processor.
func (h *host) sealCheaply(passphrase string) {
	h.t.Helper()
	recipient, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		h.t.Fatal(err)
	}
	recipient.SetWorkFactor(1)
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, recipient)
	if err != nil {
		h.t.Fatal(err)
	}
	_, address, _ := strings.Cut(keystoretest.Read(h.t, h.home+"/config/paydesk"), "base_url = \"")
	address, _, _ = strings.Cut(address, "\"")
	_, err = io.WriteString(w, canary+"\nfor "+address+"\n")
	if err := errors.Join(err, w.Close(), os.WriteFile(h.home+"/config/paydesk/shop.age", sealed.Bytes(), 0o600)); err != nil {
		h.t.Fatal(err)
	}
}

// It takes seconds: the program works for one on each passphrase.
func TestAKeyIsTypedUnseenAndSealed(t *testing.T) {
	t.Parallel()
	h := newHost(t, "age", service(t))
	s := h.start("set").waitFor("Secret key of profile shop").waitHidden()
	for _, file := range []string{"cmdline", "environ"} {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", s.c.Process.Pid, file))
		if strings.Contains(string(b), "CANARY") {
			t.Errorf("the key is in %s: %v", file, err)
		}
	}
	s.send(canary + "\n").waitFor("Verifying the key")
	s.waitFor("New passphrase").waitHidden().send("correct horse\n")
	s.waitFor("Repeat").waitHidden().send("correct horse\n")
	s.waitFor("…0042 of profile shop is sealed in ").waitExit(0)
	about, err := os.Stat(h.home + "/config/paydesk/shop.age")
	if err != nil || about.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", about, err)
	}

	s = h.start("show").waitFor("Passphrase of the key").waitHidden().send("correct horse\n")
	s.waitFor("…0042").waitFor("last worked  20").waitExit(0)

	h.sealCheaply("correct horse")
	s = h.start("show").waitFor("Passphrase of the key").waitHidden().send("wrong horse\n")
	s.waitFor("wrong passphrase").waitExit(1)
	s = h.start("doctor").waitFor("Passphrase of the key").waitHidden().send("correct horse\n")
	s.waitFor("key accepted").waitFor("returned a page of transactions").waitFor("authentication path").waitFor("Failed: 0.").waitExit(0)

	h.start("delete").waitFor("[y/N]").send("\n").waitFor("Nothing was removed").waitExit(1)
	h.start("delete").waitFor("[y/N]").send("y\n").waitFor("the key was removed").waitExit(0)
	if _, err := os.Stat(h.home + "/config/paydesk/shop.age"); err == nil {
		t.Error("the file is there still")
	}
}

// A shell gives the terminal its own settings while the program is stopped.
func TestAKeyIsTypedUnseenAfterAStop(t *testing.T) {
	t.Parallel()
	s := newHost(t, "age", service(t)).start("set").waitFor("Secret key of profile shop").waitHidden()
	shown, err := unix.IoctlGetTermios(int(s.tty.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	shown.Lflag |= unix.ECHO
	if err := unix.IoctlSetTermios(int(s.tty.Fd()), unix.TCSETS, shown); err != nil {
		t.Fatal(err)
	}
	if err := s.c.Process.Signal(unix.SIGCONT); err != nil {
		t.Fatal(err)
	}
	s.waitFor("Secret key of profile shop").waitHidden().send("\x03").waitExit(130)
}

func TestAProgramThatAsksGetsTheTerminal(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "pass")
	text := "#!/bin/sh\ntest -t 0 || exit 3\nprintf 'PIN? ' >&2\nread pin\ntest \"$pin\" = 7 && echo " + canary + "\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	h := newHost(t, "command\"\nkey_command = [\""+script+"\"]\n#", service(t))
	h.start("show").waitFor("failed without a terminal").waitFor("PIN? ").send("7\n").waitFor("…0042").waitExit(0)
	h.start("doctor").waitFor("PIN? ").send("7\n").waitFor("command has the key …0042").waitFor("Failed: 0.").waitExit(0)
	h.start("show").waitFor("PIN? ").send("8\n").waitFor("failed with exit code 1").waitExit(1)
	s := h.start("show").waitFor("PIN? ")
	if err := s.c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.waitExit(143)
	if said, status := h.run("", "show"); status != 1 || !strings.Contains(said, "failed with exit code 3") {
		t.Errorf("%d: %s", status, said)
	}
}

func TestTwoPassphrasesThatDifferSealNothing(t *testing.T) {
	t.Parallel()
	h := newHost(t, "keyring", service(t))
	s := h.start("set", "--age").waitFor("Secret key").waitHidden().send(canary + "\n")
	s.waitFor("New passphrase").waitHidden().send("correct horse\n").waitFor("Repeat").waitHidden().send("correct house\n")
	s.waitFor("the passphrases do not match").waitExit(1)
	if _, err := os.Stat(h.home + "/config/paydesk/shop.age"); err == nil {
		t.Error("something was sealed")
	}
}

func TestASignalWhileAKeyIsTypedLeavesTheTerminalAsItWas(t *testing.T) {
	t.Parallel()
	h := newHost(t, "keyring", service(t))
	h.start("set").waitFor("Secret key").waitHidden().send("sk_test_CANARY").send("\x03").waitExit(130)
	for sign, status := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGQUIT: 131, syscall.SIGSEGV: 139} {
		s := h.start("set").waitFor("Secret key").waitHidden().send("sk_test_CANARY")
		if err := s.c.Process.Signal(sign); err != nil {
			t.Fatal(err)
		}
		s.waitExit(status)
	}
}

func TestAKeyAsAnArgumentEndsTheProgram(t *testing.T) {
	t.Parallel()
	h := newHost(t, "keyring", service(t))
	for _, args := range [][]string{{"set", canary}, {"set", "--secret-key=" + canary}, {"--key", canary, "set"}} {
		if said, status := h.run("", args...); status != 2 || !strings.Contains(said, "never an argument") {
			t.Errorf("%d: %s", status, said)
		}
	}
	if said, status := h.run("", "shout"); status != 2 || !strings.Contains(said, "needs one of its commands") {
		t.Errorf("%d: %s", status, said)
	}
}

func TestTheDoctorOfThreeSituations(t *testing.T) {
	t.Parallel()
	here := service(t)
	for name, c := range map[string]struct {
		source, address, key string
		status               int
		want                 []string
	}{
		"all is well": {"env", here, canary, 0, []string{
			"ok       configuration", "skipped  keyring", "ok       key source           env has the key …0042", "ok       reach base_url", "ok       clock",
			"ok       key accepted", "ok       key header", "ok       status path", "ok       authentication path", "Failed: 0.",
		}},
		"no network": {"env", "http://127.0.0.1:1", canary, 1, []string{"failed   reach base_url       127.0.0.1:1: ", "skipped  clock", "skipped  key accepted", "Failed: 1."}},
		"wrong key":  {"env", here, "sk_test_OTHER0001", 1, []string{"failed   key accepted", "HTTP 401", "store another key with paydesk key set", "skipped  status path", "Failed: 1."}},
		"no keyring": {"keyring", here, "", 1, []string{"failed   keyring", "failed   key source", "there is no keyring on this host", "skipped  key accepted"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, c.source, c.address)
			if c.key != "" {
				h.env["PAYDESK_SECRET_KEY"] = c.key
			}
			said, status := h.run("", "doctor")
			if status != c.status {
				t.Errorf("it ended with %d, want %d", status, c.status)
			}
			for _, words := range c.want {
				if !strings.Contains(said, words) {
					t.Errorf("it does not say %q:\n%s", words, said)
				}
			}
		})
	}
}
