//go:build unix

package screens_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// What a restore takes away under a console that only shows it is said at once, on every screen, and nothing is sent
// before a person has read it there.
func TestARestoreUnderAConsoleIsSaidAndReadThere(t *testing.T) {
	t.Parallel()
	e := newSetting(t)
	_, origin := serve(t, nil)
	e.configure(t, profile(origin, "env"))
	e["PAYDESK_SECRET_KEY"] = programKey
	dir := filepath.Join(e["XDG_STATE_HOME"], "paydesk")
	j, err := journal.Open(t.Context(), journal.Options{Dir: dir})
	must(t, err)
	backup := filepath.Join(t.TempDir(), "backup.db")
	if _, err := j.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	a, err := j.Begin(t.Context(), ledger.Attempt{
		Kind: ledger.Initiate, Amount: pounds(4242), Channel: api.ChannelCard,
		Destination: ledger.Destination{Profile: "shop", Environment: "TEST", Host: origin[len("http://"):]},
	}, ledger.Payer{}, nil)
	if err == nil {
		err = j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "silence"})
	}
	must(t, err)
	j.Close()

	v := open(t, e, 120, 40)
	v.Sees("UNRESOLVED", "42.42")
	restorer := journal.New(journal.Options{Dir: dir})
	if _, err := restorer.Restore(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	v.Sees("Sending is disabled until you have read this with ctrl+l", "backup was put in place of the journal")
	v.Press("n").Sees("New link", "Sending is disabled until you have read this with ctrl+l", "ctrl+l acknowledge")
	v.Press("ctrl+l").Sees("Records are missing: send again?", "may be missing", "Type acknowledge")
	if len(restorer.Losses()) == 0 {
		t.Error("opening the screen acknowledged it")
	}
	v.Wait(400 * time.Millisecond) // until the question takes answers
	for _, key := range append(strings.Split("acknowledge", ""), "right", "enter") {
		v.Press(key).heard()
		v.Wait(50 * time.Millisecond) // keys that follow each other faster are not deliberate
	}
	v.Until(func() bool { return !v.Has("Records are missing") && !v.Has("Sending is disabled") })
	if all := restorer.Losses(); len(all) > 0 {
		t.Errorf("it still stands: %v", all)
	}
	v.Press("ctrl+c")
	v.gone()
}
