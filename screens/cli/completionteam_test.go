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
	"paydesk/keystore/keystoretest"
	"paydesk/screens/cli/command"
)

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
		if got := offered(h, c.typed...); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, not %q", c.typed, got, c.want)
		}
	}
	h.Run("__complete", "status", "X").Prints("4,000.00 NGN")
	// A colleague is offered the names too, of the service of the own profile alone, and needs no key of the hashes for it.
	colleague.Configure(strings.ReplaceAll(keystoretest.Read(t, colleague.ConfigFolder()), colleague.Origin, h.Origin))
	if got := offered(colleague, "status", "P"); !slices.Equal(got, []string{"PINNED7777"}) {
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
	t.Parallel()
	s := newTeamServer(t)
	h := s.desk()
	h.Run("journal", "init").Is(command.Done)
	h.Run("link", "create", "--name", "Chairs", "--description", "six", "--currency", "GBP", "--amount", "12", "--yes").Is(command.Done)
	if got := offered(h, "link", "show", ""); len(got) != 1 {
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
	s.gone()
	if got := offered(h, "link", "show", ""); got != nil {
		t.Errorf("without the server: %q", got)
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts, and never says a word
	must(t, err)
	defer silent.Close()
	h.Configure(strings.Replace(keystoretest.Read(t, h.ConfigFolder()), s.URL("postgres", s.Database), "postgres://ada@"+silent.Addr().String()+"/payments", 1))
	began := time.Now()
	if got := offered(h, "link", "show", ""); got != nil {
		t.Errorf("of a silent server: %q", got)
	}
	if took := time.Since(began); took > 3*time.Second { // of which a busy machine takes most
		t.Errorf("a silent server was waited for %v", took)
	}
}
