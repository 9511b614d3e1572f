package webhook

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paydesk/api/statefile"
)

func TestAnInboxOfANewerVersionIsLeftAlone(t *testing.T) {
	t.Parallel()
	const userVersion = 60 // of the file format of SQLite
	dir := filepath.Join(t.TempDir(), "state")
	older := New(Options{Dir: dir})
	keep(t, older, body("R0", "SUCCESSFUL"))
	older.Close()
	before, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	before[userVersion] = 1
	if err := os.WriteFile(filepath.Join(dir, FileName), before, 0o600); err != nil {
		t.Fatal(err)
	}
	s := New(Options{Dir: dir})
	_, err = s.Keep(t.Context(), "shop", nil, body("R1", "SUCCESSFUL"))
	_, read := s.Find(t.Context(), Search{Profile: "shop"})
	s.Close()
	for _, err := range []error{err, read} {
		if u, is := errors.AsType[*statefile.Unavailable](err); !is || !strings.Contains(u.Why, "The inbox was written by a newer version of paydesk.") {
			t.Errorf("%v", err)
		}
	}
	if after, _ := os.ReadFile(filepath.Join(dir, FileName)); string(after) != string(before) || s.Replaced() != "" {
		t.Error("the file was changed")
	}
}
