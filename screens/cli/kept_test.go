package cli_test

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

// An answer that can be written nowhere is on the screen alone: the command says so with the reference, and its code is
// that of an outcome that is not known.
func TestAnAnswerThatCanBeWrittenNowhereEndsWithItsReference(t *testing.T) {
	h := atOnce(t)
	between(h, func(answer string) string {
		path := filepath.Join(h.StateDir(), "journal.db")
		for _, err := range []error{
			os.Rename(path, path+".away"), os.Mkdir(path, 0o700),
			os.RemoveAll(filepath.Join(h.StateDir(), "outcomes")), os.WriteFile(filepath.Join(h.StateDir(), "outcomes"), nil, 0o600),
			os.RemoveAll(filepath.Join(h.Home, ".cache")), os.WriteFile(filepath.Join(h.Home, ".cache"), nil, 0o600),
		} {
			if err != nil {
				t.Error(err)
			}
		}
		return answer
	})
	r := h.Run(byTransfer("--yes", "--no-wait", "--json")...).Is(command.Unresolved).Says("could not be recorded", "Do not send it again", "paydesk resolve ")
	_, ref, _ := strings.Cut(r.Out, `"reference":"`)
	if ref, _, _ = strings.Cut(ref, `"`); ref == "" {
		t.Fatal(r.Out)
	}
	r.Says("reference " + ref).Prints(`"exit":6`)
	_, initiated, _ := strings.Cut(r.Out, "paydesk.collect.initiated/1")
	initiated, _, _ = strings.Cut(initiated, "\n")
	_, attempt, _ := strings.Cut(r.Err, "attempt ")
	attempt, _, _ = strings.Cut(attempt, ".")
	if !strings.Contains(initiated, `"attempt":"`+attempt+`"`) {
		t.Errorf("attempt %s is not in what was printed of the payment: %s", attempt, initiated)
	}
}

// A payment is compared with what was asked for also when its journal is deleted while its status is waited for.
func TestACollectionComparesWithWhatItSentThoughItsJournalIsDeleted(t *testing.T) {
	for _, more := range [][]string{{"--no-wait"}, {}} {
		h := atOnce(t)
		through(h, func(w http.ResponseWriter, r *http.Request) {
			rewritten(h, w, r, func(body string) string {
				if strings.Contains(r.URL.Path, "/payment/transactions/") {
					loseJournal(t, h)
					body = strings.Replace(body, `"amount":4000.00`, `"amount":1.00`, 1)
				}
				return body
			})
		})
		h.Run(byTransfer(with(more, "--yes", "--json")...)...).Is(command.Unresolved).Prints(`"success":false`, `"made_here":true`, `"mismatch":{`).Says("may be missing")
	}
}

// loseJournal deletes the files of the journal.
func loseJournal(t *testing.T, h *clitest.Host) {
	t.Helper()
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(h.StateDir(), "journal.db"+end)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
}

// While a loss stands it is not known what was asked for: a status is no success then, unless the journal has the payment.
func TestAStatusIsNoSuccessWhileALossOfTheJournalStands(t *testing.T) {
	h := atOnce(t)
	lost := made(h, aTransfer())
	loseJournal(t, h)
	for range 2 {
		h.Run("status", lost, "--json").Is(command.Locked).Prints(`"success":false`, `"problem":{`, `"exit":10`).Says("may be missing", "are not compared with what was asked").Lacks("Provide the goods")
	}
	h.Run("case", lost).Is(command.Locked)
	for _, of := range []string{"activity", "link list", "transactions --where not-here", "activity show 7f3k", "link show 0-a1b2c3d", "resolve 7f3k --not-found"} {
		if code := h.Run(append(strings.Fields(of), "--json")...).Is(command.Locked).Refusal().Code; code != "loss" {
			t.Errorf("%s is refused with %q", of, code)
		}
	}
	h.Run("status", lost, "--until", "final", "--json").Is(command.Locked).Prints(`"success":false`)
	acknowledgeLoss(h)
	h.Run("status", lost, "--json").Is(command.Done).Prints(`"success":true`, `"made_here":false`)
}

func acknowledgeLoss(h *clitest.Host) {
	h.Terminal("journal", "acknowledge").Sees("Type acknowledge").Type("acknowledge\r").Sees("Acknowledged").Ends(command.Done)
}
