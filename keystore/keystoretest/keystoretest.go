// Package keystoretest writes configurations for tests.
package keystoretest

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paydesk/api/timely"
)

// header begins a file of a configuration, as in a txtar archive.
var header = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

// Write replaces the configuration in a folder, and returns the folder. The text has the files one after the other, each
// below a line such as "-- profiles/shop.toml --"; what comes before the first is config.toml.
func Write(t testing.TB, folder, text string) string {
	t.Helper()
	for _, old := range files(folder) {
		check(t, os.Remove(old))
	}
	at := header.FindAllStringSubmatchIndex(text, -1)
	put := func(name, content string) {
		path := filepath.Join(folder, name)
		check(t, cmp.Or(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)))
	}
	first := len(text)
	for i, m := range at {
		first = min(first, m[0])
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		put(text[m[2]:m[3]], text[m[1]:end])
	}
	if first > 0 {
		put("config.toml", text[:first])
	}
	return folder
}

// Read returns the configuration in a folder as Write takes it.
func Read(t testing.TB, folder string) string {
	t.Helper()
	var text strings.Builder
	for _, path := range files(folder) {
		b, err := os.ReadFile(path)
		check(t, err)
		name, err := filepath.Rel(folder, path)
		check(t, err)
		text.WriteString("-- " + filepath.ToSlash(name) + " --\n" + string(b))
	}
	return text.String()
}

// files lists the files of the configuration in a folder.
func files(folder string) (all []string) {
	for _, pattern := range []string{"config.toml", "default", "profiles/*.toml"} {
		found, _ := filepath.Glob(filepath.Join(folder, pattern))
		all = append(all, found...)
	}
	return slices.DeleteFunc(all, func(path string) bool {
		about, err := os.Lstat(path)
		return err != nil || about.Mode()&fs.ModeDir != 0
	})
}

var check = timely.Must
