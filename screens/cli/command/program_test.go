//go:build linux

package command_test

import (
	"bufio"
	"bytes"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"filippo.io/age"
	"golang.org/x/sys/unix"

	"paydesk/api/sandbox"
	"paydesk/api/timely"
	"paydesk/keystore/keystoretest"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

// The tests of the program run it as a process of its own, on a pseudo-terminal where something is typed.

const canary = "sk_test_CANARY0042"

func TestMain(m *testing.M) { clitest.Main(m) }

// A host has a keyring that is none, and runs the commands of the key and the doctor as a process of its own.
type host struct {
	*clitest.Host
}

func newHost(t *testing.T, source, address string) host {
	t.Helper()
	h := host{clitest.New(t)}
	h.Env = map[string]string{"PATH": "/nowhere", "DBUS_SESSION_BUS_ADDRESS": "disabled:", "XDG_RUNTIME_DIR": h.Home, "PAYDESK_SECRET_KEY": ""}
	h.Configure("-- default --\nshop\n-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = \"" + address + "\"\nlist_url = \"" + address + "\"\nkey = \"" + source + "\"\n")
	t.Cleanup(h.searchForKey)
	return h
}

// searchForKey fails if the key appears in any file.
func (h host) searchForKey() {
	err := filepath.WalkDir(h.Home, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte("CANARY")) {
			h.T.Errorf("the key is in %s", path)
		}
		return err
	})
	if err != nil {
		h.T.Error(err)
	}
}

// ofKey is a command of the key, or the doctor.
func ofKey(args []string) []string {
	if args[0] != "doctor" {
		args = append([]string{"key"}, args...)
	}
	return args
}

// run runs a command without a terminal.
func (h host) run(piped string, args ...string) (said string, status int) {
	h.T.Helper()
	c := h.Program(ofKey(args)...)
	c.Stdin = strings.NewReader(piped)
	out, err := c.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		h.T.Fatal(err)
	}
	if bytes.Contains(out, []byte("CANARY")) {
		h.T.Errorf("the key was said: %q", out)
	}
	return string(out), c.ProcessState.ExitCode()
}

func (h host) start(args ...string) *clitest.Terminal {
	h.T.Helper()
	return h.Terminal(ofKey(args)...)
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
func (h host) sealCheaply(passphrase string) {
	h.T.Helper()
	recipient, err := age.NewScryptRecipient(passphrase)
	must(h.T, err)
	recipient.SetWorkFactor(1)
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, recipient)
	must(h.T, err)
	_, address, _ := strings.Cut(keystoretest.Read(h.T, h.ConfigFolder()), "base_url = \"")
	address, _, _ = strings.Cut(address, "\"")
	_, err = io.WriteString(w, canary+"\nfor "+address+"\n")
	must(h.T, errors.Join(err, w.Close(), os.WriteFile(h.ConfigFolder()+"/shop.age", sealed.Bytes(), 0o600)))
}

// It takes seconds: the program works for one on each passphrase.
func TestAKeyIsTypedUnseenAndSealed(t *testing.T) {
	h := newHost(t, "age", service(t))
	s := h.start("set").Sees("Secret key of profile shop").Hidden()
	for _, file := range []string{"cmdline", "environ"} {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", s.Pid(), file))
		if strings.Contains(string(b), "CANARY") {
			t.Errorf("the key is in %s: %v", file, err)
		}
	}
	s.Type(canary + "\n").Sees("Verifying the key")
	s.Sees("New passphrase").Hidden().Type("correct horse\n")
	s.Sees("Repeat").Hidden().Type("correct horse\n")
	s.Sees("…0042 of profile shop is sealed in ").Ends(0)
	about, err := os.Stat(h.ConfigFolder() + "/shop.age")
	if err != nil || about.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", about, err)
	}

	h.sealCheaply("correct horse")
	s = h.start("show").Sees("Passphrase of the key").Hidden().Type("correct horse\n")
	s.Sees("…0042").Ends(0)
	s = h.start("show").Sees("Passphrase of the key").Hidden().Type("wrong horse\n")
	s.Sees("wrong passphrase").Ends(1)
	s = h.start("doctor").Sees("Passphrase of the key").Hidden().Type("correct horse\n")
	s.Sees("key accepted").Sees("returned a page of transactions").Sees("authentication path").Sees("Failed: 0.").Ends(0)

	h.start("delete").Sees("[y/N]").Type("\n").Sees("Nothing was removed").Ends(1)
	h.start("delete").Sees("[y/N]").Type("y\n").Sees("the key was removed").Ends(0)
	if _, err := os.Stat(h.ConfigFolder() + "/shop.age"); err == nil {
		t.Error("the file is there still")
	}
}

// A shell gives the terminal its own settings while the program is stopped.
func TestAKeyIsTypedUnseenAfterAStop(t *testing.T) {
	s := newHost(t, "age", service(t)).start("set").Sees("Secret key of profile shop").Hidden()
	s.Echo().Signal(unix.SIGCONT)
	s.Sees("Secret key of profile shop").Hidden().Type("\x03").Ends(130)
}

func TestAProgramThatAsksGetsTheTerminal(t *testing.T) {
	script := filepath.Join(t.TempDir(), "pass")
	text := "#!/bin/sh\ntest -t 0 || exit 3\nprintf 'PIN? ' >&2\nread pin\ntest \"$pin\" = 7 && echo " + canary + "\n"
	must(t, os.WriteFile(script, []byte(text), 0o700))
	h := newHost(t, "command\"\nkey_command = [\""+script+"\"]\n#", service(t))
	h.start("show").Sees("failed without a terminal").Sees("PIN? ").Type("7\n").Sees("…0042").Ends(0)
	h.start("doctor").Sees("PIN? ").Type("7\n").Sees("command has the key …0042").Sees("Failed: 0.").Ends(0)
	h.start("show").Sees("PIN? ").Type("8\n").Sees("failed with exit code 1").Ends(1)
	s := h.start("show").Sees("PIN? ")
	s.Signal(syscall.SIGTERM)
	s.Ends(143)
	if said, status := h.run("", "show"); status != 1 || !strings.Contains(said, "failed with exit code 3") {
		t.Errorf("%d: %s", status, said)
	}
}

func TestASignalWhileAKeyIsTypedLeavesTheTerminalAsItWas(t *testing.T) {
	h := newHost(t, "keyring", service(t))
	h.start("set").Sees("Secret key").Hidden().Type("sk_test_CANARY").Type("\x03").Ends(130)
	for sign, status := range map[syscall.Signal]command.Code{syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGQUIT: 131, syscall.SIGSEGV: 139} {
		h.start("set").Sees("Secret key").Hidden().Type("sk_test_half").Signal(sign).Ends(status) // the terminal may read it after the end
	}
}

var must = timely.Must

func TestAPlantedConfigurationRunsNoCommand(t *testing.T) {
	h := newHost(t, "command\"\nkey_command = [\"/bin/sh\", \"-c\", \"echo ran >> $HOME/ran; printf sk_%s test_another0001\"]\n#", "http://127.0.0.1:1")
	shared := filepath.Join(h.Home, "shared")
	planted := shared
	must(t, errors.Join(os.Rename(h.ConfigFolder(), shared), os.Chmod(shared, 0o777)))
	const words, hint = "theconfigurationwasnotread:otherscanchange", "chmodgo-w"
	for _, args := range [][]string{{"show"}, {"set"}, {"delete", "--yes"}, {"doctor"}} {
		said, status := h.run("", append(args, "--config", planted)...)
		joined := strings.Join(strings.Fields(said), "") // the doctor wraps its lines
		if status == 0 || !strings.Contains(joined, words+shared) || !strings.Contains(joined, hint+shared) {
			t.Errorf("%v ended with %d: %s", args, status, said)
		}
	}
	if _, err := os.Stat(h.Home + "/ran"); err == nil {
		t.Error("the command of a planted configuration ran")
	}
	must(t, os.Chmod(shared, 0o700))
	if said, status := h.run("", "show", "--config", planted); status != 0 || !strings.Contains(said, "…0001") {
		t.Errorf("%d: %s", status, said)
	}
}

// A proxy makes tunnels to one address and records what it can read.
type proxy struct {
	to string
	l  net.Listener

	mu    sync.Mutex
	lines []string
	seen  bytes.Buffer // what goes through
}

func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p := &proxy{to: to, l: l}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(c)
		}
	}()
	return p
}

func (p *proxy) serve(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	r, err := http.ReadRequest(in)
	if err != nil {
		return
	}
	p.mu.Lock()
	p.lines = append(p.lines, r.Method+" "+r.RequestURI)
	p.mu.Unlock()
	out, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer out.Close()
	_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
	go func() {
		_, _ = io.Copy(c, out)
		c.Close()
	}()
	_, _ = io.Copy(out, io.TeeReader(in, p))
}

func (p *proxy) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen.Write(b)
}

func TestAProxySeesNamesAndNeverTheKey(t *testing.T) {
	box := sandbox.New(sandbox.Options{Key: canary, Transactions: 3})
	s := httptest.NewTLSServer(box) // whose certificate is for example.com
	t.Cleanup(func() { s.Close(); box.Close() })
	roots := filepath.Join(t.TempDir(), "roots.pem")
	must(t, os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600))
	p := newProxy(t, s.Listener.Addr().String())
	h := newHost(t, "env", "https://example.com")
	h.Env["PAYDESK_SECRET_KEY"], h.Env["SSL_CERT_FILE"] = canary, roots
	h.Env["HTTPS_PROXY"] = "http://ada:passw0rd@" + p.l.Addr().String()
	said, status := h.run("", "doctor")
	for _, words := range []string{"through the proxy http://***@" + p.l.Addr().String(), "TLS 1.3, certificate by ", "ok       status path"} {
		if !strings.Contains(strings.Join(strings.Fields(said), " "), strings.Join(strings.Fields(words), " ")) {
			t.Errorf("it does not say %q", words)
		}
	}
	if status != 0 || strings.Contains(said, "passw0rd") || strings.Contains(said, "ada") {
		t.Errorf("%d: %s", status, said)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.lines {
		if line != "CONNECT example.com:443" {
			t.Errorf("the proxy received: %s", line)
		}
	}
	if len(p.lines) < 2 || p.seen.Len() == 0 || bytes.Contains(p.seen.Bytes(), []byte("CANARY")) || bytes.Contains(p.seen.Bytes(), []byte("X-Api")) {
		t.Errorf("%d tunnels, in which it read %d bytes", len(p.lines), p.seen.Len())
	}
}
