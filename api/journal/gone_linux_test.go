package journal

import (
	"os/exec"
	"testing"
	"time"

	"paydesk/api/ledger"
)

// A console whose parent does not wait for it stays as a zombie, which sends nothing.
func TestAProcessThatNobodyCollectsIsGone(t *testing.T) {
	t.Parallel()
	c := exec.Command("sleep", "60")
	noError(t, c.Start())
	child := ledger.Process{Machine: "here", PID: int64(c.Process.Pid)}
	hasEnded := func() bool { return senders{ledger.Process{Machine: "here"}}.HasEnded(child) }
	if hasEnded() {
		t.Error("a running process is reported as gone")
	}
	c.Process.Kill()
	deadline := time.After(10 * time.Second)
	for !hasEnded() {
		select {
		case <-deadline:
			t.Fatal("a zombie is reported as running")
		case <-time.Tick(time.Millisecond):
		}
	}
	_ = c.Wait()
	if (senders{ledger.Process{Machine: "elsewhere"}}).HasEnded(child) {
		t.Error("a process of another machine is reported as ended: its number means nothing here")
	}
}
