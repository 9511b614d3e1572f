package statefile

import (
	"os"
	"path/filepath"
	"testing"
)

// Two programs find the same file damaged. The first sets it aside and begins another, before the second has the lock.
func TestANewFileIsNotSetAsideForTheDamagedOneThatItReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "numbers.db")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("damaged")
	seen := must(os.Stat(path))
	if aside := must(setAside(path, seen)); aside != path+".damaged" {
		t.Errorf("it is at %q", aside)
	}
	write("new")
	if aside := must(setAside(path, seen)); aside != "" || string(must(os.ReadFile(path))) != "new" || string(must(os.ReadFile(path+".damaged"))) != "damaged" {
		t.Errorf("the new file is at %q", aside)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
