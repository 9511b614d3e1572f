package terminal

import (
	"os"
	"slices"
	"syscall"
	"testing"
)

func TestClosingTheWindowIsNoticed(t *testing.T) {
	if !slices.Contains(endSignals, os.Signal(syscall.SIGTERM)) {
		t.Error("a closed window ends the process with nothing recorded")
	}
}
