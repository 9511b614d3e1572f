package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"paydesk/api/money"
	"paydesk/api/timely"
)

func writeText(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func TestAFileIsNewPrivateAndWhole(t *testing.T) {
	dir := t.TempDir()
	for i, want := range []string{"x.csv", "x-2.csv", "x-3.csv"} {
		path, err := CreateFile(t.Context(), dir, "x.csv", writeText(strings.Repeat("a", i+1)))
		if err != nil || path != filepath.Join(dir, want) {
			t.Fatalf("%s, %v; want %s", path, err, want)
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() != int64(i+1) || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%v %v", info, err)
		}
	}
	if names, _ := filepath.Glob(dir + "/.*"); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestNothingThereIsWrittenOver(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "theirs")
	if err := errors.Join(os.WriteFile(elsewhere, []byte("theirs"), 0o600), os.Symlink(elsewhere, filepath.Join(dir, "x.md")), os.Mkdir(filepath.Join(dir, "x-2.md"), 0o700)); err != nil {
		t.Skip(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "x.md")); err != nil {
		t.Skip("no symbolic links here: ", err) // Wine says that it has made one
	}
	path, err := CreateFile(t.Context(), dir, "x.md", writeText("mine"))
	theirs, _ := os.ReadFile(elsewhere)
	if err != nil || path != filepath.Join(dir, "x-3.md") || string(theirs) != "theirs" {
		t.Errorf("%s, %v, theirs is %q", path, err, theirs)
	}
	for range maxTries - 3 {
		if _, err := CreateFile(t.Context(), dir, "x.md", writeText("")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := CreateFile(t.Context(), dir, "x.md", writeText("")); !errors.Is(err, ErrNameTaken) {
		t.Errorf("%v", err)
	}
}

func TestAFileOfATypedNameIsNewOrNotWritten(t *testing.T) {
	to := filepath.Join(t.TempDir(), "x.md")
	for n, want := range []error{nil, fs.ErrExist} {
		path, err := CreateNew(t.Context(), to, writeText(strings.Repeat("a", n+1)))
		held, _ := os.ReadFile(to)
		if !errors.Is(err, want) || err == nil && path != to || string(held) != "a" {
			t.Errorf("%s, %v: %q", path, err, held)
		}
	}
	if left, _ := os.ReadDir(filepath.Dir(to)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// Whatever looks at the folder at any moment, as after a kill, finds the whole file under its name or nothing.
func TestAFileNeverHasItsNameWhileItIsEmpty(t *testing.T) {
	dir := t.TempDir()
	probe := filepath.Join(dir, "probe")
	if err := errors.Join(os.WriteFile(probe, nil, 0o600), os.Link(probe, probe+"-2")); err != nil {
		t.Skip("no links here: ", err)
	}
	path, stop, watched := filepath.Join(dir, "x.csv"), make(chan bool), make(chan int)
	go func() {
		empty := 0
		for {
			if info, err := os.Stat(path); err == nil && info.Size() == 0 {
				empty++
			}
			select {
			case <-stop:
				watched <- empty
				return
			default:
			}
		}
	}()
	for range 20 {
		if got, err := CreateFile(t.Context(), dir, "x.csv", writeText("whole")); err != nil || got != path {
			t.Errorf("%s, %v", got, err)
		}
		os.Remove(path)
	}
	close(stop)
	if empty := <-watched; empty > 0 {
		t.Errorf("it was empty %d times", empty)
	}
}

// A stick or a share may have no links. What is there is not replaced there either.
func TestAFileGetsItsNameWhereThereAreNoLinks(t *testing.T) {
	dir := t.TempDir()
	unsupported := func(string, string) error { return errors.ErrUnsupported }
	to := filepath.Join(dir, "x.csv")
	for i, want := range []string{to, filepath.Join(dir, "x-2.csv")} {
		from := filepath.Join(dir, "part")
		must(t, os.WriteFile(from, []byte{'a' + byte(i)}, 0o600))
		path, err := moveToFreeName(from, to, maxTries, unsupported)
		if got, _ := os.ReadFile(path); err != nil || path != want || string(got) != string('a'+rune(i)) {
			t.Errorf("%s has %q, %v; want %s", path, got, err, want)
		}
	}
	if path, err := moveToFreeName(filepath.Join(dir, "gone"), to, maxTries, unsupported); err == nil {
		t.Errorf("%s was made of nothing", path)
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
}

func TestTheFolderIsTheDownloadsThenTheHomeAndNeverTheWorkingFolder(t *testing.T) {
	set, home, work := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Chdir(work)
	is := func(set, want string) {
		t.Helper()
		if got := DefaultFolder(func(string) string { return set }); got != want {
			t.Errorf("%q: %s, want %s", set, got, want)
		}
	}
	is("", home)
	is(".", home)
	is(filepath.Join(set, "gone"), home)
	is(set, set)
	downloads := filepath.Join(home, "Downloads")
	must(t, os.Mkdir(downloads, 0o700))
	is("", downloads)
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	is("", "")
}

func TestATildeIsTheHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	must(t, os.Mkdir(filepath.Join(home, "d"), 0o700))
	for in, want := range map[string]string{"~": home, "~/": home, "~/d": filepath.Join(home, "d")} {
		if path, err := CreateFile(t.Context(), in, "x.csv", writeText("")); err != nil || filepath.Dir(path) != want {
			t.Errorf("%s: %s, %v", in, path, err)
		}
	}
}

var must = timely.Must

// rowsOf are rows that are read without an error.
func rowsOf[T any](rows ...T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func exported[T any](t rapid.TB, f Format, table Table[T], rows ...T) string {
	t.Helper()
	var b bytes.Buffer
	told := 0
	n, err := Write(&b, f, table, rowsOf(rows...), func(n int) { told = n })
	if err != nil || n != len(rows) || told != n {
		t.Fatalf("%d rows of %d, told %d: %v", n, len(rows), told, err)
	}
	return b.String()
}

// RFC 4180 counts blanks as part of a cell, but some readers drop those at its beginning.
func TestACellThatBeginsWithABlankIsInQuotes(t *testing.T) {
	for in, want := range map[string]string{" a": `" a"`, "  ": `"  "`, "a b": "a b", "a,b": `"a,b"`, `a"b`: `"a""b"`} {
		if got := exported(t, CSV, Table[string]{Columns: []Column[string]{{"x", func(s *string) any { return *s }}}}, in); got != "x\r\n"+want+"\r\n" {
			t.Errorf("%q is written as %q", in, got)
		}
	}
}

// A sample has a column of every kind.
type sample struct {
	text  string
	exact string
	whole int64
	yes   bool
	at    time.Time
}

var samples = Table[sample]{Columns: []Column[sample]{
	{"text", func(s *sample) any { return s.text }},
	{"exact", func(s *sample) any { return Decimal(s.exact) }},
	{"whole", func(s *sample) any { return s.whole }},
	{"yes", func(s *sample) any { return s.yes }},
	{"at", func(s *sample) any { return s.at }},
}}

// draws are texts that attack the reader of a file, and plain ones.
var draws = rapid.OneOf(rapid.String(), rapid.StringMatching(`[=+@＝＋－＠,;"'a1 \t\r\-]{0,6}`), rapid.StringMatching(`[a-z]{0,9}`))

// What is read from a file is what was written into it.
func TestRowsReadBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sample {
			minor := rapid.Int64().Draw(t, "minor")
			gbp, _ := money.ParseCurrency("GBP")
			return sample{
				draws.Draw(t, "text"), money.Amount{Minor: minor, Currency: gbp}.Major(), minor, rapid.Bool().Draw(t, "yes"),
				time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "at"), 0),
			}
		}), 0, 20).Draw(t, "rows")
		records, err := csv.NewReader(strings.NewReader(exported(t, CSV, samples, rows...))).ReadAll()
		if err != nil || len(records) != len(rows)+1 {
			t.Fatal(len(records), err)
		}
		lines := slices.Collect(strings.Lines(exported(t, Lines, samples, rows...)))
		var array []map[string]any
		if err := decode(exported(t, JSON, samples, rows...), &array); err != nil || array == nil || len(array) != len(rows) || len(lines) != len(rows) {
			t.Fatal(len(array), len(lines), err)
		}
		for i, r := range rows {
			cells := []string{escapeFormula(r.text), r.exact, fmt.Sprint(r.whole), fmt.Sprint(r.yes), r.at.Local().Format(time.RFC3339)}
			if diff := cmp.Diff(cells, records[i+1]); diff != "" {
				t.Fatal(diff)
			}
			text := any(r.text)
			if r.text == "" {
				text = nil
			}
			want := map[string]any{"text": text, "exact": cells[1], "whole": json.Number(cells[2]), "yes": r.yes, "at": cells[4]}
			var line map[string]any
			if err := decode(lines[i], &line); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, array[i]) + cmp.Diff(want, line); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func decode(text string, into any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

var number = regexp.MustCompile(`^-[0-9.]*[0-9][0-9.]*$`)

// No cell of any text begins a formula, in files that are split at semicolons too.
func TestNoTextIsAFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := exported(t, CSV, samples, sample{exact: "1.00", text: draws.Draw(t, "text")}, sample{text: "x"})
		text += exported(t, CSV, samples, sample{text: draws.Draw(t, "id"), exact: draws.Draw(t, "amount")})
		for _, comma := range []rune{',', ';'} {
			r := csv.NewReader(strings.NewReader(text))
			r.Comma, r.LazyQuotes, r.FieldsPerRecord = comma, true, -1
			records, err := r.ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for _, cell := range slices.Concat(records...) {
				first, _ := utf8.DecodeRuneInString(strings.TrimLeft(cell, ` "`))
				if strings.ContainsRune("=+-@＝＋－＠\t\r", first) && !number.MatchString(cell) {
					t.Fatalf("%q is a formula in %q", cell, text)
				}
			}
		}
	})
}

type fullDisk struct{ left int }

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func TestAFullDiskAndARowThatCannotBeReadAreReported(t *testing.T) {
	rows, broken := make([]sample, 1000), errors.New("broken")
	some := func(yield func(sample, error) bool) {
		_ = yield(sample{}, nil) && yield(sample{}, broken) && yield(sample{}, nil)
	}
	for _, f := range Formats() {
		if n, err := Write(new(bytes.Buffer), f, samples, some, nil); n != 1 || !errors.Is(err, broken) {
			t.Errorf("%s: %d rows, %v", f, n, err)
		}
		for _, left := range []int{0, 10, 10_000} {
			if n, err := Write(&fullDisk{left}, f, samples, rowsOf(rows...), nil); err == nil || n == 1000 {
				t.Errorf("%s after %d bytes: %d rows, %v", f, left, n, err)
			}
		}
	}
}

// manyRows are rows made as they are read.
func manyRows(n int, at func(i int)) iter.Seq2[sample, error] {
	words := []string{"Successfull", "PENDING", "FAILED", "INITIATED"}
	return func(yield func(sample, error) bool) {
		for i := range n {
			at(i)
			if !yield(sample{text: words[i%len(words)], exact: "1234.50", whole: int64(i + 1)}, nil) {
				return
			}
		}
	}
}

func TestNothingIsLeftOfAFileThatIsCancelled(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(0, 3000).Draw(t, "rows")
		stop := rapid.IntRange(0, rows).Draw(t, "cancelled at")
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		path, err := CreateFile(ctx, dir, "x.csv", func(w io.Writer) error {
			_, err := Write(w, CSV, samples, manyRows(rows, func(i int) {
				if i == stop {
					cancel()
				}
			}), nil)
			if stop == rows {
				cancel() // when everything was written
			}
			return err
		})
		left, _ := os.ReadDir(dir)
		if !errors.Is(err, context.Canceled) || path != "" || len(left) > 0 {
			t.Fatalf("%q, %v, left behind: %v", path, err, left)
		}
	})
}

// The program may end before a writer has noticed that its context has ended.
func TestNothingIsLeftWhenTheProgramEnds(t *testing.T) {
	defer func() { unfinished.over = false }()
	dir := t.TempDir()
	_, err := CreateFile(t.Context(), dir, "x.csv", func(w io.Writer) error {
		io.WriteString(w, "half")
		Abandon()
		if left, _ := os.ReadDir(dir); len(left) > 0 && runtime.GOOS != "windows" { // where an open file cannot be removed
			t.Errorf("left behind: %v", left)
		}
		return nil
	})
	if left, _ := os.ReadDir(dir); !errors.Is(err, context.Canceled) || len(left) > 0 {
		t.Errorf("%v, left behind: %v", err, left)
	}
}
