package screens_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// parsed gives every file of the packages that draw to look, without their tests and what only
// tests use.
func parsed(t *testing.T, look func(path string, set *token.FileSet, f *ast.File)) {
	t.Helper()
	n := 0
	for _, root := range []string{".", "../ui"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch name := d.Name(); {
			case err != nil:
				return err
			case d.IsDir() && slices.Contains([]string{"consoletest", "screentest", "termtest", "terminal", "testdata"}, name):
				return filepath.SkipDir
			case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				return err
			}
			n++
			look(path, set, f)
			return nil
		})
		must(t, err)
	}
	if n < 80 {
		t.Fatalf("only %d files were looked at", n)
	}
}

// What reads answers or undoes the writing of a text: where something is drawn, no text comes from a
// reader and none is decoded after it was made safe. The dumpers are nowhere.
var readers = []string{
	"encoding/json", "encoding/xml", "encoding/hex", "html", "html/template", "mime", "mime/quotedprintable", "net/http", "net/http/httputil",
	"log", "log/slog", "charm.land/glamour/v2", "github.com/charmbracelet/glamour",
}

func TestNothingThatDrawsReadsOrDecodes(t *testing.T) {
	parsed(t, func(path string, _ *token.FileSet, f *ast.File) {
		for _, i := range f.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			if name == "encoding/json" && strings.HasPrefix(path, "cli/") {
				continue // commands write it, and draw nothing
			}
			if slices.Contains(readers, name) {
				t.Errorf("%s imports %s", path, name)
			}
		}
	})
}

// cleaners make what an error says safe to show: it may quote an answer, an address, or a file.
var cleaners = []string{"Clean", "Plain", "Sentence", "clean", "plain"}

func TestWhatAnErrorSaysIsCleanedWhereItIsShown(t *testing.T) {
	texts := 0
	parsed(t, func(path string, set *token.FileSet, f *ast.File) {
		if strings.HasPrefix(path, "..") {
			return // errors of fields are their own words, and none quotes what was typed
		}
		if strings.HasPrefix(path, "cli/") {
			return // whatever a command says is cleaned in one place, line by line
		}
		cleaned := map[ast.Expr]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			switch name := called(call); {
			case slices.Contains(cleaners, name):
				for _, arg := range call.Args {
					cleaned[arg] = true
				}
			case name == "Error" && len(call.Args) == 0:
				if texts++; !cleaned[call] {
					t.Errorf("%s: an error's words are shown as they are", set.Position(call.Pos()))
				}
			}
			return true
		})
	})
	if texts < 10 {
		t.Errorf("only %d were looked at", texts)
	}
}

// called is the name of what is called.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}
