package journal_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// Somebody who presses tab waits for it, however much the journal holds: its log has the times.
func TestAGlanceFindsTheNewestNamesOfALargeJournal(t *testing.T) {
	t.Parallel()
	needsFile(t)
	dir := filepath.Join(t.TempDir(), "paydesk")
	noError(t, journal.Fill(dir, repeats(500, 100_000), largeNow))
	at := ledger.Destination{Environment: "TEST", Host: "pay.example.com"}
	for _, c := range []struct {
		of        journal.Names
		beginning string
	}{{journal.PaymentNames, ""}, {journal.PaymentNames, "nothing"}, {journal.LinkNames, ""}, {journal.AttemptNames, ""}, {journal.AttemptNames, "0"}} {
		began := time.Now()
		found, err := journal.Glance(t.Context(), dir, at, c.of, c.beginning, 100)
		t.Logf("%d %q: %d in %v", c.of, c.beginning, len(found), time.Since(began))
		if err != nil || len(found) == 0 && c.beginning == "" {
			t.Errorf("%d, %q: %d found, %v", c.of, c.beginning, len(found), err)
		}
		for i, n := range found {
			if !strings.HasPrefix(n.Name, c.beginning) || i > 0 && n.At.After(found[i-1].At) {
				t.Errorf("%d, %q: %+v", c.of, c.beginning, n)
			}
		}
	}
	for _, other := range []ledger.Destination{{Environment: "LIVE", Host: at.Host}, {Environment: "TEST", Host: "other.example"}} {
		if found, err := journal.Glance(t.Context(), dir, other, journal.PaymentNames, "", 100); len(found) > 0 || err != nil {
			t.Errorf("%+v: %d, %v", other, len(found), err)
		}
	}
	if found, _ := journal.Glance(t.Context(), dir, at, journal.PaymentNames, "*", 100); found != nil {
		t.Errorf("a pattern finds %d", len(found))
	}
}

func TestAGlanceLeavesNoTrace(t *testing.T) {
	t.Parallel()
	needsFile(t)
	dir := filepath.Join(t.TempDir(), "paydesk")
	at := ledger.Destination{Environment: "TEST", Host: "pay.example.com"}
	if found, err := journal.Glance(t.Context(), dir, at, journal.PaymentNames, "", 9); found != nil || err == nil {
		t.Errorf("without a journal: %v, %v", found, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder was created")
	}
	if err := journal.Fill(dir, 10, largeNow); err != nil {
		t.Fatal(err)
	}
	names := func() string {
		all, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(all, " ")
	}
	before := names()
	if _, err := journal.Glance(t.Context(), dir, at, journal.PaymentNames, "", 9); err != nil {
		t.Error(err)
	}
	if after := names(); after != before {
		t.Errorf("the folder had %s, and has %s", before, after)
	}
	if err := os.WriteFile(filepath.Join(dir, "journal.db-wal"), nil, 0o600); err != nil { // of a crash
		t.Fatal(err)
	}
	if _, err := journal.Glance(t.Context(), dir, at, journal.PaymentNames, "", 9); err == nil {
		t.Error("a log without an index is read")
	}
}
