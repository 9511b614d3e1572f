package activity

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestEverythingTheSearchShowsIsExported(t *testing.T) {
	open(t, 160, 40, rows(1204), func(d *screen) {
		d.facet("currency", "right").Press("w")
		d.Press("ctrl+s").Sees("268 rows were written to", string(filepath.Separator)+"paydesk-activity-20000101-1200", ".csv")
		records := read(t, d.folder, "*.csv", func(raw []byte) ([][]string, error) { return csv.NewReader(strings.NewReader(string(raw))).ReadAll() })
		if len(records) != 269 || records[1][0] != "k3f9000000" || records[268][0] != "k3f9001200" {
			t.Errorf("%d records", len(records))
		}
		d.Press("w").Choose("Format", "JSON").Press("ctrl+s").Sees("268 rows were written to", ".json")
		list := read(t, d.folder, "*.json", func(raw []byte) (l []map[string]any, err error) { return l, json.Unmarshal(raw, &l) })
		if len(list) != 268 || list[0]["amount_major"] != "0.50" || list[0]["amount_minor"] != 50.0 {
			t.Errorf("%d objects: %v", len(list), list[0])
		}
	})
}

func read[T any](t *testing.T, folder, pattern string, parse func([]byte) (T, error)) (v T) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(folder, pattern))
	if len(names) != 1 {
		t.Fatalf("files: %v", names)
	}
	raw, err := os.ReadFile(names[0])
	if err == nil {
		v, err = parse(raw)
	}
	if info, _ := os.Stat(names[0]); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Fatal(err, info.Mode())
	}
	return v
}

func TestNothingIsLeftWhereverTheWritingIsCancelled(t *testing.T) {
	for _, after := range []int{0, 2, 5} {
		open(t, 80, 24, rows(1500), func(d *screen) {
			d.respond(nil, 700*time.Millisecond)
			d.Press("w", "ctrl+s").Wait(time.Duration(after) * 500 * time.Millisecond).Press("esc").Wait(time.Minute)
			left, _ := os.ReadDir(d.folder)
			if written := d.Has("rows were written to"); written != (len(left) == 1) || !written && !d.Has("Cancelled: nothing was written") {
				t.Errorf("after %d: left behind: %v", after, left)
			}
		})
	}
}

func TestLeavingTheScreenCancelsTheWriting(t *testing.T) {
	open(t, 80, 24, rows(3000), func(d *screen) {
		d.respond(nil, time.Second)
		d.Press("w", "ctrl+s").Sees("Writing…").Leave().Wait(time.Minute)
		if left, _ := os.ReadDir(d.folder); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
}
