package keystore

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// maxConfig is the largest configuration file that is read, in bytes.
const maxConfig = 64 << 10

// readConfig returns the content of a file that only this user can change.
func readConfig(path string) ([]byte, error) {
	if err := ownPath(path); err != nil {
		return nil, rejected("the configuration was not read: ", err)
	}
	about, err := os.Stat(path) // before opening, which may block
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, fileError(path, err)
	case err != nil:
		return nil, err
	case !about.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	case about.Size() > maxConfig:
		return nil, fmt.Errorf("%s is larger than %d KiB, too large for a configuration file", path, maxConfig>>10)
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrPermission) {
		err = fileError(path, err)
	}
	return text, err
}

// rejected puts words before what is wrong with a path.
func rejected(words string, err error) error {
	if unsafe, is := errors.AsType[*Problem](err); is {
		return problem(unsafe.Kind, words+unsafe.Message, unsafe.Hint)
	}
	return err
}

// A document is a TOML file as it was read. A name in a table has the name of the table before it: "journal.store".
type document struct {
	path   string
	values map[string]any
	lines  map[string]int // of each name
	wrong  []lineError
}

type lineError struct {
	line  int
	words string
}

// readDocument reads a file. A file that is not TOML is a document too: assign says what is wrong with it.
func readDocument(path string) (document, error) {
	d := document{path: path, values: map[string]any{}, lines: map[string]int{}}
	b, err := readConfig(path)
	if err != nil {
		return d, err
	}
	for i, line := range bytes.Split(b, []byte("\n")) { // comments too, and text that is not TOML
		d.rejectSecret(i+1, string(line))
	}
	var tree map[string]any
	if err := toml.Unmarshal(b, &tree); err != nil {
		d.wrong = append(d.wrong, syntaxError(err))
		return d, nil
	}
	d.findLines(b)
	d.flatten("", tree)
	return d, nil
}

// flatten takes the values of a table, with the name of the table before theirs.
func (d *document) flatten(above string, table map[string]any) {
	for name, value := range table {
		if strings.Contains(name, ".") {
			name = strconv.Quote(name)
		}
		if below, ok := value.(map[string]any); ok {
			d.flatten(above+name+".", below)
			continue
		}
		d.values[above+name] = value
		d.rejectSecret(d.line(above+name), name+" "+fmt.Sprint(value))
	}
}

// findLines finds where each name is, which the decoder does not report.
func (d *document) findLines(b []byte) {
	p := &unstable.Parser{}
	p.Reset(b)
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		var parts []string
		at := 0
		for names := e.Key(); names.Next(); {
			parts = append(parts, string(names.Node().Data))
			at = int(names.Node().Raw.Offset)
		}
		name := strings.Join(parts, ".")
		if e.Kind == unstable.KeyValue {
			name = table + name
		} else { // the header of a table
			table = name + "."
		}
		d.lines[name] = bytes.Count(b[:at], []byte("\n")) + 1
	}
}

// line returns the line of a name, or of the table around it.
func (d *document) line(name string) int {
	table, _, _ := strings.Cut(name, ".")
	return cmp.Or(d.lines[name], d.lines[table], 1)
}

func (d *document) rejectSecret(line int, text string) {
	if secretLike().MatchString(text) {
		d.wrong = append(d.wrong, lineError{line, "expected no secret key in this file: keep it in the keyring, and replace it if others could read it"})
	}
}

// addError adds an error at the line of a name.
func (d *document) addError(name, format string, of ...any) {
	d.wrong = append(d.wrong, lineError{d.line(name), fmt.Sprintf(format, of...)})
}

// assign sets the settings to the values of the document, and reports everything that is wrong with it, sorted
// by line. The function settings returns them, each with what is wrong with its value by then.
func (d *document) assign(settings func() []setting) error {
	broken := len(d.wrong) > 0 && len(d.values) == 0 // not TOML: of its settings nothing is known
	var names, mistyped []string
	for _, s := range settings() {
		names = append(names, s.name)
		if v, given := d.values[s.name]; given {
			if expected := s.set(v); expected != "" {
				mistyped = append(mistyped, s.name)
				d.addError(s.name, "%s must be %s", s.name, expected)
			}
		}
	}
	slices.Sort(names)
	for name := range d.values {
		if !slices.Contains(names, name) {
			d.addError(name, "expected one of %s, not %s", strings.Join(names, ", "), safeName(name))
		}
	}
	for name, words := range wrongSettings(settings()) {
		_, given := d.values[name]
		switch {
		case broken || slices.Contains(mistyped, name):
		case given:
			d.addError(name, "%s %s", name, words)
		default:
			d.addError(name, "%s is missing; it %s", name, words)
		}
	}
	slices.SortFunc(d.wrong, func(a, b lineError) int { return cmp.Or(a.line-b.line, strings.Compare(a.words, b.words)) })
	var all []error
	for _, e := range slices.Compact(d.wrong) {
		all = append(all, fmt.Errorf("%s:%d: %s", d.path, e.line, e.words))
	}
	return errors.Join(all...)
}

// safeName returns a name from the file if it is safe to show. A name that may be a misplaced
// key or contain control characters is not.
func safeName(name string) string {
	if !only(name, 32, nameChars+".") || secretLike().MatchString(name) {
		return "this name"
	}
	return name
}

// syntaxError says where and why a file is not TOML, without names and values.
func syntaxError(err error) lineError {
	e := lineError{1, "expected TOML: name = \"value\" lines"}
	var d *toml.DecodeError
	if !errors.As(err, &d) {
		return e
	}
	e.line, _ = d.Position()
	// A message of only these characters quotes at most one character of the file.
	message := strings.TrimPrefix(strings.TrimPrefix(d.Error(), "toml: "), "toml: ")
	switch {
	case strings.Contains(message, "already"), strings.Contains(message, "should be a table"):
		e.words = "expected each name and each table only once"
	case only(message, 100, lowerCase+upperCase+"+#'=[]{}(),: -"):
		e.words += " (" + message + ")"
	}
	return e
}
