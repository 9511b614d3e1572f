package export

import (
	"errors"
	"io"
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
		path, err := CreateFile(dir, "x.csv", writeText(strings.Repeat("a", i+1)))
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

func TestAFileThatCannotBeWrittenWholeIsNotThere(t *testing.T) {
	dir := t.TempDir()
	broken := errors.New("broken")
	_, err := CreateFile(dir, "x.csv", func(w io.Writer) error {
		io.WriteString(w, "half")
		return broken
	})
	left, _ := os.ReadDir(dir)
	if !errors.Is(err, broken) || len(left) > 0 {
		t.Errorf("%v, %v", err, left)
	}
}

func TestNothingThereIsWrittenOver(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "theirs")
	if err := errors.Join(os.WriteFile(elsewhere, []byte("theirs"), 0o600), os.Symlink(elsewhere, filepath.Join(dir, "x.md")), os.Mkdir(filepath.Join(dir, "x-2.md"), 0o700)); err != nil {
		t.Skip(err)
	}
	path, err := CreateFile(dir, "x.md", writeText("mine"))
	theirs, _ := os.ReadFile(elsewhere)
	if err != nil || path != filepath.Join(dir, "x-3.md") || string(theirs) != "theirs" {
		t.Errorf("%s, %v, theirs is %q", path, err, theirs)
	}
	for range maxTries - 3 {
		if _, err := CreateFile(dir, "x.md", writeText("")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := CreateFile(dir, "x.md", writeText("")); !errors.Is(err, ErrNameTaken) {
		t.Errorf("%v", err)
	}
}

func TestAFolderThatIsNotThereIsAnError(t *testing.T) {
	for _, dir := range []string{filepath.Join(t.TempDir(), "no"), "/dev/null", "\x00"} {
		if path, err := CreateFile(dir, "x.csv", writeText("")); err == nil {
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
	if err := os.Mkdir(downloads, 0o700); err != nil {
		t.Fatal(err)
	}
	is("", downloads)
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	is("", "")
}

func TestATildeIsTheHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	if err := os.Mkdir(filepath.Join(home, "d"), 0o700); err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{"~": home, "~/": home, "~/d": filepath.Join(home, "d")} {
		if path, err := CreateFile(in, "x.csv", writeText("")); err != nil || filepath.Dir(path) != want {
			t.Errorf("%s: %s, %v", in, path, err)
		}
	}
}
