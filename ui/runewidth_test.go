package ui

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

// go-runewidth up to v0.0.27 fills a table of 2 MB when the program starts, 21 ms even for
// --version; bubbles requires that version, so go.mod must pin a newer one.
func TestRunewidthCostsNothingAtStart(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	pinned := regexp.MustCompile(`(?m)^\s*github\.com/mattn/go-runewidth v(\d+)\.(\d+)\.(\d+)\b`).FindSubmatch(mod)
	if pinned == nil {
		t.Fatal("go.mod does not pin go-runewidth")
	}
	var v [3]int
	for i := range v {
		v[i], _ = strconv.Atoi(string(pinned[i+1]))
	}
	if v[0] == 0 && v[1] == 0 && v[2] < 28 {
		t.Errorf("go-runewidth is v0.0.%d, below v0.0.28", v[2])
	}
}
