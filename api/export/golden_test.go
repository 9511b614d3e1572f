package export

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the files of testdata")

// golden compares a file with the one of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if diff := cmp.Diff(string(want), got); diff != "" || err != nil {
		t.Errorf("%s (-want +got; -update rewrites it): %v\n%s", path, err, diff)
	}
}
