//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

func TestTheBundleHasWhatSupportAsksForAndNoSecret(t *testing.T) {
	h := clitest.New(t)
	r := h.Run("bundle").Is(command.Done).Prints("# paydesk diagnostics, ", "paydesk test", "the output is not a terminal", "open: shop", "profile shop",
		"ok       key accepted", "attempts: 0", "| Transactions |").Says("Checking this host")
	if strings.Contains(r.Out, "Checking") {
		t.Error("talk is in the data")
	}
}

func TestTheBundleIsWrittenToANewFileOnly(t *testing.T) {
	h := clitest.New(t)
	file := filepath.Join(h.Home, "b.md")
	if r := h.Run("bundle", "--output", file).Is(command.Done).Says("Written to " + file); r.Out != "" {
		t.Errorf("%q is printed", r.Out)
	}
	about, err := os.Stat(file)
	if err != nil || about.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", about, err)
	}
	written, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(written), "# paydesk diagnostics") {
		t.Errorf("%v: %s", err, written)
	}
	h.Run("bundle", "--output="+file).Is(command.Failed).Says("There is a file of this name already. It was not changed.").Lacks("Checking")
	if again, _ := os.ReadFile(file); string(again) != string(written) {
		t.Error("it was changed")
	}
	h.Run("bundle", "--output", filepath.Join(h.Home, "nowhere", "b.md")).Is(command.Failed).Says("This folder does not exist.")
}
