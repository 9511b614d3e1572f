package cli_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/output"
)

// What help says of the members is what their comments say. An object that others have a member of is described once.
func TestTheHelpDescribesEveryMember(t *testing.T) {
	d := describer{comments: readComments(t), schemas: map[reflect.Type]output.Schema{}, done: map[reflect.Type]bool{}}
	for _, v := range clitest.Objects() {
		d.queue = append(d.queue, reflect.TypeOf(v))
		d.schemas[reflect.TypeOf(v)] = v.Schema()
	}
	for i := 0; i < len(d.queue); i++ {
		d.object(d.queue[i])
	}
	const file = "output/testdata/members.golden"
	if flag.Lookup("update").Value.String() == "true" {
		must(t, os.WriteFile(file, []byte(d.out.String()), 0o644))
		return
	}
	if d.out.String() != output.Members() {
		t.Errorf("the members or their comments changed; within a version members are only added: go test ./screens/cli -run TheHelpDescribesEveryMember -update\n%s", d.out.String())
	}
}

// comments holds the comments of a package.
type comments struct {
	types   map[string]string // by name of the type
	members map[string]string // by type.field
}

func readComments(t *testing.T) comments {
	t.Helper()
	set := token.NewFileSet()
	var files []*ast.File
	paths, err := filepath.Glob("output/*.go")
	must(t, err)
	for _, path := range paths {
		f, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		must(t, err)
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(set, files, "paydesk/screens/cli/output", doc.PreserveAST|doc.AllDecls)
	must(t, err)
	c := comments{map[string]string{}, map[string]string{}}
	for _, of := range p.Types {
		c.types[of.Name] = of.Doc
		c.addMembers(of)
	}
	return c
}

func (c comments) addMembers(of *doc.Type) {
	for _, spec := range of.Decl.Specs {
		s, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, f := range s.Fields.List {
			for _, name := range f.Names {
				c.members[of.Name+"."+name.Name] = f.Doc.Text() + f.Comment.Text()
			}
		}
	}
}

// A describer writes objects, each once.
type describer struct {
	comments comments
	schemas  map[reflect.Type]output.Schema
	out      strings.Builder
	queue    []reflect.Type
	done     map[reflect.Type]bool
}

func (d *describer) object(t reflect.Type) {
	if d.done[t] {
		return
	}
	d.done[t] = true
	title := strings.ToLower(t.Name()) + ", in others"
	if schema, top := d.schemas[t]; top {
		title = string(schema)
	}
	fmt.Fprintf(&d.out, "%s: %s\n\n", title, sentenceOf(t.Name(), d.comments.types[t.Name()]))
	d.fields(t)
	d.out.WriteString("\n")
}

func (d *describer) fields(t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			d.fields(f.Type)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if options != "" {
			name += "?"
		}
		comment := jsonNames(t, sentenceOf(f.Name, d.comments.members[t.Name()+"."+f.Name]))
		line := fmt.Sprintf("  %-18s %-10s %s", name, d.kind(f.Type), comment)
		d.out.WriteString(hanging(strings.TrimRight(line, " "), 32, 78))
	}
}

// kind names a type for a reader of JSON.
func (d *describer) kind(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return d.kind(t.Elem())
	case t.Kind() == reflect.Slice:
		return "[" + d.kind(t.Elem()) + "]"
	case t == reflect.TypeFor[time.Time]():
		return "time"
	case t.Kind() == reflect.Struct:
		d.queue = append(d.queue, t)
		return strings.ToLower(t.Name())
	case t.Kind() == reflect.Bool:
		return "bool"
	case t.Kind() == reflect.String:
		return "text"
	}
	return "number"
}

// sentenceOf is a comment without the Go name that it begins with: "ID is the key" is "the key".
func sentenceOf(name, comment string) string {
	words := strings.Join(strings.Fields(comment), " ")
	for _, start := range []string{name + " is ", name + " are ", name + " names ", name + " was "} {
		words = strings.TrimPrefix(words, start)
	}
	return strings.NewReplacer("[", "", "]", "").Replace(strings.TrimSuffix(words, "."))
}

// jsonNames replaces the Go names of an object's members in a comment.
func jsonNames(t reflect.Type, comment string) string {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		comment = regexp.MustCompile(`\b`+f.Name+`\b`).ReplaceAllString(comment, name)
	}
	return comment
}

// hanging breaks a line at blanks; the lines after the first are indented.
func hanging(s string, indent, width int) string {
	var b strings.Builder
	for len([]rune(s)) > width {
		at := strings.LastIndexByte(s[:width], ' ')
		if at <= indent {
			break
		}
		b.WriteString(strings.TrimRight(s[:at], " ") + "\n")
		s = strings.Repeat(" ", indent) + s[at+1:]
	}
	return b.String() + s + "\n"
}
