//go:build unix

package screens_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The blocks for a shell in the README, one after the other, as they stand there but for the port. They take
// seconds: each command starts the program.
func TestTheBlocksOfTheREADMEDoWhatItSays(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("this machine has no %s", tool)
		}
	}
	readme, err := os.ReadFile("../README.md")
	must(t, err)
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
		const told = "127.0.0.1:8099"
		s := runUntil(t, newSetting(t), address, strings.Fields(strings.Replace(args, told, "127.0.0.1:0", 1))...)
		rest = strings.ReplaceAll(rest, "http://"+told, s.found)
	} else {
		t.Fatalf("the first block begins with %s", start)
	}
	home := t.TempDir()
	must(t, os.Symlink(program(t), home+"/paydesk"))
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
