package webhook

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fileOf puts a file of testdata, as paydesk wrote it, where a store looks for its own.
func fileOf(t *testing.T, name string, change func([]byte)) (dir string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	change(b)
	dir = filepath.Join(t.TempDir(), "state")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, FileName), b, 0o600)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What was received may exist nowhere else: a version that has other tables upgrades this file, and sets none aside.
func TestAnInboxOfVersion1IsReadAndWritten(t *testing.T) {
	dir := fileOf(t, "older/1.db", func([]byte) {})
	for more := range 2 { // upgraded, and upgraded already
		s := New(Options{Dir: dir})
		f := find(t, s, "")
		if f.Replaced != "" || f.Total != 3+more || len(f.Records) != f.Total {
			t.Fatalf("%+v", f)
		}
		first := f.Records[len(f.Records)-1]
		if first.Reference != "OLDER11111" || first.Deliveries != 2 || first.Verdict != Unknown {
			t.Errorf("%+v", first)
		}
		if d, err := s.Get(t.Context(), "shop", first.ID); err != nil || !strings.Contains(string(d.Body), `"Amount":120.50`) || len(d.Arrivals) != 2 {
			t.Errorf("%+v, %v", d, err)
		}
		if n := keep(t, s, body("NEWER11111", "SUCCESSFUL")); n != int64(5+more) {
			t.Errorf("delivery %d", n)
		}
		s.Close()
	}
}

func TestAnInboxOfANewerVersionIsLeftAlone(t *testing.T) {
	const userVersion = 60 // of the file format of SQLite
	dir := fileOf(t, "older/1.db", func(b []byte) { b[userVersion] = 1 })
	before, _ := os.ReadFile(filepath.Join(dir, FileName))
	s := New(Options{Dir: dir})
	_, err := s.Keep(t.Context(), "shop", nil, body("R1", "SUCCESSFUL"))
	_, read := s.Find(t.Context(), Search{Profile: "shop"})
	s.Close()
	for _, err := range []error{err, read} {
		if u, is := errors.AsType[*Unavailable](err); !is || !strings.Contains(u.Why, "The inbox was written by a newer version of paydesk.") {
			t.Errorf("%v", err)
		}
	}
	if after, _ := os.ReadFile(filepath.Join(dir, FileName)); string(after) != string(before) || s.Replaced() != "" {
		t.Error("the file was changed")
	}
}
