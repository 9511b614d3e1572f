package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/ledger"
	"paydesk/keystore/keystoretest"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

func TestAJournalIsBackedUpAndBroughtBack(t *testing.T) {
	h := clitest.New(t)
	j := journal.New(journal.Options{Dir: h.StateDir()})
	must(t, j.Check(t.Context()))
	defer j.Close()
	if runtime.GOOS == "windows" {
		j.Close() // what a console has open is not set aside there
	}
	file := filepath.Join(h.Home, "backup")
	for _, step := range []struct {
		args string
		code command.Code
		says string
	}{
		{"backup " + file, command.Done, "0 attempts, 0 unresolved, with 0 facts. Every row of the copy was checked."},
		{"backup " + file, command.Failed, "A file or folder with this name already exists"},
		{"restore " + file, command.Usage, "Add --yes to put the backup in place"},
		{"restore " + file + " --yes", command.Done, "journal.db.replaced-"},
		{"backup " + file + "2", command.Done, "A loss of the journal was not acknowledged, and the backup has it too: Records"},
		{"restore --yes " + filepath.Join(h.StateDir(), "journal.db"), command.Usage, "is the journal itself; nothing was changed"},
		{"restore --yes " + file + "x", command.Failed, "There is no such file"},
		{"--state-dir " + h.StateDir() + "x backup " + file + "x", command.Failed, "There is no journal to back up"},
		{"backup --yes " + file, command.Usage, "see paydesk journal backup --help"},
		{"backup", command.Usage, "paydesk journal backup takes FILE"},
		{"forget " + file, command.Usage, "needs one of its commands: acknowledge, audit, backup, copy, init, key, restore and status; see paydesk journal --help"},
		{"backup " + file + " WRONG", command.Usage, "takes FILE"},
		{"--WRONG backup", command.Usage, "unknown option"},
		{"backup --profile shop " + file, command.Usage, "--profile does not belong to paydesk journal backup"},
		{"--help", command.Done, "journal.key is in no backup"},
	} {
		r := h.Run(strings.Fields("journal " + step.args)...).Is(step.code).Lacks("WRONG")
		if !strings.Contains(r.Out+r.Err, step.says) {
			t.Errorf("%s: %s%s", step.args, r.Out, r.Err)
		}
	}
	h.Configure("[journal]\nstore = \"postgres\n") // with a typo: this user's file is not taken for the team's journal
	h.Run("journal", "backup", file+"3").Is(command.Usage).Says("config.toml")
	if _, err := os.Stat(file + "3"); !os.IsNotExist(err) {
		t.Errorf("it was copied: %v", err)
	}
}

func TestWhatOnlyLooksAtAJournalCreatesNone(t *testing.T) {
	h := clitest.New(t)
	h.Run("journal", "acknowledge").Is(command.Done).Says("There is nothing to acknowledge")
	h.Run("journal", "status").Is(command.Done).Prints("Journal\t"+filepath.Join(h.StateDir(), "journal.db"), "Attempts\tnone yet\n")
	h.Run("journal", "status", "--json").Is(command.Done).Prints(`"store":"sqlite"`, `"exists":false`, `"keep_days":90`, `"problems":[]`)
	if _, err := os.Stat(h.StateDir()); !os.IsNotExist(err) {
		t.Errorf("it was created: %v", err)
	}
	h.Configure("[journal]\nstore = \"postgres\n") // with a typo: it may be a team's that lost something
	h.Run("journal", "acknowledge").Is(command.Usage).Says("config.toml").Lacks("nothing to acknowledge")
}

func TestTheStatusOfAJournalSaysWhatItHolds(t *testing.T) {
	h := clitest.New(t)
	_, _ = record(h)
	h.Configure("[journal]\nkeep_days = 14\n")
	h.Run("journal", "status").Is(command.Done).Prints("Store\tsqlite\n", "Version\t", "Size\t", "Attempts\t", "Oldest\t20", "Newest\t20", "Kept\t14 days\n")
	h.Run("journal", "status", "--json").Is(command.Done).Prints(`"exists":true`, `"bytes":`, `"keep_days":14`, `"problems":[]`)
	if runtime.GOOS == "windows" {
		return
	}
	must(t, os.Chmod(filepath.Join(h.StateDir(), "journal.db"), 0o644))
	h.Run("journal", "status").Is(command.Failed).Says("other users can read it", "chmod 600")
	h.Run("journal", "status", "--json").Is(command.Failed).Prints(`"problems":["The journal is disabled`)
}

func TestAnAuditComparesTheJournalWithItsFactsAndAnExport(t *testing.T) {
	h := clitest.New(t)
	h.Run("journal", "audit").Is(command.Failed).Says("no journal to audit")
	_, attempts := record(h)
	h.Run("journal", "audit").Is(command.Done).Prints("Facts\t", "Head\t", "Differs\t0 things")
	h.Run("journal", "audit", "--json").Is(command.Done).Prints(`"schema":"paydesk.audit/1"`, `"head":"`, `"differs":[]`)
	export := filepath.Join(h.Home, "payments")
	audit := func(rows string) clitest.Result {
		must(t, os.WriteFile(export, []byte(rows), 0o600))
		return h.Run("journal", "audit", "--provider", export)
	}
	audit(`{"reference":"R1","metaData":{}}` + "\n" + `{"reference":"R2","metaData":{"paydesk_attempt":"zzzzzzzzzz"}}` + "\n").Is(command.Unresolved).Says("the payment R2 of attempt zzzzzzzzzz, which is not here")
	h.Run("journal", "audit", "--provider", export, "--json").Is(command.Unresolved).Prints(`"code":"mismatch"`)
	for row, says := range map[string]string{
		`{"reference":"REF","paydesk_attempt":"ID","currency":"NGN","amount":400000}`:                                          "",
		`{"reference":"REF","metaData":{"paydesk_attempt":"CAPITALS"}}`:                                                        "",
		"\ufeff\"payment_reference\",paydesk_attempt,currency,amount_major\nREF,ID,ngn,4000.00\n":                              "",
		"reference,paydesk_attempt,currency,amount\nREF,ID,NGN,4000.01\n":                                                      "Amounts of the export that cannot be compared: 1, such as 4000.01 for the payment REF",
		"reference,paydesk_attempt,currency,amount_major\nREF,ID,NGN,4 thousand\n":                                             "such as 4 thousand for the payment REF",
		"reference,paydesk_attempt,amount\nREF,ID,400000\n":                                                                    "such as 400000 for the payment REF",
		"reference,paydesk_attempt,currency,amount\nREF,ID,NGN,\n":                                                             "such as no amount for the payment REF",
		"reference,paydesk_attempt,currency,amount\nREF,ID,NGN,400001\n":                                                       "The service has 4,000.01 NGN for the payment REF of attempt ID, which is 4,000.00 NGN here.",
		"reference,paydesk_attempt,currency,amount_major\nREF,ID,GBP,4000\n":                                                   "The service has 4,000.00 GBP for the payment REF of attempt ID, which is 4,000.00 NGN here.",
		`{"reference":"REF","paydesk_attempt":"ID"}` + "\n" + `{"reference":"REF","metaData":{"paydesk_attempt":"ID"}}` + "\n": "The service has 2 payments of attempt ID.",
		"reference,paydesk_attempt\nOTHER,ID\n":                                                                                "the payment OTHER of attempt ID, which has the reference REF here",
		"reference,paydesk_attempt\nsk_test_abc123456,ID\n":                                                                    "the payment [key] of attempt ID",
	} {
		fill := strings.NewReplacer("REF", "XHCQVX9BB5", "ID", attempts[0], "CAPITALS", strings.ToUpper(attempts[0]))
		if r := audit(fill.Replace(row)); says == "" {
			r.Is(command.Done).Prints("Export\t1 payment, 1 with an attempt")
		} else {
			r.Is(command.Unresolved).Says(fill.Replace(says))
		}
	}
	must(t, os.WriteFile(export, []byte("a,b\n1,2\n"), 0o600))
	h.Run("journal", "audit", "--provider", export).Is(command.Usage).Says("The file "+export+" is no export", "no columns reference and paydesk_attempt")

	h = clitest.New(t)
	id, ref := lost(h)
	for _, known := range []string{"unresolved", "gave up"} {
		audit("reference,paydesk_attempt\n" + ref + "," + id + "\n").Is(command.Unresolved).Says("the payment " + ref + " of attempt " + id + ", which has no reference here (" + known + ")")
		h.Run("resolve", id, "--give-up", "--yes")
	}
}

// teamed configures a host for a journal that a team shares.
func teamed(h *clitest.Host) *clitest.Host {
	h.Configure("[journal]\nstore = \"postgres\"\nurl = \"postgres://paydesk@127.0.0.1:9/payments\"\n")
	return h
}

// teamKey returns the path of the key of a team's journal.
func teamKey(h *clitest.Host) string {
	return filepath.Join(h.ConfigFolder(), "journal.key")
}

func TestTheKeyOfATeamIsHandedOver(t *testing.T) {
	ada, ben := teamed(clitest.New(t)), teamed(clitest.New(t))
	file := filepath.Join(t.TempDir(), "team.key")
	ada.Run("journal", "key", "export", file).Is(command.Failed).Says("The journal key file does not exist", "paydesk journal init")
	ben.Run("journal", "key", "import", file).Is(command.Failed).Says("There is no such file")
	if runtime.GOOS != "windows" { // where a file is no folder, there is none below it
		ben.Run("journal", "key", "import", filepath.Join(ben.ConfigFolder(), "config.toml", "key")).Is(command.Failed).Says("key file cannot be read")
	}
	_, err := journal.KeyFile(teamKey(ada)).Create()
	must(t, err)
	b, err := os.ReadFile(teamKey(ada))
	must(t, err)
	key := strings.TrimSpace(string(b))
	ada.Run("journal", "key", "export", file).Is(command.Done).Says("only you can read", "Delete it").Lacks(key)
	ada.Run("journal", "key", "export", file).Is(command.Failed).Says("already").Lacks(key)
	ben.Run("journal", "key", "import", file).Is(command.Done).Says("The key is in " + teamKey(ben)).Lacks(key)
	ben.Run("journal", "key", "import", file).Is(command.Done).Says("there already").Lacks(key)
	if b, err := os.ReadFile(teamKey(ben)); err != nil || string(b) != key+"\n" {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	ada.Run("journal", "key", "export", "-", "--json").Is(command.Usage).Lacks(key)
	if piped := ada.Run("journal", "key", "export", "-").Is(command.Done).Out; piped != key+"\n" {
		t.Errorf("%d bytes in the pipe", len(piped))
	}
	ben.RunWith(key+"\n", "journal", "key", "import", "-").Is(command.Done).Says("there already").Lacks(key)
	if shown := ada.Terminal("journal", "key", "export", "-").Sees("The key is not shown on a terminal").Ends(command.Usage).Shown(); strings.Contains(shown, key) {
		t.Error("it was shown")
	}
	ada.Terminal("journal", "key", "import", "-").Sees("The key is not typed").Ends(command.Usage)
}

func TestAnotherKeyIsOnlyReplacedWhenAsked(t *testing.T) {
	h := teamed(clitest.New(t))
	other := strings.Repeat("5a", 32)
	_, err := journal.KeyFile(teamKey(h)).Create()
	must(t, err)
	was, err := os.ReadFile(teamKey(h))
	must(t, err)
	h.RunWith(other, "journal", "key", "import", "-").Is(command.Failed).
		Says("There is another key", "Nothing was changed", "not recognised", "add --replace").Lacks(other)
	if b, err := os.ReadFile(teamKey(h)); err != nil || string(b) != string(was) {
		t.Error("it was replaced")
	}
	h.RunWith("CANARY\n", "journal", "key", "import", "-", "--replace").Is(command.Failed).Says("64 hexadecimal digits")
	must(t, os.MkdirAll(teamKey(h)+".new/taken", 0o700)) // where the new one is written first
	h.RunWith(other, "journal", "key", "import", "-", "--replace").Is(command.Failed).Says("The key cannot be written").Lacks(other)
	if b, err := os.ReadFile(teamKey(h)); err != nil || string(b) != string(was) {
		t.Errorf("the key that was there is not: %v", err)
	}
	must(t, os.RemoveAll(teamKey(h)+".new"))
	h.RunWith(other, "journal", "key", "import", "-", "--replace").Is(command.Done).Says("kept as "+teamKey(h)+".replaced-", "The key is in").Lacks(other)
	kept, err := filepath.Glob(teamKey(h) + ".replaced-*")
	if b, readErr := os.ReadFile(strings.Join(kept, "")); err != nil || readErr != nil || string(b) != string(was) {
		t.Errorf("%q %v %v", kept, err, readErr)
	}
}

// A teamServer is the server that has the journal of a team.
type teamServer struct {
	t *testing.T
	*pgtest.Cluster
}

func newTeamServer(t *testing.T) teamServer {
	t.Helper()
	pgtest.Asked(t)
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
	h.Run("journal", "copy", "--from", file).Is(command.Failed).Says("journal is not empty", "Nothing was copied")
	other := clitest.New(t)
	theirs, _ := record(other)
	defer theirs.Close()
	s.join(other)
	other.Run("journal", "key", "import", filepath.Join(other.StateDir(), "journal.key")).Is(command.Done)
	other.Run("journal", "copy", "--from", filepath.Join(other.StateDir(), "journal.db")).Is(command.Failed).
		Says("begun with another key", "Nothing was copied", "If it is empty, have its schema dropped")
}

// carls begins a payment of a customer whom a journal recognises by its hashes.
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
		}, "a console is waiting for the answer"},
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
