//go:build unix

package cli_test

import (
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

// Once nobody reads what it prints, listen ends as other commands do.
func TestListenEndsWithItsReader(t *testing.T) {
	h := clitest.New(t)
	cmd := h.Program("listen", "--listen", "127.0.0.1:0", "--no-check")
	r, w, err := os.Pipe()
	must(t, err)
	talk, err := cmd.StderrPipe()
	must(t, err)
	cmd.Stdout = w
	must(t, cmd.Start())
	w.Close()
	said := follow(talk)
	l := &listener{Cmd: cmd, h: h}
	at := said.sees(t, `at (http://127\.0\.0\.1:\d+)/hooks/…`)
	l.url = strings.TrimSpace(h.Run("webhook", "path").Is(command.Done).Prints(at[1]).Out)
	l.post(t, event("R1", "SUCCESSFUL", "1"))
	b := make([]byte, 1)
	_, err = io.ReadFull(r, b)
	must(t, err)
	r.Close()
	l.post(t, event("R2", "SUCCESSFUL", "1"))
	<-said.end
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 128+int(syscall.SIGPIPE) {
		t.Errorf("it ended with %d:\n%s", code, said.all())
	}
	h.Run("webhook", "list").Is(command.Done).Prints("R1", "R2")
}
