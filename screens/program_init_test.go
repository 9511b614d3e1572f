//go:build unix

package screens_test

import (
	"cmp"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// slowInit sets how many milliseconds a package may take before main begins. One that
// fills a big table takes 20 and more; all of ours together take less than 1.
const slowInit = 10

var initTrace = regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock, (\d+) bytes, (\d+) allocs`)

func TestNoPackageHoldsUpTheStart(t *testing.T) {
	type pkg struct {
		name string
		took float64
	}
	var packages []pkg
	var bytes, allocations int // of the last run; each has the same
	// A busy machine can stop anything for 10 ms, so the best of a few runs counts.
	slow := func(p pkg) bool { return p.took > slowInit }
	for n := 0; n < 5 || n < 50 && slices.ContainsFunc(packages, slow); n++ {
		c := exec.CommandContext(t.Context(), program(t), "--version")
		c.Env = append(newSetting(t).list(), "GODEBUG=inittrace=1")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatal(err)
		}
		bytes, allocations = 0, 0
		for _, m := range initTrace.FindAllStringSubmatch(string(out), -1) {
			took, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			bytes, allocations = bytes+atoi(t, m[3]), allocations+atoi(t, m[4])
			i := slices.IndexFunc(packages, func(p pkg) bool { return p.name == m[1] })
			if i < 0 {
				packages = append(packages, pkg{m[1], took})
			} else {
				packages[i].took = min(packages[i].took, took)
			}
		}
	}
	if len(packages) < 10 {
		t.Fatalf("the trace names %d packages", len(packages))
	}
	hold(t, "bytes before main", bytes)
	hold(t, "allocations before main", allocations)
	slices.SortFunc(packages, func(a, b pkg) int { return cmp.Compare(b.took, a.took) })
	for i, p := range packages {
		if i < 5 {
			t.Logf("%s took %.3f ms", p.name, p.took)
		}
		if slow(p) {
			t.Errorf("%s takes %.1f ms before anything else can run", p.name, p.took)
		}
	}
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
