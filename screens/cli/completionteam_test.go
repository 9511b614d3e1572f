package cli_test

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api/timely"
	"paydesk/keystore/keystoretest"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/ui/termtest"
)

// known is what is offered once something is: a server on a busy machine may answer later than completing waits for.
func known(h *clitest.Host, args ...string) (words []string) {
	h.T.Helper()
	termtest.Poll(func() bool { words = offered(h, args...); return words != nil })
	return words
}

func TestAShellIsOfferedWhatATeamsJournalKnows(t *testing.T) {
	s := newTeamServer(t)
	h, colleague := s.desk(), s.desk()
	if got := offered(h, "status", ""); got != nil {
		t.Errorf("before there is a journal: %q", got)
	}
	h.Run("journal", "init").Is(command.Done)
	paid := read[output.Collected](h.Run(byTransfer("--yes", "--no-wait", "--json")...).Is(command.Done))
	ref := paid.Reference
	if got := known(h, "status", ref[:4]); !slices.Equal(got, []string{ref}) {
		t.Errorf("%q, not %q", got, ref)
	}
	for _, typed := range [][]string{{"status", ref[:4] + "_"}, {"status", ref[:2] + "%"}, {"status", ref[:2] + "*"}} {
		if got := offered(h, typed...); got != nil {
			t.Errorf("%q: %q", typed, got)
		}
	}
	if got := known(h, "resolve", paid.Attempt[:6]); !slices.Equal(got, []string{paid.Attempt}) {
		t.Errorf("resolve: %q, not %q", got, paid.Attempt)
	}
	// A colleague is offered the names too, of the service of the own profile alone, and needs no key of the hashes for it.
	colleague.Configure(strings.ReplaceAll(keystoretest.Read(t, colleague.ConfigFolder()), colleague.Origin, h.Origin))
	if got := known(colleague, "status", ref[:4]); !slices.Equal(got, []string{ref}) {
		t.Errorf("a colleague: %q", got)
	}
	s.join(colleague)
	if got := offered(colleague, "status", ref[:4]); got != nil {
		t.Errorf("at another service: %q", got)
	}
	if _, err := os.Stat(colleague.StateDir()); !os.IsNotExist(err) {
		t.Errorf("a folder was created: %v", err)
	}
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
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts, and never says a word
	must(t, err)
	defer silent.Close()
	h.Configure(strings.Replace(keystoretest.Read(t, h.ConfigFolder()), s.URL("postgres", s.Database), "postgres://ada@"+silent.Addr().String()+"/payments", 1))
	timely.Within(t, time.Second, timely.Took(func() {
		if got := offered(h, "link", "show", ""); got != nil {
			t.Errorf("of a silent server: %q", got)
		}
	}))
}
