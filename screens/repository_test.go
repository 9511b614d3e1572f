package screens_test

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A workflow holds what is checked here of a file in .github/workflows.
type workflow struct {
	Permissions map[string]string
	On          map[string]any
	Jobs        map[string]job
}

type job struct {
	Uses        string
	Timeout     int `yaml:"timeout-minutes"`
	Permissions map[string]string
	Strategy    struct {
		Matrix struct{ Part []string }
	}
}

// workflows returns those of GitHub, by the names of their files.
func workflows(t *testing.T) map[string]workflow {
	t.Helper()
	files, err := filepath.Glob("../.github/workflows/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no workflows", err)
	}
	all := map[string]workflow{}
	for _, file := range files {
		var w workflow
		text, err := os.ReadFile(file)
		if err = errors.Join(err, yaml.Unmarshal(text, &w)); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all[filepath.Base(file)] = w
	}
	return all
}

func TestEveryWorkflowMayOnlyRead(t *testing.T) {
	mayMore := map[string]map[string]string{"release.yml release": {"contents": "write"}}
	for name, w := range workflows(t) {
		if len(w.Permissions) != 1 || w.Permissions["contents"] != "read" {
			t.Errorf("%s begins with the permissions %v", name, w.Permissions)
		}
		if _, ok := w.On["pull_request_target"]; ok {
			t.Errorf("%s runs the code of a pull request with more than its token", name)
		}
		for id, j := range w.Jobs {
			for scope, access := range j.Permissions {
				if access != "read" && access != "none" && mayMore[name+" "+id][scope] != access {
					t.Errorf("%s, %s: %s is %s", name, id, scope, access)
				}
			}
			if j.Uses == "" && j.Timeout == 0 {
				t.Errorf("%s, %s has no timeout", name, id)
			}
		}
	}
}

// What a tag names today may be something else tomorrow.
func TestEveryActionAndContainerIsPinned(t *testing.T) {
	module, err := os.ReadFile("../go.mod")
	must(t, err)
	pinned := map[string]*regexp.Regexp{
		"uses":       regexp.MustCompile(`^(\./\.github/workflows/\S+|[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$`),
		"container":  regexp.MustCompile(`^#`), // its image stands below it
		"image":      regexp.MustCompile(`^[\w./:-]+@sha256:[0-9a-f]{64}$`),
		"go-version": regexp.MustCompile(`^` + regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(module))[1] + `\.x$`),
	}
	for file := range workflows(t) { // as text, since the parser drops the comments
		text, err := os.ReadFile("../.github/workflows/" + file)
		must(t, err)
		for line := range strings.Lines(string(text)) {
			key, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- "), ": ")
			if how := pinned[key]; how != nil && !how.MatchString(value) {
				t.Errorf("%s: %s", file, line)
			}
		}
		if strings.Count(string(text), "actions/checkout@") != strings.Count(string(text), "persist-credentials: false") {
			t.Errorf("%s leaves a token in a checkout", file)
		}
	}
}

func TestEveryPartOfTheLongChecksIsRunAtNight(t *testing.T) {
	text, err := os.ReadFile("../.ci/long")
	must(t, err)
	found := regexp.MustCompile(`for part in ([a-z \\\n\t]+); do`).FindStringSubmatch(string(text))
	if found == nil {
		t.Fatal(".ci/long does not say what it does without an argument")
	}
	want := strings.Fields(strings.ReplaceAll(found[1], "\\", ""))
	got := workflows(t)["nightly.yml"].Jobs["long"].Strategy.Matrix.Part
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("nightly.yml runs %v of .ci/long, which has %v", got, want)
	}
}

// A pattern that matches no test passes.
func TestEveryTestThatAScriptNamesIsThere(t *testing.T) {
	var tests string
	err := filepath.WalkDir("..", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		source, err := os.ReadFile(file)
		tests += string(source)
		return err
	})
	scripts, problem := filepath.Glob("../.ci/*")
	if err := errors.Join(err, problem); err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		must(t, err)
		for _, m := range regexp.MustCompile(`\b((?:Test|Benchmark)[A-Z]\w*)([|)$]?)`).FindAllStringSubmatch(string(text), -1) {
			name := m[1]
			if m[2] != "" { // the whole name
				name += "("
			}
			if !strings.Contains(tests, "\nfunc "+name) {
				t.Errorf("%s runs %s, which is in no package", script, name)
			}
		}
	}
}

// Links to other sites are not followed: no test speaks to a host that is not its own.
func TestTheLinksOfTheMarkdownFilesLeadToFiles(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	files := []string{"README.md"}
	err := fs.WalkDir(os.DirFS(".."), ".github", func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) == ".md" {
			files = append(files, name)
		}
		return err
	})
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile("../" + file)
		must(t, err)
		for _, found := range link.FindAllStringSubmatch(string(text), -1) {
			to, _, _ := strings.Cut(found[1], "#")
			if to == "" || strings.Contains(to, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join("..", path.Dir(file), to)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// The picture in the README is a screen of a story, with fewer blank lines.
func TestThePictureOfTheREADMEIsWhatAPersonSees(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	must(t, err)
	golden, err := os.ReadFile("testdata/card/successful.golden")
	must(t, err)
	var want []string
	for line := range strings.Lines(string(golden)) {
		line, framed := strings.CutPrefix(strings.TrimSuffix(line, "│\n"), "│")
		line = strings.TrimRight(line, " ")
		if framed && (line != "" || want[len(want)-1] != "") {
			want = append(want, line)
		}
	}
	_, picture, _ := strings.Cut(string(readme), "```\n")
	picture, _, _ = strings.Cut(picture, "\n```")
	if picture != strings.Join(want, "\n") {
		t.Errorf("the README shows\n%s\nand the story\n%s", picture, strings.Join(want, "\n"))
	}
}
