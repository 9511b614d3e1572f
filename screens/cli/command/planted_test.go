//go:build linux

package command_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
