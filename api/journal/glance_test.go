package journal_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paydesk/api/journal"
	"paydesk/api/ledger"
)

func TestAGlanceFindsTheNewestNamesOfAService(t *testing.T) {
	t.Parallel()
	needsFile(t)
	dir := filepath.Join(t.TempDir(), "paydesk")
	noError(t, journal.Fill(dir, 150, largeNow))
	at := shop
	for of, beginning := range map[journal.Names]string{journal.PaymentNames: "", journal.LinkNames: "", journal.AttemptNames: "0"} {
		found, err := journal.Glance(t.Context(), dir, at, of, beginning, 100)
		if err != nil || len(found) == 0 {
			t.Errorf("%d: %d found, %v", of, len(found), err)
		}
		for i, n := range found {
			if !strings.HasPrefix(n.Name, beginning) || i > 0 && n.At.After(found[i-1].At) {
				t.Errorf("%d: %+v", of, n)
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
	noError(t, os.WriteFile(filepath.Join(dir, "journal.db-wal"), nil, 0o600)) // of a crash
	if _, err := journal.Glance(t.Context(), dir, at, journal.PaymentNames, "", 9); err == nil {
		t.Error("a log without an index is read")
	}
}
