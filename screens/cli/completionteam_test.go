package cli_test

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/timely"
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

func TestAShellIsOfferedWhatATeamsJournalKnows(t *testing.T) {
	s := newTeamServer(t)
	h, colleague := s.desk(), s.desk()
	if got := offered(h, "status", ""); got != nil {
		t.Errorf("before there is a journal: %q", got)
	}
	h.Run("journal", "init").Is(command.Done)
	db, err := postgres.Open(postgres.Config{URL: s.URL("postgres", s.Database)})
	must(t, err)
	j := journal.NewShared(db, journal.Options{KeyFile: teamKey(h)})
	t.Cleanup(func() { j.Close() })
	attempts := recordIn(h, j)
	for _, c := range []struct {
		typed []string
		want  []string
	}{
		{[]string{"status", ""}, []string{"PINNED7777", "XHCQVX9BB5"}}, {[]string{"case", "XH"}, []string{"XHCQVX9BB5"}},
		{[]string{"status", "XHCQVX9BB_"}, nil}, {[]string{"status", "P%"}, nil}, {[]string{"status", "X*"}, nil},
		{[]string{"resolve", attempts[0]}, attempts[:1]},
	} {
		look := offered
		if c.want != nil {
			look = known
		}
		if got := look(h, c.typed...); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, not %q", c.typed, got, c.want)
		}
	}
	if !termtest.Poll(func() bool { return strings.Contains(h.Run("__complete", "status", "X").Out, "4,000.00 NGN") }) {
		t.Error("the amount is not offered")
	}
	// A colleague is offered the names too, of the service of the own profile alone, and needs no key of the hashes for it.
	colleague.Configure(strings.ReplaceAll(keystoretest.Read(t, colleague.ConfigFolder()), colleague.Origin, h.Origin))
	if got := known(colleague, "status", "P"); !slices.Equal(got, []string{"PINNED7777"}) {
		t.Errorf("a colleague: %q", got)
	}
	s.join(colleague)
	if got := offered(colleague, "status", "P"); got != nil {
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
