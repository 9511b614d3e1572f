package termtest

import (
	"flag"
	"os"
	"path/filepath"

	"github.com/google/go-cmp/cmp"
)

// The golden package of charmbracelet/x, which comes with teatest, defines a flag of the same name. In
// a test program with both it comes first, because packages are initialised by path.
func init() {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "rewrite the golden files")
	}
}

// Golden compares the screen, in a ruled box, with testdata/NAME.golden. Run the test with -update
// to write the file, and read the diff. A program draws it a second time with Bubble Tea's renderer.
func (p Person[H]) Golden(name string) H {
	p.t.Helper()
	if d, ok := p.device.(interface{ SecondOpinion() string }); ok {
		if differs := d.SecondOpinion(); differs != "" {
			p.fail("the renderers differ: %s", differs)
		}
	}
	path := filepath.Join("testdata", filepath.FromSlash(name)+".golden")
	got := p.Boxed()
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			p.t.Fatal(err)
		}
		return p.harness
	}
	want, err := os.ReadFile(path)
	if err != nil {
		p.fail("no golden file (write it with -update): %v", err)
	}
	// Windows has other separators of folders, and a path takes as many cells there.
	if diff := cmp.Diff(filepath.ToSlash(string(want)), filepath.ToSlash(got)); diff != "" {
		p.fail("the screen differs from %s (-want +got):\n%s", path, diff)
	}
	return p.harness
}
