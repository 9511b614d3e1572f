package journal

import (
	"os/exec"
	"testing"
	"time"
)

// A console whose parent never asks what became of it stays as a zombie: it sends nothing
// any more.
func TestAProcessThatNobodyCollectsIsGone(t *testing.T) {
	c := exec.Command("sleep", "60")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if processGone(int64(c.Process.Pid)) {
		t.Error("a process that runs is taken for gone")
	}
	c.Process.Kill()
	deadline := time.After(10 * time.Second)
	for !processGone(int64(c.Process.Pid)) {
		select {
		case <-deadline:
			t.Fatal("a zombie is taken for alive")
		case <-time.Tick(time.Millisecond):
		}
	}
	if err := c.Wait(); err == nil {
		t.Error("it ended by itself")
	}
	if !processGone(int64(c.Process.Pid)) {
		t.Error("a process that was collected is taken for alive")
	}
}
