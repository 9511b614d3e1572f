package terminal

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// On Windows SIGTERM arrives when the window is closed.
func TestTheSignalOfAClosedWindowEndsTheRun(t *testing.T) {
	s := &session{ending: make(chan struct{}), exit: func(int) {}}
	ends := make(chan os.Signal)
	go s.follow(ends, nil)
	ends <- syscall.SIGTERM
	<-s.ending
	if got := s.status.Load(); got != 128+15 {
		t.Errorf("it ends with %d", got)
	}
}

func TestARunEndsBeforeWindowsEndsTheProcess(t *testing.T) {
	if patience := 5 * time.Second; exitDeadline >= patience || quitTimeout+drainTimeout+writeTimeout >= exitDeadline {
		t.Error("an end by force takes too long")
	}
}
