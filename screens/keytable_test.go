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
	"unicode/utf8"

	"paydesk/screens/screentest"
)

// A bound key is a key of one character in the source, and what the help may call it.
type bound struct {
	key, place string
	says       []string
}

// bindings finds every call of ui.Bind below a folder.
func bindings(t *testing.T, folder string) (all []bound) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		files := token.NewFileSet()
		var parsed []*ast.File
		sources, err := filepath.Glob(filepath.Join(path, "*.go"))
		for _, name := range sources {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(files, name, nil, 0)
			if err != nil {
				return err
			}
			parsed = append(parsed, f)
		}
		words := namedWords(parsed)
		for _, f := range parsed {
			ast.Inspect(f, func(n ast.Node) bool {
				if call, is := n.(*ast.CallExpr); is && isBind(call) {
					all = append(all, boundBy(call, words, files.Position(call.Pos()).String())...)
				}
				return true
			})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func isBind(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name == "Bind"
	case *ast.Ident:
		return f.Name == "Bind"
	}
	return false
}

// namedWords are the texts that each name of a package is given.
func namedWords(files []*ast.File) map[string][]string {
	words := map[string][]string{}
	give := func(name ast.Expr, value ast.Expr) {
		if id, is := name.(*ast.Ident); is {
			if s, is := text(value); is {
				words[id.Name] = append(words[id.Name], s)
			}
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i := range min(len(n.Lhs), len(n.Rhs)) {
					give(n.Lhs[i], n.Rhs[i])
				}
			case *ast.ValueSpec:
				for i := range min(len(n.Names), len(n.Values)) {
					give(n.Names[i], n.Values[i])
				}
			}
			return true
		})
	}
	return words
}

func text(e ast.Expr) (string, bool) {
	if b, is := e.(*ast.BinaryExpr); is { // its beginning says what it is
		return text(b.X)
	}
	l, is := e.(*ast.BasicLit)
	if !is || l.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(l.Value)
	return s, err == nil
}

// boundBy are the keys of one character in a call of Bind.
func boundBy(call *ast.CallExpr, words map[string][]string, place string) (all []bound) {
	if len(call.Args) < 2 {
		return nil
	}
	var says []string
	if s, is := text(call.Args[1]); is {
		says = []string{s}
	} else if id, is := call.Args[1].(*ast.Ident); is {
		says = words[id.Name]
	}
	keys := call.Args[2:]
	if len(keys) == 0 {
		keys = call.Args[:1]
	}
	for _, k := range keys {
		if name, is := text(k); is && utf8.RuneCountInString(name) == 1 {
			all = append(all, bound{name, place, says})
		}
	}
	return all
}

// untabled are the files of the keys of a question and of moving, which the table leaves out.
var untabled = []string{"confirm.go", "scroll.go", "table.go", "menu.go"}

// The words that a call makes are compared as they are shown, by the tests of each screen: see package screentest.
func TestAKeyMeansOneThingInTheWholeConsole(t *testing.T) {
	table := screentest.ReadKeyTable(t)
	checked := 0
	for _, b := range slices.Concat(bindings(t, "."), bindings(t, "../ui")) {
		if slices.ContainsFunc(untabled, func(file string) bool { return strings.Contains(b.place, file) }) {
			continue
		}
		checked++
		for _, says := range append(b.says, "") {
			if differs := table.Against(b.key, says); differs != "" {
				t.Errorf("%s: %s", b.place, differs)
			}
		}
	}
	if checked < 60 {
		t.Errorf("only %d keys were looked at", checked)
	}
}

// What a key does has no other key, so that a person who knows one word knows where it is on every screen.
func TestAWordIsOnOneKeyInTheWholeConsole(t *testing.T) {
	keys := map[string]string{}
	for name, words := range screentest.ReadKeyTable(t) {
		for _, word := range words {
			if other := keys[word]; other != "" && word != "copy" && !strings.Contains("567", name) { // y copies, and Y something else of it
				t.Errorf("%q is on %s and on %s", word, name, other)
			}
			keys[word] = name
		}
	}
}
