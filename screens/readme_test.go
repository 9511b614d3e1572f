package screens_test

import (
	"os"
	"strings"
	"testing"
)

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
