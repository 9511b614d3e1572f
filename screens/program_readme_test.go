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

// The blocks for a shell in the README, one after the other, as they stand there but for the port.
func TestTheBlocksOfTheREADMEDoWhatItSays(t *testing.T) {
	for _, tool := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("this machine has no %s", tool)
		}
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for i, part := range strings.Split(string(readme), "```sh\n") {
		if block, _, _ := strings.Cut(part, "```"); i > 0 {
			blocks = append(blocks, block)
		}
	}
	script := strings.Join(blocks, "\n")
	start, rest, found := strings.Cut(script, "\n")
	start, _, _ = strings.Cut(start, " &")
	if args, is := strings.CutPrefix(start, "paydesk "); is && found {
		const address = "127.0.0.1:8099"
		origin := serveSandbox(t, strings.Fields(strings.Replace(args, address, "127.0.0.1:0", 1)))
		rest = strings.ReplaceAll(rest, "http://"+address, origin)
	} else {
		t.Fatalf("the first block begins with %s", start)
	}
	home := t.TempDir()
	if err := os.Symlink(program(t), home+"/paydesk"); err != nil {
		t.Fatal(err)
	}
	shell := exec.Command("bash", "-euo", "pipefail", "-c", rest+"\nhead -1 failed.csv")
	shell.Dir = home
	shell.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "PATH="+home+":"+os.Getenv("PATH"))
	out, err := shell.CombinedOutput()
	for _, words := range []string{"ok       key accepted", "\nship it\n", "\ntrue\n", "/pay/", "status"} {
		if err != nil || !strings.Contains(string(out), words) {
			t.Fatalf("%v, without %q\n%s", err, words, out)
		}
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
