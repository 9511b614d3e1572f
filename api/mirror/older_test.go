package mirror_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"paydesk/api/journal"
)

// A version that has other tables upgrades this file: what changed in the list since then is in no other place.
func TestAFileOfVersion1IsReadAndWritten(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "older", "1.db"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "state")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "mirror.db"), b, 0o600)); err != nil {
		t.Fatal(err)
	}
	place := journal.Destination{Profile: "shop", Environment: "TEST", Host: "127.0.0.1:8097", Fingerprint: "368825e0ea4f855516590c4a40d39bdc"}
	m := open(t, dir, 0)
	all, err := m.Scans(t.Context(), place)
	if err != nil || len(all) != 1 || all[0].Rows != 12 {
		t.Fatalf("%+v, %v", all, err)
	}
	sum := keep(t, m, place, numbered(t, all[0].Ended.Add(time.Hour), 3, "PENDING"))
	if sum.First || sum.SetAside != "" || sum.New != 3 {
		t.Errorf("%+v", sum)
	}
	if all, err = m.Scans(t.Context(), place); err != nil || len(all) != 2 {
		t.Errorf("%+v, %v", all, err)
	}
}
