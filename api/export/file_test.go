package export

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
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

func TestAFolderThatIsNotThereIsAnError(t *testing.T) {
	for _, dir := range []string{filepath.Join(t.TempDir(), "no"), "/dev/null", "\x00"} {
		if path, err := CreateFile(t.Context(), dir, "x.csv", writeText("")); err == nil {
			t.Errorf("%q: %s", dir, path)
		}
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

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
