package webhook

import (
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"paydesk/api/statefile"
	"paydesk/api/timely"
)

// A full disk is answered 503. What was answered 200 before is there, and once there is room events are stored again.
func TestADiskThatFillsUpIsAnswered503UntilThereIsRoom(t *testing.T) {
	t.Parallel()
	disk := timely.Disk(t, "1200k")
	s := New(Options{Dir: filepath.Join(disk, "paydesk")})
	s.reserve = 0
	defer s.Close()
	r := listenInto(t, s)
	all := &flood{sent: map[string]int{}}
	flooded := func(senders, most int) (full int) {
		f := &flood{url: r.URL(), senders: senders, most: most, first: len(all.sent)}
		f.send(nil)
		for event, status := range f.sent {
			if all.sent[event] = status; status == http.StatusServiceUnavailable {
				full++
			} else if status != http.StatusOK {
				t.Errorf("HTTP %d", status)
			}
		}
		return full
	}
	for range 100 { // until not even one fits
		if flooded(20, 200) == 200 && flooded(1, 20) == 20 {
			break
		}
	}
	if flooded(20, 50) != 50 {
		t.Fatal("the disk is not full")
	}
	if out, err := exec.Command("mount", "-o", "remount,size=8m", disk).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if full := flooded(20, 200); full > 0 {
		t.Errorf("%d were answered 503 when there was room", full)
	}
	n := all.check(t, s)
	t.Logf("%d answered 200, %d answered 503, %+v", n, len(all.sent)-n, r.Counts())
}

// What is left of a disk is for the journal.
func TestADiskThatIsNearlyFullIsLeftToTheJournal(t *testing.T) {
	t.Parallel()
	disk := timely.Disk(t, "24m")
	s := New(Options{Dir: filepath.Join(disk, "paydesk")})
	defer s.Close()
	for i := 0; ; i++ {
		_, err := s.Keep(t.Context(), "shop", nil, fmt.Appendf(nil, `{"n":%d,"text":"%s"}`, i, strings.Repeat("é", 30_000)))
		if errors.Is(err, errNoRoom) {
			break
		}
		if err != nil || i > 1000 {
			t.Fatal(i, err)
		}
	}
	if free, _ := statefile.Free(disk); free < reserve-2*statefile.MB {
		t.Errorf("%d bytes are left", free)
	}
}
