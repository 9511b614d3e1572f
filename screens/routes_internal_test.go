package screens

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"paydesk/ui"
)

// A secretScreen has something to wipe.
type secretScreen struct {
	ui.Screen
	wiped bool
}

func (s *secretScreen) Wipe() { s.wiped = true }

func TestAScreenThatIsLeftKeepsNoSecret(t *testing.T) {
	s := &secretScreen{}
	if (&App{stack: []mount{{screen: s, leave: func() {}}}}).pop(); !s.wiped {
		t.Error("its secrets are still there")
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
	if err != nil || len(kinds) < 3 || tables < 3 {
		t.Errorf("only %d kinds and %d tables were found, %v", len(kinds), tables, err)
	}
}
