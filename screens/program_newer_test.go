//go:build unix

package screens_test

import (
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"paydesk/api/journal"
)

// A journal that a newer paydesk has upgraded is left as it is.
func TestAnOlderConsoleSendsNothingBesideANewerJournal(t *testing.T) {
	t.Parallel()
	e := newSetting(t)
	dir := filepath.Join(e["XDG_STATE_HOME"], "paydesk")
	j, err := journal.Open(t.Context(), journal.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	newer, err := os.ReadFile(j.Path())
	if err != nil {
		t.Fatal(err)
	}
	const userVersion = 60 // of the file format of SQLite
	newer[userVersion+3]++
	if err := os.WriteFile(j.Path(), newer, 0o600); err != nil {
		t.Fatal(err)
	}

	var posts atomic.Int64
	_, origin := serve(t, func(s http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				posts.Add(1)
			}
			s.ServeHTTP(w, r)
		})
	})
	e.configure(t, profile(origin, "env"))
	e["PAYDESK_SECRET_KEY"] = programKey
	v := open(t, e, 100, 30)
	v.Sees("Sending is disabled: The journal was written by a newer version", "Use that version", "--state-dir")
	v.Press("n").Sees("New link", "Sending is disabled")
	v.Type("Oak\tChairs\t")
	v.Press("ctrl+s").Sees("Sending is disabled")
	v.Press("ctrl+c")
	v.gone()
	if n := posts.Load(); n != 0 {
		t.Errorf("%d requests that change something were sent", n)
	}
	if after, err := os.ReadFile(j.Path()); err != nil || string(after) != string(newer) {
		t.Errorf("the newer journal was changed: %v", err)
	}
}
