// Package timely is for tests with a limit on real time, on machines that may be busy, for tests that run beside others, and for tests
// without a disk, or with a small one. Must ends any test with an error.
package timely

import (
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience limits how long a slow function is retried.
const patience = time.Minute

// Within fails unless do takes no longer than most. A slow run is repeated: a busy machine is slow
// now and then, a defect every time. do returns how long it took.
func Within(t testing.TB, most time.Duration, do func() (took time.Duration)) {
	t.Helper()
	begun := time.Now()
	best := do()
	for best > most && time.Since(begun) < patience {
		t.Logf("it took %v, the limit is %v: trying again", best.Round(time.Millisecond), most)
		best = min(best, do())
	}
	if best > most {
		t.Fatalf("it never took less than %v, the limit is %v", best, most)
	}
	t.Logf("it took %v", best.Round(time.Microsecond))
}

// Took wraps a function for [Within] and measures it.
func Took(do func()) func() time.Duration {
	return func() time.Duration {
		begun := time.Now()
		do()
		return time.Since(begun)
	}
}

// begun has the tests that run beside others: a test may have several hosts or consoles.
var begun sync.Map

// Beside lets a test run beside others, since it mostly waits. A subtest is left as it is.
func Beside(t testing.TB) {
	test, is := t.(*testing.T)
	if !is || strings.Contains(t.Name(), "/") {
		return
	}
	if _, again := begun.LoadOrStore(test, true); !again {
		t.Cleanup(func() { begun.Delete(test) })
		test.Parallel()
	}
}

// Disk is the folder of a small disk that is mounted for a test, which is skipped where none can be.
func Disk(t testing.TB, size string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "mode=0700,size="+size, "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("no disk can be mounted here: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", folder).CombinedOutput(); err != nil {
			t.Errorf("%v %s", err, out)
		}
	})
	return folder
}

// Must ends the test with an error, if there is one.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
