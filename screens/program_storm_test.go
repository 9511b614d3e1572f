//go:build linux

package screens_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"paydesk/api/timely"
)

// resident returns how many KiB of memory the program has.
func (v *window) resident() (kib int) {
	v.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", v.command.Process.Pid))
	must(v.t, err)
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	if _, err := fmt.Sscan(after, &kib); err != nil {
		v.t.Fatal(err)
	}
	return kib
}

func TestAStormOfSizesIsSurvivedAndTheLastOneDrawn(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 80, 24, "demo")
	v.Sees("Menu")
	before := v.resident()
	most := before
	sizes := [][2]uint16{{0, 0}, {1, 1}, {65535, 65535}, {80, 24}, {65535, 1}, {1, 65535}, {60, 18}, {200, 60}, {0, 24}}
	begun := time.Now()
	storm := 1000
	if long {
		storm = 5000
	}
	pace := time.NewTicker(600 * time.Microsecond)
	defer pace.Stop()
	for i := range storm {
		s := sizes[i%len(sizes)]
		v.size(s[0], s[1]) // the kernel sends SIGWINCH
		<-pace.C
		if i%100 == 0 {
			most = max(most, v.resident())
		}
	}
	t.Logf("%d sizes in %v", storm, time.Since(begun).Round(time.Millisecond))
	v.Resize(100, 30)
	v.heard()
	v.Sees("Menu")
	until(t, func() bool {
		s := v.Screen()
		return strings.HasPrefix(s, " paydesk ▸ Home ") && strings.Count(s, "Menu") == 1 && strings.Contains(s, "? help")
	}, func() string { return "the screen is not in order:\n" + v.Screen() })
	most = max(most, v.resident())
	t.Logf("%d KiB before, %d KiB at most", before, most)
	if most-before > 20<<10 {
		t.Errorf("its memory grew from %d to %d KiB", before, most)
	}
	v.Press("ctrl+c")
	if s := v.gone(); s != 0 {
		t.Errorf("it ended with %d", s)
	}
}

// A terminal that tells nonsense of itself must not cost gigabytes before the first frame, and one without cells is waited for.
func TestAnAbsurdFirstSizeIsNotBelieved(t *testing.T) {
	t.Parallel()
	v := newWindow(t, newSetting(t), 80, 24, "demo")
	v.size(65535, 65535)
	v.start()
	v.Sees("Menu")
	v.Resize(0, 0)
	v.heard()
	v.Resize(80, 24)
	v.Sees("Menu")
	if kib := v.resident(); kib > 100<<10 {
		t.Errorf("it has %d KiB of memory", kib)
	}
	v.Press("ctrl+c")
	if s := v.gone(); s != 0 {
		t.Errorf("it ended with %d", s)
	}
}

func TestAWindowThatIsClosedEndsTheProgramAtOnce(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"": nil, "which hears no hangup": {"-c", `trap "" HUP; exec "$0" demo`}} {
		t.Run(name, func(t *testing.T) {
			timely.Within(t, soon, func() (took time.Duration) {
				v := newWindow(t, newSetting(t), 80, 24, "demo")
				if args != nil {
					v.command.Path, v.command.Args = "/bin/sh", append([]string{"sh"}, append(args, program(t))...)
				}
				v.start()
				v.Sees("Menu")
				v.tty.Close()
				at := time.Now()
				v.master.Close() // the kernel hangs up on the program
				until(t, v.over, func() string { return "the program goes on without a terminal" })
				took = time.Since(at)
				if got := status(v.command); got != 129 {
					t.Errorf("it ended with %d", got)
				}
				return took
			})
		})
	}
}
