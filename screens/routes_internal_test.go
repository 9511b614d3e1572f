package screens

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// A route without a case would end the program when somebody goes there.
func TestEveryRouteHasAScreen(t *testing.T) {
	routes, err := os.ReadFile("nav/nav.go")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := os.ReadFile("routes.go")
	if err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`(?m)^func \((\w+)\) route\(\)`).FindAllStringSubmatch(string(routes), -1)
	for _, r := range all {
		if !strings.Contains(string(cases), "\tcase nav."+r[1]+":\n") {
			t.Errorf("build has no case for nav.%s", r[1])
		}
	}
	if len(all) < 20 {
		t.Errorf("only %d routes were found", len(all))
	}
}

// A kind without words would be drawn as nothing, or as another.
func TestEveryKindOfAttemptHasWords(t *testing.T) {
	rules, err := os.ReadFile("../api/ledger/kinds.go")
	if err != nil {
		t.Fatal(err)
	}
	kinds := regexp.MustCompile(`(?m)^\t\t(\w+): \{`).FindAllStringSubmatch(string(rules), -1)
	table := regexp.MustCompile(`(?m)map\[ledger\.Kind\][^\n]*(?:\}$|\{(?:\n.*)*?\n\}$)`)
	tables := 0
	err = fs.WalkDir(os.DirFS("."), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, literal := range table.FindAllString(string(text), -1) {
			tables++
			for _, k := range kinds {
				if !strings.Contains(literal, "ledger."+k[1]+":") {
					t.Errorf("%s: a table has nothing for ledger.%s", path, k[1])
				}
			}
		}
		return err
	})
	if err != nil || len(kinds) < 3 || tables < 4 {
		t.Errorf("only %d kinds and %d tables were found, %v", len(kinds), tables, err)
	}
}
