//go:build unix

package screens_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
)

// colleague returns a user whose journal is that of the team.
func colleague(t *testing.T, origin, database string) setting {
	t.Helper()
	e := newSetting(t)
	path := e.configure(t, profile(origin, "ask")+"\n[journal]\nstore = \"postgres\"\nurl = \""+database+"\"\n")
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "journal.key"), []byte(strings.Repeat("0f", 32)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return e
}

// team returns the database of a team's journal.
func team(t *testing.T) (server *pgtest.Cluster, url string) {
	t.Helper()
	server = pgtest.Start(t)
	url = server.URL("postgres", "postgres")
	if err := postgres.Init(t.Context(), postgres.Config{URL: url}); err != nil {
		t.Fatal(err)
	}
	return server, url
}

func TestWhatAColleagueDoesIsShownAtOnce(t *testing.T) {
	t.Parallel()
	_, origin := serve(t, nil)
	server, url := team(t)
	var desks []*window
	for range 2 {
		v := open(t, colleague(t, origin, url), 80, 24)
		v.Sees("verify it")
		v.Type(programKey)
		v.Press("enter")
		v.Sees("Menu", "Nothing recorded here")
		desks = append(desks, v)
	}
	desks[0].Press("l")
	desks[0].Sees("Reference")
	desks[0].Type("REF99003")
	desks[0].Press("enter")
	desks[0].Sees("REF99003", "p ")
	desks[0].Press("p")
	desks[0].Sees("pinned to Home")
	desks[1].Sees("REF99003")
	server.Stop(t, "immediate")
	desks[1].Press("r")
	desks[1].Sees("Sending is disabled", "cannot be reached")
	server.Restart(t) // and it heals by itself
	desks[1].Until(func() bool { return !desks[1].Has("Sending is disabled") })
	for _, v := range desks {
		v.Press("ctrl+c")
		v.gone()
	}
}
