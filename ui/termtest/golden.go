package termtest

import (
	"flag"
	"os"
	"path/filepath"

	"github.com/google/go-cmp/cmp"
)

// The flag has the name the golden package of charmbracelet/x gives its own. When that is in
// the same test program it was set up first, packages being initialised by path.
func init() {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "write the golden files anew")
	}
}

func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// Golden compares the screen with testdata/NAME.golden, its text in a ruled box.
// Run the test with -update to write the file, and read what you wrote.
func (g *Terminal) Golden(name string) *Terminal {
	g.t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name)+".golden")
	got := g.Boxed()
	if updating() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			g.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			g.t.Fatal(err)
		}
		return g
	}
	want, err := os.ReadFile(path)
	if err != nil {
		g.fail("no golden to compare with (write it with -update): %v", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		g.fail("the screen is not that of %s (-want +got):\n%s", path, diff)
	}
	return g
}
