package journal_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"paydesk/api/journal"
	commands "paydesk/screens/cli/journal"
)

func TestAJournalIsBackedUpAndBroughtBack(t *testing.T) {
	state, file := filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "backup")
	j, err := journal.Open(t.Context(), journal.Options{Dir: state})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if runtime.GOOS == "windows" {
		j.Close() // what a console has open is not set aside there
	}
	backup := func(c commands.Upkeep, file string) error { return c.Backup(t.Context(), file) }
	check := func(c commands.Upkeep, file string) error { return c.Restore(t.Context(), file, false) }
	restore := func(c commands.Upkeep, file string) error { return c.Restore(t.Context(), file, true) }
	acknowledge := func(c commands.Upkeep, _ string) error {
		j := journal.New(journal.Options{Dir: c.State})
		return j.AcknowledgeLosses(j.Losses())
	}
	for _, step := range []struct {
		name        string
		do          func(commands.Upkeep, string) error
		state, file string
		fails       bool
		says        string
	}{
		{"backup", backup, state, file, false, "0 attempts, 0 unresolved, with 0 facts. Every row of the copy was checked."},
		{"a second backup", backup, state, file, true, "There is a file of this name already"},
		{"check", check, state, file, false, "The backup is sound"},
		{"restore", restore, state, file, false, "journal.db.replaced-"},
		{"backup of what lost something", backup, state, file + "2", false, "It lacks what the journal lacks, which was not acknowledged: Records"},
		{"acknowledge", acknowledge, state, "", false, ""},
		{"restore of nothing", restore, state, file + "x", true, "There is no such file"},
		{"backup of nothing", backup, state + "x", file + "x", true, "There is no journal to back up"},
	} {
		var out strings.Builder
		err := step.do(commands.Upkeep{Out: &out, State: step.state}, step.file)
		if said := out.String() + fmt.Sprint(err); (err != nil) != step.fails || !strings.Contains(said, step.says) {
			t.Errorf("%s: %s", step.name, said)
		}
	}
}
