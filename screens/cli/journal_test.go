package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"paydesk/api/journal"
	"paydesk/screens/cli"
	"paydesk/screens/cli/clitest"
)

func TestAJournalIsBackedUpAndBroughtBack(t *testing.T) {
	h := clitest.New(t)
	j, err := journal.Open(t.Context(), journal.Options{Dir: h.StateDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	file := filepath.Join(h.Home, "backup")
	for _, step := range []struct {
		args string
		code cli.Code
		says string
	}{
		{"backup " + file, cli.Done, "0 attempts, 0 unresolved, with 0 events. Every row of the copy was checked."},
		{"backup " + file, cli.Failed, "There is a file of this name already"},
		{"restore " + file, cli.Failed, "nothing was changed; add --yes"},
		{"restore " + file + " --yes", cli.Done, "journal.db.replaced-"},
		{"restore --yes " + file + "x", cli.Failed, "There is no such file"},
		{"--state-dir " + h.StateDir() + "x backup " + file + "x", cli.Failed, "There is no journal to back up"},
		{"backup --yes " + file, cli.Usage, "see paydesk journal backup --help"},
		{"backup", cli.Usage, "paydesk journal backup takes FILE"},
		{"forget " + file, cli.Usage, "three commands: backup, restore and key; see paydesk journal --help"},
		{"backup " + file + " WRONG", cli.Usage, "takes FILE"},
		{"--WRONG backup", cli.Usage, "unknown option"},
		{"backup --profile shop " + file, cli.Usage, "--profile does not belong to paydesk journal backup"},
		{"--help", cli.Done, "journal.key is not in a backup"},
	} {
		r := h.Run(strings.Fields("journal " + step.args)...).Is(step.code).Lacks("WRONG")
		if !strings.Contains(r.Out+r.Err, step.says) {
			t.Errorf("%s: %s%s", step.args, r.Out, r.Err)
		}
	}
}

func TestTheHelpOfACommandHasItsOptionsOnly(t *testing.T) {
	h := clitest.New(t)
	h.Run("sandbox", "--help").Is(cli.Done).Prints("--settle TIME").Lacks("--profile", "--state-dir", "--ascii")
	h.Run("journal", "restore", "--help").Is(cli.Done).Prints("--yes", "--state-dir FOLDER").Lacks("--profile", "--no-proxy")
	h.Run("help", "journal", "backup").Is(cli.Done).Prints("--state-dir FOLDER").Lacks("--profile")
	h.Run("key", "show", "--help").Is(cli.Done).Prints("--profile NAME").Lacks("--ascii")
}

func TestTheJournalNeedsAFolder(t *testing.T) {
	h := clitest.New(t)
	h.Env = map[string]string{"HOME": "", "XDG_STATE_HOME": "relative"}
	h.Exec("journal", "backup", "x").Is(cli.Usage).Says("name it with --state-dir")
}
