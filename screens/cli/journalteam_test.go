package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/ledger"
	"paydesk/keystore/keystoretest"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

// A teamServer is where the journal of a team is.
type teamServer struct {
	t *testing.T
	*pgtest.Cluster
}

func newTeamServer(t *testing.T) teamServer {
	t.Helper()
	return teamServer{t, pgtest.Shared(t)}
}

// gone lets a host find no server at its address, as if it had stopped: other tests use it.
func (s teamServer) gone(h *clitest.Host) {
	h.Configure(strings.ReplaceAll(keystoretest.Read(s.t, h.ConfigFolder()), url.QueryEscape(s.Dir()), url.QueryEscape(s.t.TempDir())))
}

// desk is a host of the team.
func (s teamServer) desk() *clitest.Host {
	h := clitest.New(s.t)
	s.join(h)
	return h
}

// join configures a host for the journal of the team.
func (s teamServer) join(h *clitest.Host) {
	h.Configure(fmt.Sprintf("-- default --\nshop\n-- config.toml --\n[journal]\nstore = \"postgres\"\nurl = %q\n-- profiles/shop.toml --\nenvironment = \"test\"\n"+
		"base_url = %q\nlist_url = %q\nkey = \"env\"\n", s.URL("postgres", s.Database), h.Origin, h.Origin))
}

func TestATeamBeginsItsJournal(t *testing.T) {
	s := newTeamServer(t)
	ada, ben := s.desk(), s.desk()
	ada.Run("journal", "init", "--print-sql").Is(command.Done).Prints("CREATE ROLE paydesk_own", "CREATE ROLE paydesk_use")
	ada.Run("journal", "status").Is(command.Failed).Lacks("Attempts").Says("not set up", "paydesk journal init")
	ada.Run("doctor").Prints("team's journal", "paydesk journal init")

	ada.Run("journal", "init").Is(command.Done).Prints("in place", "The key of its hashes was made: "+teamKey(ada), "paydesk journal key export FILE")
	ada.Run("journal", "init").Is(command.Done).Lacks("was made")
	ben.Run("journal", "init").Is(command.Failed).Says("The key of the team's journal is missing here", "paydesk journal key import")
	file := filepath.Join(t.TempDir(), "team.key")
	ada.Run("journal", "key", "export", file).Is(command.Done)
	ben.Run("journal", "key", "import", file).Is(command.Done)

	for _, h := range []*clitest.Host{ada, ben} {
		h.Run("journal", "status").Is(command.Done).
			Prints("Store\tpostgres\n", "Version\t1\n", "Attempts\t0\n", "Kept\t90 days\n", "Server\tPostgreSQL ", "Role\tpostgres\n", "synchronous_commit = on")
		h.Run("journal", "status", "--json").Is(command.Done).Prints(`"store":"postgres"`, `"exists":true`, `"attempts":0`, `"read_only":false`, `"problems":[]`)
	}
	ada.Run("doctor").Prints(" keeps ") // the line is broken where the folder of the server is long

	ben.RunWith(strings.Repeat("5a", 32), "journal", "key", "import", "-", "--replace").Is(command.Done)
	ben.Run("journal", "status").Is(command.Failed).Says("not the one that the team's journal was written with")
	ada.Run("journal", "init").Is(command.Done)
	s.gone(ada)
	ada.Run("journal", "status").Is(command.Failed).Prints("Journal\t").Says("cannot be reached").Lacks("Attempts")
	ada.Run("journal", "status", "--json").Is(command.Failed).Prints(`"problems":["`).Lacks(`"exists"`)
	if o := ada.Run("journal", "init", "--json").Is(command.Failed).Says("cannot be reached").Refusal(); o.Code != "journal" || o.Command != "paydesk journal status" {
		t.Errorf("%+v", o)
	}
	ada.Run("doctor").Prints("team's journal", "cannot be reached")
}

// What a password command says beside the password is why there is none. What it prints may be the password.
func TestAPasswordCommandThatFailsIsSaidWithItsReason(t *testing.T) {
	s := newTeamServer(t)
	h := s.desk()
	h.Run("journal", "init").Is(command.Done)
	script := "[journal]\n" + `password_command = ["sh", "-c", 'echo hunter2; printf "Error: the store\033[2J is locked.\n" >&2; exit 3']` + "\n"
	h.Configure(strings.Replace(keystoretest.Read(t, h.ConfigFolder()), "[journal]\n", script, 1))
	const why = "The team's journal has no password: the password command failed with exit code 3 (Error: the store[2J is locked.); "
	for _, line := range []string{"journal status", "journal init", "activity"} {
		r := h.Run(strings.Fields(line)...).Is(command.Failed).Says(why, "keep the password in .pgpass").Lacks("hunter2")
		if strings.Count(r.Err, "password command") != 1 {
			t.Errorf("%s says it twice: %s", line, r.Err)
		}
	}
	h.Run("doctor").Prints("has no password", "exit code 3 (Error").Lacks("hunter2")
}

func TestTheJournalOfOneUserBecomesTheTeams(t *testing.T) {
	s, h := newTeamServer(t), clitest.New(t)
	j, all := record(h) // and a console goes on using it
	defer j.Close()
	s.join(h)
	file, key := filepath.Join(h.StateDir(), "journal.db"), filepath.Join(h.StateDir(), "journal.key")
	h.Run("journal", "init").Is(command.Failed).Says("this user has a journal already", "paydesk journal key import "+key, "--fresh")
	h.Run("journal", "copy", "--from", file).Is(command.Failed).Says("there is no key of the team yet", "paydesk journal key import "+key)
	h.Run("journal", "key", "import", key).Is(command.Done)
	h.Run("journal", "copy", "--from", file).Is(command.Failed).Says("paydesk journal init", "Nothing was copied")
	h.Run("journal", "init").Is(command.Done).Lacks("was made")
	must(t, os.WriteFile(file+".losses", []byte(`[{"to":"2026-01-02T03:04:05Z","why":"a backup was put in place"}]`), 0o600))
	h.Run("journal", "copy", "--from", file).Is(command.Failed).Says("may be missing", "Nothing was copied", "paydesk journal acknowledge")
	h.Terminal("journal", "acknowledge").Sees("Type acknowledge").Type("acknowledge\r").Ends(command.Done)
	before, err := os.ReadFile(file)
	must(t, err)
	h.Run("journal", "copy", "--from", file).Is(command.Done).
		Prints(fmt.Sprintf("%d attempts", len(all)), "Every row was read back and compared.", "The file stays as it is: "+file)
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the file was changed: %v", err)
	}
	h.Run("journal", "status").Is(command.Done).Prints(fmt.Sprintf("Attempts\t%d\n", len(all)), "Oldest\t20")
	h.Run("journal", "copy", "--from", file).Is(command.Failed).Says("holds something already", "Nothing was copied")
}

// carls begins a payment of somebody whom a journal recognises by its hashes.
func carls(j *journal.Journal) (ledger.Attempt, error) {
	to := ledger.Destination{Profile: "shop", Environment: "TEST", Host: "pay.example"}
	return j.Begin(context.Background(), ledger.Attempt{Kind: ledger.Initiate, Channel: "Card", Destination: to}, ledger.Payer{Email: "carl@example.org"}, nil)
}

// Each is said before the database is asked for anything: there is none.
func TestWhatCannotBeCopiedIsSaidBeforeAnythingIsWritten(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(h *clitest.Host, j *journal.Journal, file string) error
		want    string
	}{
		"another key": {func(h *clitest.Host, j *journal.Journal, _ string) error {
			a, err := carls(j)
			return errors.Join(err, j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Refused}), os.WriteFile(teamKey(h), []byte(strings.Repeat("5a", 32)+"\n"), 0o600))
		}, "not the one that the file was written with"},
		"a console waiting": {func(_ *clitest.Host, j *journal.Journal, _ string) error {
			_, err := carls(j)
			return err
		}, "a console waits for the answer"},
		"a damaged journal": {func(_ *clitest.Host, j *journal.Journal, file string) error {
			must(t, j.Close())
			b, err := os.ReadFile(file)
			return errors.Join(err, os.WriteFile(file, bytes.ReplaceAll(b, []byte("TEST"), []byte("TESA")), 0o600))
		}, "it is damaged"},
	} {
		h := clitest.New(t)
		j, _ := record(h)
		defer j.Close()
		file, key := filepath.Join(h.StateDir(), "journal.db"), filepath.Join(h.StateDir(), "journal.key")
		teamed(h).Run("journal", "key", "import", key).Is(command.Done)
		must(t, c.prepare(h, j, file))
		h.Run("journal", "copy", "--from", file).Is(command.Failed).Says(c.want).Lacks("copy-", "cannot be reached")
		if left, err := filepath.Glob(filepath.Join(h.StateDir(), "copy-*")); len(left) > 0 || err != nil {
			t.Errorf("%s: left behind: %q %v", name, left, err)
		}
	}
}
