package journalcmd_test

import (
	"path/filepath"
	"strings"
	"testing"

	"paydesk/api/journal"
	"paydesk/api/journal/journalcmd"
)

// run runs the command and returns its exit code and all it printed.
func run(t *testing.T, state string, args ...string) (int, string) {
	t.Helper()
	var out strings.Builder
	code := journalcmd.CLI{Out: &out, Stderr: &out, State: state}.Run(t.Context(), args)
	return code, out.String()
}

func TestAJournalIsBackedUpAndBroughtBack(t *testing.T) {
	state, file := filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "backup")
	j, err := journal.Open(t.Context(), journal.Options{Dir: state})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for _, step := range []struct {
		args string
		code int
		says string
	}{
		{"backup " + file, 0, "0 attempts, 0 unresolved, with 0 events. Every row of the copy was checked."},
		{"backup " + file, 1, "There is a file of this name already"},
		{"restore " + file, 1, "nothing was changed; add --yes"},
		{"restore " + file + " --yes", 0, "journal.db.replaced-"},
		{"restore --yes " + file + "x", 1, "There is no such file"},
		{"--state-dir " + state + "x backup " + file + "x", 1, "There is no journal to back up"},
		{"backup --yes " + file, 2, "see paydesk journal --help"},
		{"backup", 2, "see paydesk journal --help"},
		{"forget " + file, 2, "see paydesk journal --help"},
		{"--help", 0, "journal.key is not in a backup"},
	} {
		if code, out := run(t, state, strings.Fields(step.args)...); code != step.code || !strings.Contains(out, step.says) {
			t.Errorf("%s: %d, %s", step.args, code, out)
		}
	}
}

func TestWhatIsTypedIsNotRepeatedWhenItIsNotUnderstood(t *testing.T) {
	if _, out := run(t, t.TempDir(), "sk_live_mistaken", "--sk_live_mistaken"); strings.Contains(out, "mistaken") {
		t.Error(out)
	}
}
