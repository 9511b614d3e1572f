package termtest

import (
	"flag"
	"os"
	"path/filepath"

	"github.com/google/go-cmp/cmp"
)

// The golden package of charmbracelet/x defines a flag of the same name. In a test program with
// both it comes first, because packages are initialised by path.
func init() {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "rewrite the golden files")
	}
}

func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// Golden compares the screen, in a ruled box, with testdata/NAME.golden. Run the test with -update
// to write the file, and read the diff.
func (t *Terminal) Golden(name string) *Terminal {
	t.tb.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name)+".golden")
	got := t.Boxed()
	if updating() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.tb.Fatal(err)
		}
		return t
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.fail("no golden file (write it with -update): %v", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.fail("the screen differs from %s (-want +got):\n%s", path, diff)
	}
	return t
}
