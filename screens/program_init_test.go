//go:build unix

package screens_test

import (
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

var initTrace = regexp.MustCompile(`(?m)^init \S+ @\S+ ms, \S+ ms clock, (\d+) bytes, (\d+) allocs`)

// A package that fills a big table before main begins holds up every start.
func TestNoPackageHoldsUpTheStart(t *testing.T) {
	t.Parallel()
	c := exec.CommandContext(t.Context(), program(t), "--version")
	c.Env = append(newSetting(t).list(), "GODEBUG=inittrace=1")
	out, err := c.CombinedOutput()
	packages := initTrace.FindAllStringSubmatch(string(out), -1)
	if err != nil || len(packages) < 10 {
		t.Fatalf("the trace names %d packages: %v", len(packages), err)
	}
	var bytes, allocations int
	for _, p := range packages {
		b, _ := strconv.Atoi(p[1])
		n, _ := strconv.Atoi(p[2])
		bytes, allocations = bytes+b, allocations+n
	}
	hold(t, "bytes before main", bytes)
	hold(t, "allocations before main", allocations)
}
