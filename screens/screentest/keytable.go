package screentest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"

	"paydesk/ui"
)

// A KeyTable is the table of the keys in the documentation of package ui: for each key of one character, the
// words that begin what the help calls it.
type KeyTable map[string][]string

// ReadKeyTable reads the table, from a test in any package of the project.
func ReadKeyTable(t testing.TB) KeyTable {
	t.Helper()
	doc, err := os.ReadFile(documentation())
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(doc), "// # Keys\n")
	if !found {
		t.Fatal("package ui documents no keys")
	}
	table, _, _ = strings.Cut(table, "\n// # ")
	all := KeyTable{}
	for line := range strings.Lines(table) {
		row, is := strings.CutPrefix(strings.TrimSpace(line), "//\t")
		keys, words, ok := strings.Cut(row, "  ")
		if !is || !ok {
			continue
		}
		_, listed, ok := strings.Cut(words, ": ")
		if !ok {
			t.Errorf("no words in %q", row)
		}
		for k := range strings.FieldsSeq(keys) {
			if all[k] != nil {
				t.Errorf("%q is listed twice", k)
			}
			all[k] = strings.Split(listed, ", ")
		}
	}
	return all
}

// documentation is the path of the file with the table, below the folder of the module.
func documentation() string {
	for folder := "."; ; folder = filepath.Join("..", folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil || len(folder) > 60 {
			return filepath.Join(folder, "ui", "doc.go")
		}
	}
}

// moving are the keys that move, which the table leaves out.
var moving = []string{"j", "k", "g", "G", " "}

// Against returns how a key and what the help calls it differ from the table; "" if they do not. A count before the
// words is none of them.
func (table KeyTable) Against(name, says string) string {
	if utf8.RuneCountInString(name) != 1 || slices.Contains(moving, name) {
		return ""
	}
	means, listed := table[name]
	if !listed {
		return fmt.Sprintf("%q is not in the table of the keys in ui/doc.go", name)
	}
	says = strings.TrimLeft(says, "0123456789, ")
	if says != "" && !slices.ContainsFunc(means, func(word string) bool { return strings.HasPrefix(says, word) }) {
		return fmt.Sprintf("%q does %q, but the table says %q", name, says, means)
	}
	return ""
}

// AgainstKeys are the differences of the keys of a screen. Those that answer a question are left out.
func (table KeyTable) AgainstKeys(keys []key.Binding) (all []string) {
	if ui.Asked(keys) {
		return nil
	}
	for _, b := range keys {
		for _, name := range b.Keys() {
			if differs := table.Against(name, b.Help().Desc); b.Enabled() && differs != "" {
				all = append(all, differs)
			}
		}
	}
	return all
}
