//go:build unix

package screens_test

import (
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
)

// colleague returns a user whose journal is the team's.
func colleague(t *testing.T, origin, database string) setting {
	t.Helper()
	e := newSetting(t)
	e["PAYDESK_SECRET_KEY"] = programKey
	path := e.configure(t, "[journal]\nstore = \"postgres\"\nurl = \""+database+"\"\n"+profile(origin, "env"))
	must(t, os.WriteFile(filepath.Join(path, "journal.key"), []byte(strings.Repeat("0f", 32)+"\n"), 0o600))
	return e
}

// Two people see an unresolved attempt. One of them takes it: the other sees that, cannot decide
// about it, and takes it over, which is seen in turn.
func TestAnUnresolvedAttemptIsTakenByOneOfTwo(t *testing.T) {
	pgtest.Whole(t)
	t.Parallel()
	program(t) // before the server: a short run has none
	url := pgtest.Start(t).URL("postgres", "postgres")
	must(t, postgres.Init(t.Context(), postgres.Config{URL: url}))
	var theirs setting
	ada := poisedAt(t, func(origin string) setting {
		theirs = colleague(t, origin, url)
		theirs["SSH_CONNECTION"] = "192.0.2.7 50000 192.0.2.1 22"
		return colleague(t, origin, url)
	})
	bo := open(t, theirs, 80, 24)
	bo.Sees("Menu")
	bo.Press("3")
	bo.Sees("Nothing has been sent yet")
	ada.send()
	ada.lose()
	ada.Sees("@ take")
	bo.Sees("1 attempt of this service", "UNRESOLVED")
	bo.Press("1")
	who, err := user.Current()
	must(t, err)
	bo.Sees("Menu", "UNRESOLVED", (who.Username + "@")[:5]) // a longer name is cut
	bo.Press("enter")
	bo.Sees("@ take")
	ada.Press("@")
	ada.Sees("You are looking at this until", "@ release")
	bo.Sees("is looking at this until", "@ take over")
	bo.Press("x")
	bo.Sees("ask them, or take it over (@)")
	bo.Press("@")
	bo.Sees("You are looking at this until")
	ada.Sees("from 192.0.2.7 as postgres is looking at this until", "@ take over")
	bo.Press("x")
	bo.Yes("Give up")
	bo.Sees("Given up")
	ada.Sees("Given up")
	for _, v := range []*window{ada.window, bo} {
		v.Press("ctrl+c")
		v.gone()
	}
}
