package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

// A script reads from the last line why a command failed, whichever command it is and whatever is wrong.
func TestEveryCommandThatFailsSaysWhyInItsLastObject(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "paydesk")
	if err := os.WriteFile(broken, []byte("no folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer nothing.Close()
	for _, c := range visible(quiet(t).Tree()) {
		path := strings.Fields(command.PathOf(c))
		lines := [][]string{append(slices.Clone(path), "--wrong"), append(slices.Clone(path), "--config")}
		if of := commandsIn(c.Example); len(of) > 0 && c.Name() != "sandbox" { // which would serve until it is stopped
			lines = append(lines, of[0])
		}
		for _, args := range lines {
			var out, talk strings.Builder
			args = append([]string{"--json"}, args...)
			code := Run(args, command.Env{In: nothing, Out: &out, Err: &talk, Version: "test", Getenv: func(string) string { return "" }, Config: broken, State: broken})
			if code == int(command.Done) {
				continue
			}
			all := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			var why output.Refusal
			if err := json.Unmarshal([]byte(all[len(all)-1]), &why); err != nil || why.Schema != output.RefusalSchema || why.Exit != code || why.What == "" ||
				why.Sent != "not sent" || !slices.ContainsFunc(command.Reasons, func(r command.Reason) bool { return r.Name == why.Code && int(r.Exit) == code }) {
				t.Errorf("paydesk %q ended with %d, and its last line is %s (%v)", args, code, all[len(all)-1], err)
			}
			if talk.Len() == 0 {
				t.Errorf("paydesk %q failed without a word on stderr", args)
			}
		}
	}
}
