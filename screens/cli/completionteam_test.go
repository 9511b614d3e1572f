package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paydesk/keystore/keystoretest"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/ui/termtest"
)

// known is what is offered once something is: a server on a busy machine may answer later than completing waits for.
func known(h *clitest.Host, args ...string) (words []string) {
	h.T.Helper()
	termtest.Poll(func() bool { words = offered(h, args...); return words != nil })
	return words
}

// Whoever presses tab waits for nothing, is asked nothing, and is told nothing.
func TestCompletingWaitsForNoServerAndAsksForNoPassword(t *testing.T) {
	s := newTeamServer(t)
	h := s.desk()
	h.Run("journal", "init").Is(command.Done)
	h.Run("link", "create", "--name", "Chairs", "--description", "six", "--currency", "GBP", "--amount", "12", "--yes").Is(command.Done)
	if got := known(h, "link", "show", ""); len(got) != 1 {
		t.Fatalf("%q", got)
	}
	ran := filepath.Join(t.TempDir(), "ran")
	h.Configure(strings.Replace(keystoretest.Read(t, h.ConfigFolder()), "[journal]\n", "[journal]\npassword_command = [\"touch\", \""+ran+"\"]\n", 1))
	if got := offered(h, "link", "show", ""); got != nil {
		t.Errorf("with a password command: %q", got)
	}
	if _, err := os.Stat(ran); !os.IsNotExist(err) {
		t.Error("the password command was run")
	}
	s.join(h)
	s.gone(h)
	if got := offered(h, "link", "show", ""); got != nil {
		t.Errorf("without the server: %q", got)
	}
}
