package screens_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows says which packages of the project each may import. A name that ends in /*
// stands for each package below it. Data flows one way: nothing is here that is not drawn.
var arrows = map[string][]string{
	".":                   {"api", "api/inbound", "api/journal", "api/journal/export", "api/probe", "api/sandbox", "keystore", "keystore/*", "screens", "screens/challenge", "screens/collect", "screens/desk", "screens/nav", "ui", "ui/terminal"},
	"api":                 {"api/card", "api/money"},
	"api/card":            {},
	"api/money":           {},
	"api/probe":           {"api"},
	"api/flow":            {"api"},
	"api/inbound":         {"api"},
	"api/journal":         {"api", "api/card", "api/money"},
	"api/sandbox":         {}, // it must be able to disagree with the client
	"keystore":            {},
	"ui":                  {"api/card", "api/money"}, // widgets know values, not servers
	"ui/glass":            {},
	"ui/terminal":         {},
	"screens":             {"api/journal", "keystore", "keystore/doctor", "screens/*", "ui"},
	"screens/nav":         {"api", "api/journal", "keystore"},
	"screens/mismatch":    {"api", "screens/guard", "screens/nav", "screens/show", "ui"},
	"screens/away":        {"keystore", "screens/nav", "ui"},
	"screens/guard":       {"api", "api/journal", "api/money"},
	"screens/show":        {"api", "api/flow", "api/journal", "screens/guard", "ui"},
	"screens/desk":        {"api", "api/flow", "api/journal", "api/money", "screens/show"},
	"screens/story":       {"api", "api/journal", "api/sandbox", "keystore", "keystore/doctor", "screens", "screens/*", "ui", "ui/glass"},
	"screens/solo":        {"screens/nav", "ui", "ui/glass"},
	"screens/setup":       {"api", "keystore", "screens/nav", "screens/profileform", "screens/show", "ui"},
	"screens/profiles":    {"api", "keystore", "screens/nav", "screens/profileform", "screens/show", "ui"},
	"screens/profileform": {"keystore", "screens/show", "ui"},
	"screens/doctor":      {"api", "keystore/doctor", "screens/show", "ui"},
	"screens/keys":        {"api", "keystore", "screens/nav", "screens/show", "ui"},
	"screens/*":           {"api", "api/card", "api/flow", "api/journal", "api/journal/export", "api/money", "screens/desk", "screens/nav", "screens/show", "ui"},

	// The demo's service from the inside: only the values of the sandbox.
	"screens/sandbox": {"api", "api/money", "api/sandbox", "screens/show", "ui"},

	// What the journal holds, written for others: no screen and no service in it.
	"api/journal/export": {"api", "api/journal"},

	// For tests alone.
	"internal/timely": {},

	// The command line of the key: what it asks of the network is handed in.
	"keystore/doctor":  {"keystore"},
	"keystore/command": {"keystore", "keystore/doctor"},
}

// allowed is what a package may import: its own line, or that of its parent's
// children.
func allowed(pkg string) ([]string, bool) {
	if to, ok := arrows[pkg]; ok {
		return to, true
	}
	to, ok := arrows[path.Dir(pkg)+"/*"]
	return to, ok
}

func TestPackagesImportOnlyAlongTheArrows(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg, _ := filepath.Rel("..", filepath.Dir(file))
		pkg = filepath.ToSlash(pkg)
		to, drawn := allowed(pkg)
		if !drawn {
			t.Errorf("%s: package %s is not in the picture", file, pkg)
		}
		for _, i := range f.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			own, is := strings.CutPrefix(name, "paydesk/")
			if !is {
				continue
			}
			seen++
			if !slices.Contains(to, own) && !slices.Contains(to, path.Dir(own)+"/*") {
				t.Errorf("%s: %s may not import %s", file, pkg, own)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 50 {
		t.Fatalf("only %d imports were looked at", seen)
	}
}
