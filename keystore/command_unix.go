//go:build !windows

package keystore

import (
	"os/exec"
	"syscall"
)

// newProcessGroup starts a command in a session of its own: it cannot open the terminal that
// the console is drawn on, and all that it starts can be ended together.
func newProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killGroup ends what a command that has ended left running in its session's group. The
// number of a group is not given out anew while the group has a member.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
