//go:build terminals

package screens_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/timely"
)

// A host is reached over SSH, by an OpenSSH server of its own.
type host struct {
	folder, port string
}

const serverConfig = `ListenAddress 127.0.0.1
Port %s
HostKey %s
AuthorizedKeysFile %s
AcceptEnv *
PermitRootLogin yes
UsePAM no
StrictModes no
PermitUserRC no
PrintLastLog no
PidFile none
LogLevel ERROR
`

func newHost(t *testing.T) *host {
	e := systemSetting(t)
	h := &host{folder: e["HOME"], port: strconv.Itoa(freePort(t))}
	for _, key := range []string{"host", "user"} {
		told(t, e, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(h.folder, key))
	}
	config := e.keep(t, "sshd", fmt.Sprintf(serverConfig, h.port, filepath.Join(h.folder, "host"), filepath.Join(h.folder, "user.pub")))
	if os.Getuid() == 0 { // then it insists on this folder, which a running system has
		if err := os.Mkdir("/run/sshd", 0o755); err == nil {
			t.Cleanup(func() { os.Remove("/run/sshd") })
		}
	}
	background(t, e, tool(t, "sshd"), "-D", "-e", "-f", config)
	until(t, func() bool {
		c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", h.port))
		if err == nil {
			c.Close()
		}
		return err == nil
	}, func() string { return "sshd does not listen" })
	return h
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// window is one on this machine, in which a command runs on the host.
func (h *host) window(t *testing.T, e setting, command ...string) *window {
	t.Helper()
	return windowOn(t, e, 80, 24, "ssh", "-F", "none", "-p", h.port, "-i", filepath.Join(h.folder, "user"),
		"-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-o", "StrictHostKeyChecking=accept-new", "-o", "LogLevel=ERROR",
		"-o", "UserKnownHostsFile="+filepath.Join(e["HOME"], "known_hosts"), "-o", "SendEnv=*",
		"-tt", "127.0.0.1", strings.Join(command, " "))
}

func TestOnSSH(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	t.Run("used", func(t *testing.T) {
		t.Parallel()
		h.used(t)
	})
	for end, drop := range map[string]func(v *window, console process) int{
		"client":     func(v *window, _ process) int { return v.command.Process.Pid },
		"connection": func(_ *window, console process) int { return console.parent() }, // the server's process of this session
	} {
		t.Run("sending, and the "+end+" is killed", func(t *testing.T) {
			t.Parallel()
			timely.Within(t, soon, func() time.Duration { return h.dropped(t, drop, true) })
		})
		t.Run("idle, and the "+end+" is killed", func(t *testing.T) {
			t.Parallel()
			timely.Within(t, soon, func() time.Duration { return h.dropped(t, drop, false) })
		})
	}
}

func (h *host) used(t *testing.T) {
	e := systemSetting(t)
	e["DISPLAY"] = ":0"
	v := h.window(t, e, aroundIt(t, e, "demo")...)
	starts(v.Person)
	v.spareALine()
	v.knowsOfSSH("-p " + h.port + " 127.0.0.1")
	v.Press("ctrl+c")
	v.Sees("the line before", "ended 0", "settings as before")
	v.Press("enter")
	if s := v.gone(); s != 0 {
		t.Errorf("ssh ended with %d", s)
	}
}

// dropped is a connection that ends without a word from either side, while a payment is
// being sent or nothing is. It tells how long the console lasted.
func (h *host) dropped(t *testing.T, drop func(*window, process) int, sending bool) (took time.Duration) {
	origin := runUntil(t, newSetting(t), address, "sandbox", "--listen", "127.0.0.1:0", "--key", programKey, "--transactions", "40").found
	e := systemSetting(t)
	e.configure(t, profile(origin, "env"))
	e["PAYDESK_SECRET_KEY"] = programKey
	noted := filepath.Join(e["HOME"], "pid")
	v := h.window(t, e, "echo $$ >"+noted+";", "exec", program(t))
	v.Sees("Menu")
	if sending {
		silence(t, origin)
		describe(v.Person, "12.50", visa, nothing)
		v.Press("ctrl+s")
		v.Yes("Charge 12.50 GBP to •••• 4242?")
		until(t, func() bool { return struck(t, origin) }, func() string { return "nothing is sent\n" + v.Screen() })
	}
	console := process{t, notedPID(t, noted)}
	at := time.Now()
	must(t, syscall.Kill(drop(v, console), syscall.SIGKILL))
	until(t, console.over, func() string { return "the console goes on" })
	took = time.Since(at)
	h.again(t, e, sending)
	v.noSecret(e)
	return took
}

// again looks at what the journal has of a connection that was dropped, and comes again.
func (h *host) again(t *testing.T, e setting, sent bool) {
	book := journal.New(journal.Options{Dir: filepath.Join(e["XDG_STATE_HOME"], "paydesk")})
	defer book.Close()
	attempts, _, err := book.Attempts(t.Context(), journal.Filter{}, 0, 9)
	must(t, err)
	v := h.window(t, e, program(t))
	v.Sees("Menu")
	if !sent {
		if len(attempts) > 0 {
			t.Errorf("the journal has %+v", attempts)
		}
		v.Sees("No payment needs attention")
	} else {
		if len(attempts) != 1 {
			t.Fatalf("the journal has %d attempts", len(attempts))
		}
		a := attempts[0]
		if a.Outcome != ledger.Unresolved && a.Outcome != ledger.Sent || a.Card != "4242" || a.By.SSH != "127.0.0.1" {
			t.Errorf("the journal has %s, card %s, over SSH from %s", a.Outcome, a.Card, a.By.SSH)
		}
		v.Sees("1 unresolved", "UNRESOLVED", a.ID.Short())
	}
	v.leave()
}

// silence makes the sandbox read the next initiation and never answer it.
func silence(t *testing.T, origin string) {
	t.Helper()
	answer, err := http.Post(origin+"/_sandbox/faults", "application/json", strings.NewReader(`{"operation":"initiate","fault":"no-answer","calls":1}`))
	must(t, err)
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status)
	}
}

// struck reports whether the initiation came.
func struck(t *testing.T, origin string) bool {
	t.Helper()
	answer, err := http.Get(origin + "/_sandbox/faults")
	must(t, err)
	defer answer.Body.Close()
	var faults struct{ Armed []any }
	must(t, json.NewDecoder(answer.Body).Decode(&faults))
	return len(faults.Armed) == 0
}

func notedPID(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	pid, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	must(t, err)
	return pid
}

// A process is one that is not our child.
type process struct {
	t   *testing.T
	pid int
}

// stat returns what the kernel says of it, from its state on; nothing when there is none.
func (p process) stat() []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	if err != nil {
		return nil
	}
	_, after, _ := strings.Cut(string(text), ") ") // a name ends here
	return strings.Fields(after)
}

// over reports whether it has ended, collected or not.
func (p process) over() bool {
	s := p.stat()
	return s == nil || s[0] == "Z" || s[0] == "X"
}

func (p process) parent() int {
	n := 0
	if s := p.stat(); s != nil {
		n, _ = strconv.Atoi(s[1])
	}
	if n == 0 {
		p.t.Fatal("the console has no parent")
	}
	return n
}
