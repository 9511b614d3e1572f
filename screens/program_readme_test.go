//go:build unix

package screens_test

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// The session with curl that the README shows, run as it stands there but for the port.
func TestTheSessionOfTheREADMEPaysALink(t *testing.T) {
	for _, tool := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("this machine has no %s", tool)
		}
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(readme), "```sh\npaydesk ")
	block, _, found := strings.Cut(after, "```")
	first, rest, _ := strings.Cut(block, "\n")
	if !found {
		t.Fatal("the README has no session")
	}
	args := strings.Fields(strings.TrimSuffix(first, " &"))
	origin := serveSandbox(t, strings.Split(strings.Replace(strings.Join(args, " "), "127.0.0.1:8099", "127.0.0.1:0", 1), " "))
	shell := exec.Command("bash", "-euo", "pipefail", "-c", strings.ReplaceAll(rest, "http://127.0.0.1:8099", origin))
	out, err := shell.CombinedOutput()
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), `"paymentStatus":"Successfull"},"isSuccess":true}`) {
		t.Errorf("%v\n%s", err, out)
	}
}

// serveSandbox starts the built program's sandbox and ends it with the test, which
// fails when SIGTERM does not end it cleanly. It returns the address from its first line.
func serveSandbox(t *testing.T, args []string) string {
	t.Helper()
	c := exec.Command(program(t), args...)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		for lines.Scan() {
			if strings.Contains(lines.Text(), "4242") || strings.Contains(lines.Text(), "sk_test") {
				t.Errorf("the log holds a secret: %s", lines.Text())
			}
		}
		if err := c.Wait(); err != nil {
			t.Errorf("SIGTERM did not end it cleanly: %v", err)
		}
	})
	if !lines.Scan() {
		t.Fatal("the sandbox said nothing")
	}
	words := strings.Fields(lines.Text())
	if len(words) < 3 || words[0] != "listening" {
		t.Fatal(lines.Text())
	}
	return words[2]
}
