//go:build terminals

package screens_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"paydesk/ui/termtest"
)

// The tests whose names begin with TestOn run the built binary on terminals of the
// system, not on emulated ones: .ci/terminals.

// tool returns where a program of the system lies.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/" + name)
	}
	must(t, err)
	return path
}

// systemSetting is a setting in which programs of the system are found.
func systemSetting(t *testing.T) setting {
	e := newSetting(t)
	e["PATH"], e["SHELL"], e["LC_ALL"] = os.Getenv("PATH"), "/bin/sh", "C.UTF-8"
	return e
}

// around is the shell in which the console is started and ends.
const around = `echo the line before
read -r line
before=$(stty -g)
"$@"
echo "ended $?"
[ "$before" = "$(stty -g)" ] && echo settings as before
read -r line
`

// aroundIt is the command that runs the console, once enter was pressed, and says how it
// ended and whether the terminal's settings are what they were.
func aroundIt(t *testing.T, e setting, args ...string) []string {
	t.Helper()
	return append([]string{"/bin/sh", e.keep(t, "around", around), program(t)}, args...)
}

// keep writes a file into the setting's home.
func (e setting) keep(t *testing.T, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(e["HOME"], name)
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// starts presses enter for [aroundIt].
func starts[H any](p termtest.Person[H]) {
	p.Sees("the line before")
	p.Press("enter")
	p.Sees(onHome, "SANDBOX")
}

// windowOn is a window in which a program of the system runs. It is looked at when nothing
// was drawn for a moment: between the console and it there is another that draws in parts.
func windowOn(t *testing.T, e setting, w, h uint16, command ...string) *window {
	t.Helper()
	v := newWindow(t, e, w, h)
	v.command.Path, v.command.Args = tool(t, command[0]), command
	v.still = 30 * time.Millisecond
	v.start()
	return v
}

// background runs a program of the system until the test ends, or this process does.
func background(t *testing.T, e setting, command ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(tool(t, command[0]), command[1:]...)
	c.Env = e.list()
	var said strings.Builder
	c.Stdout, c.Stderr = &said, &said
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	must(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		c.Wait()
		if t.Failed() {
			t.Logf("%s said:\n%s", command[0], said.String())
		}
	})
	return c
}

// told returns what a program of the system answers.
func told(t *testing.T, e setting, command ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), tool(t, command[0]), command[1:]...)
	c.Env = e.list()
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	return string(out)
}

// reviews describes a payment up to the question whether to send it, says no, and goes back home.
func reviews[H any](p termtest.Person[H]) {
	describe(p, "12.50", visa, nothing)
	p.Press("ctrl+s")
	p.Answer("Charge 12.50 GBP to •••• 4242?", "n")
	p.WaitsUntilGone("Charge 12.50 GBP to •••• 4242?")
	goHome(p)
}

// goHome goes back until there is nothing to go back to. An esc is one only when no other key comes
// soon after it.
func goHome[H any](p termtest.Person[H]) {
	for range 12 {
		p.Wait(300 * time.Millisecond)
		if p.Has(onHome) {
			break
		}
		before := p.Boxed()
		p.Press("esc")
		termtest.Poll(func() bool { return p.Boxed() != before })
	}
	p.Sees(onHome)
}
