//go:build linux

package screens_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

	"paydesk/api/timely"
)

// A frame has these at its ends where the terminal knows synchronized output.
const (
	frameBegins = "\x1b[?2026h"
	frameEnds   = "\x1b[?2026l"
)

var frame = regexp.MustCompile(`(?s)` + regexp.QuoteMeta(frameBegins) + `.*?` + regexp.QuoteMeta(frameEnds))

// marksFrames goes from home to where something is typed, and says that the terminal knows
// synchronized output, for which the program does not ask over SSH.
func (v *window) marksFrames() {
	v.t.Helper()
	v.Press("l")
	v.Sees("look it up")
	v.Text("\x1b[?2026;2$y")
	v.heard()
	v.Press("esc")
	v.Sees("Menu")
}

// turns opens and closes the help for a time, and returns what was written and how long that took.
func (v *window) turns(d time.Duration) (sent []byte, took time.Duration) {
	v.t.Helper()
	begun := time.Now() // what was not read yet once it has heard was not drawn yet now
	v.heard()
	before := len(v.Bytes())
	for typed := time.Now(); time.Since(typed) < d; v.Wait(5 * time.Millisecond) {
		v.Type("??")
	}
	sent, took = v.Bytes()[before:], time.Since(begun)
	v.t.Logf("%d bytes in %d frames in %v", len(sent), bytes.Count(sent, []byte(frameBegins)), took.Round(time.Millisecond))
	return sent, took
}

// A line over which a byte takes this long is not sent more than it carries.
const slowByte = 40 * time.Microsecond

// spareALine fails where more is written than a slow line carries, or anything between two frames.
func (v *window) spareALine() {
	v.t.Helper()
	v.marksFrames()
	sent, took := v.turns(2 * time.Second)
	const atOnce = 8 << 10 // at either end one that was paid for before, or is paid for later
	if most := int(took/slowByte) + 2*atOnce; len(sent) > most {
		v.t.Errorf("%d bytes in %v", len(sent), took)
	}
	first, last := bytes.Index(sent, []byte(frameBegins)), bytes.LastIndex(sent, []byte(frameEnds))
	if first < 0 || last < 0 {
		v.t.Fatalf("nothing is drawn: %q", sent)
	}
	if other := frame.ReplaceAll(sent[first:last+len(frameEnds)], nil); len(other) > 0 {
		v.t.Errorf("between frames it writes %q", other)
	}
}

func TestOverSlowConnectionsNoMoreIsWrittenThanTheyCarry(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		set  setting
		args []string
	}{
		{"over SSH", setting{"SSH_CONNECTION": "192.0.2.1 5000 192.0.2.2 2222", "SSH_TTY": "/dev/pts/9", "DISPLAY": ":0"}, []string{"demo"}},
		{"with little bandwidth", nil, []string{"demo", "--low-bandwidth"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newSetting(t)
			for name, value := range c.set {
				e[name] = value
			}
			v := open(t, e, 80, 24, c.args...)
			v.Sees("Menu")
			v.spareALine()
			if c.set != nil {
				v.knowsOfSSH("-p 2222 192.0.2.2")
			}
			v.leave()
		})
	}
}

// knowsOfSSH goes from home to a bank's page: the way there, to this server and port, is
// shown and copied, and no browser is opened.
func (v *window) knowsOfSSH(server string) {
	v.t.Helper()
	toCard(v.Person, "12.50", "GBP")
	pick(v.Person, "challenge")
	v.Press("ctrl+s")
	v.Yes("Charge 12.50 GBP")
	v.Sees("ssh -L ", ":127.0.0.1:", server)
	v.Press("o").Sees("over SSH") // so no browser is opened
	v.Press("y")
	v.Sees("sent to your terminal's clipboard")
	until(v.t, func() bool { return strings.HasPrefix(v.Copied(), "http://127.0.0.1:") },
		func() string { return "copied is " + v.Copied() })
}

// stuck reports whether the terminal takes no more: it is full, or a process is in the middle
// of a write to it. The kernel tells that to every process that has the terminal open; what it
// counts of an undumpable process, it tells to root alone.
func (v *window) stuck() bool {
	v.t.Helper()
	ready, err := unix.Poll([]unix.PollFd{{Fd: int32(v.tty.Fd()), Events: unix.POLLOUT}}, 0)
	if err != nil && !errors.Is(err, unix.EINTR) {
		v.t.Fatal(err)
	}
	return err == nil && ready == 0
}

// freeze stops reading what the program writes, as a connection that hangs does, until the
// program is stuck in a write.
func (v *window) freeze() {
	v.t.Helper()
	v.stalled.Lock()
	still := 0
	until(v.t, func() bool { // the help comes and goes, until nothing more is taken
		v.Press("?")
		if still++; !v.stuck() {
			still = 0
		}
		return still > 100
	}, func() string { return "the terminal takes everything" })
}

func (v *window) thaw() { v.stalled.Unlock() }

var endings = map[syscall.Signal]int{
	syscall.SIGHUP: 129, syscall.SIGINT: 130, syscall.SIGQUIT: 131, syscall.SIGABRT: 134,
	syscall.SIGUSR1: 138, syscall.SIGUSR2: 140, syscall.SIGALRM: 142, syscall.SIGTERM: 143,
	// Sent by another process, these would make Go print registers and stacks.
	syscall.SIGILL: 132, syscall.SIGTRAP: 133, syscall.SIGBUS: 128 + int(syscall.SIGBUS), syscall.SIGFPE: 136, syscall.SIGSEGV: 139,
	syscall.SIGSYS: 128 + int(syscall.SIGSYS),
}

// A person at a connection that hangs gets the shell back with the key that leaves the console, too.
func TestASignalEndsTheProgramWithItsNumberAndTheTerminalAsItWas(t *testing.T) {
	t.Parallel()
	t.Run("the key, frozen", func(t *testing.T) {
		t.Parallel()
		timely.Within(t, byItself, func() time.Duration {
			return ends(t, true, func(v *window) { v.Press("ctrl+c") }, 0)
		})
	})
	for signal, status := range endings {
		// Those that people and systems send, and one for which Go would print registers.
		if quick := []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGSEGV}; !long && !slices.Contains(quick, signal) {
			continue
		}
		for _, frozen := range []bool{false, true} {
			if frozen && !long && signal != syscall.SIGHUP && signal != syscall.SIGTERM { // the others take the same way out
				continue
			}
			t.Run(fmt.Sprintf("%v, frozen %v", signal, frozen), func(t *testing.T) {
				t.Parallel()
				timely.Within(t, byItself, func() time.Duration {
					return ends(t, frozen, func(v *window) { v.signal(signal) }, status)
				})
			})
		}
	}
}

// ends ends the program and returns how long that took. One that took too long to be judged is not.
func ends(t *testing.T, frozen bool, end func(*window), status int) time.Duration {
	t.Helper()
	v := open(t, newSetting(t), 200, 60, "demo")
	v.Sees("Menu")
	if frozen {
		v.freeze()
	}
	at := time.Now()
	end(v)
	until(t, v.over, func() string { return "the program goes on" })
	took := time.Since(at)
	after, err := term.GetState(v.tty.Fd())
	if frozen {
		v.thaw()
	}
	if took > byItself {
		return took
	}
	if err != nil || *after != *v.before {
		t.Errorf("the terminal's settings are not as they were: %+v, before %+v, %v", after, v.before, err)
	}
	if got := v.gone(); got != status { // which looks at the modes of the screen as well
		t.Errorf("it ended with %d", got)
	}
	return took
}

// spied is a published test number that is nowhere in the program: the service in front of the
// sandbox puts one that the sandbox takes in its place.
const spied, spiedCVV = "4012888888881881", "847"

// copies counts the places in the memory of the program that hold the number. It cannot be
// asked as another user, nor as this one where the program may not be looked into.
func (v *window) copies(number string) int {
	v.t.Helper()
	id := v.command.Process.Pid
	maps, err := os.Open(fmt.Sprintf("/proc/%d/maps", id))
	if errors.Is(err, os.ErrPermission) {
		v.t.Skip("the memory of the program is closed to this user, as it should be")
	}
	must(v.t, err)
	defer maps.Close()
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", id))
	if err != nil {
		v.t.Skip("the memory of the program is closed to this user, as it should be")
	}
	defer memory.Close()
	n, read := 0, 0
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		part := strings.Fields(lines.Text())
		from, to, _ := strings.Cut(part[0], "-")
		start, err1 := strconv.ParseInt(from, 16, 64)
		end, err2 := strconv.ParseInt(to, 16, 64)
		if !strings.HasPrefix(part[1], "rw") || err1 != nil || err2 != nil || end-start > 1<<30 {
			continue
		}
		held, _ := io.ReadAll(io.NewSectionReader(memory, start, end-start)) // what cannot be read is not there
		n += bytes.Count(held, []byte(number))
		read += len(held)
	}
	if read < 1<<20 {
		v.t.Fatalf("only %d bytes of the program were read", read)
	}
	return n
}

// spy is a window that has a card's number typed digit by digit, as a person does.
func spy(t *testing.T) *window {
	t.Helper()
	_, origin := serve(t, func(behind http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			body = bytes.ReplaceAll(body, []byte(spied), []byte("4242424242424242"))
			body = bytes.ReplaceAll(body, []byte(spiedCVV), []byte("123"))
			r.Body = io.NopCloser(bytes.NewReader(body))
			behind.ServeHTTP(w, r)
		})
	})
	e := newSetting(t)
	e.configure(t, profile(origin, "env"))
	e["PAYDESK_SECRET_KEY"] = programKey
	v := open(t, e, 80, 24)
	toCard(v.Person, "12.50", "GBP")
	v.To("Card number")
	for i, digit := range spied {
		v.Type(string(digit))
		v.Sees(fmt.Sprintf(", %d digit", i+1))
	}
	v.Fill("Expiry", "1234")
	v.Fill("CVV", spiedCVV)
	v.Fill("Return URL", "https://shop.example/done")
	return v
}

// TestACardDoesNotStayInMemory looks for the number in the program's memory after a payment. It is
// worth doing and no guarantee: what the kernel, the terminal and the network keep is beyond it.
func TestACardDoesNotStayInMemory(t *testing.T) {
	if !long {
		t.Skip("a scan of the program's memory depends on when Go collects it: .ci/long does it")
	}
	t.Parallel()
	var after []int
	for range 20 {
		v := spy(t)
		if v.copies(spied) == 0 {
			t.Error("the number is not found where it was typed: the search is blind")
		}
		v.Press("ctrl+s")
		v.Yes("Charge 12.50 GBP to •••• 1881?")
		v.Sees("✓ SUCCESSFUL")
		after = append(after, v.copies(spied))
		v.Press("esc")
		v.Sees("Menu")
		for range 20 { // the memory of what is read and drawn is collected
			v.Press("2")
			v.Sees(" read at ")
			v.Press("esc")
			v.Sees("Menu")
		}
		if n := v.copies(spied); n > 0 {
			t.Errorf("%d copies stay after a payment", n)
		}
		v.Press("ctrl+c")
		v.gone()
	}
	t.Logf("copies right after the payment %v", after)
	if slices.Max(after) > 1 {
		t.Errorf("%d copies right after a payment", slices.Max(after))
	}
}
