package sandbox

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func read(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	must(t, err)
	return string(b)
}

var forTests = []string{"pgregory.net/rapid", "github.com/google/go-cmp/cmp", "paydesk/api/timely"}

// The sandbox must be able to disagree with the client, so it shares no code with it and
// imports only the standard library. External tests may import both.
func TestTheSandboxImportsOnlyTheStandardLibrary(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files found", err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		must(t, err)
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			first, _, _ := strings.Cut(path, "/")
			inside := strings.HasSuffix(name, "_test.go") && slices.Contains(forTests, path)
			outside := f.Name.Name == "sandbox_test" && first == "paydesk"
			if !inside && !outside && (strings.Contains(first, ".") || first == "paydesk") {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}
