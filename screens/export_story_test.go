package screens_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

// onlyFile is the text of the only file with a name in a folder, which only its owner can read.
func onlyFile(t *testing.T, folder, pattern string) string {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(folder, pattern))
	all, _ := os.ReadDir(folder)
	if len(names) != 1 {
		t.Fatalf("%s: %v of %v", pattern, names, all)
	}
	info, err := os.Stat(names[0])
	raw, bad := os.ReadFile(names[0])
	if err != nil || bad != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(err, bad, info.Mode())
	}
	return string(raw)
}

// An engineer with an incident takes along every failed payment in pounds of the whole list.
func TestFailedPaymentsOfTheWholeListAreTakenAlong(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		folder := t.TempDir()
		c.Press("2").Sees(" rows read").Press("space").Wait(time.Minute).Sees("All 1,204 rows read")
		c.Press("/").Type("failed gbp >100").Press("enter").Wait(time.Second).Sees(" found in 1,204 read")
		c.Press("w").Sees("Export transactions", "Search  failed gbp >100", "all 1,204 read", "transactions-matches-")
		c.Fill("Folder", folder).Press("ctrl+s").Wait(time.Second).Sees("rows were written to")
		records, err := csv.NewReader(strings.NewReader(onlyFile(t, folder, "paydesk-transactions-matches-2*.csv"))).ReadAll()
		if err != nil || len(records) < 10 || len(records) > 100 {
			t.Fatal(len(records), err)
		}
		for _, r := range records[1:] {
			whole, cents, _ := strings.Cut(r[5], ".")
			if r[2] != "FAILED" || r[4] != "GBP" || whole+cents != r[6] || len(whole) < 3 {
				t.Errorf("a row is %q", r)
			}
		}
		c.Press("w").Choose("Rows", "all 1,204 read").Choose("Format", "JSON Lines").Press("ctrl+s").Wait(time.Second).Sees("1,204 rows were written to")
		lines := 0
		for line := range strings.Lines(onlyFile(t, folder, "*.jsonl")) {
			var row map[string]any
			if err := json.Unmarshal([]byte(line), &row); err != nil || len(row) != 4 {
				t.Fatalf("%s: %v", line, err)
			}
			lines++
		}
		if lines != 1204 {
			t.Errorf("%d lines", lines)
		}
	})
}
