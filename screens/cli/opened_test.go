package cli_test

import (
	"bufio"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

var onLoopback = regexp.MustCompile(`http://127\.0\.0\.1:\S+`)

// overSSH is the environment of a person at another machine: no browser is opened on this one, of whatever system it is.
var overSSH = map[string]string{"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"}

// The page of a bank is served once to a browser, and never printed.
func TestThePageOfTheBankIsServedOnceAndNeverPrinted(t *testing.T) {
	h := clitest.New(t)
	h.Env = overSSH
	ref := made(h, byCardOf(challenged, 800))
	h.Run("authenticate", ref).Is(command.Done).Lacks("<form", "<html")
	h.Run("authenticate", ref, "--json").Is(command.Done).Lacks("form", "html")
	cmd := h.Program("authenticate", ref, "--open")
	var out strings.Builder
	cmd.Stdout = &out
	talk, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	var said strings.Builder
	for s := bufio.NewScanner(talk); s.Scan(); {
		said.WriteString(s.Text() + "\n")
		if address := onLoopback.FindString(s.Text()); address != "" && strings.Contains(s.Text(), "Open this address once") {
			answer, err := http.Get(address)
			must(t, err)
			page, err := io.ReadAll(answer.Body)
			must(t, err)
			answer.Body.Close()
			if answer.StatusCode != http.StatusOK || !strings.Contains(string(page), "form") {
				t.Errorf("%s: %s", answer.Status, page)
			}
		}
	}
	must(t, cmd.Wait())
	h.Printed(cmd, out.String(), said.String()).Is(command.Done).Says("Open this address once").Lacks("<form", "<html")
}
