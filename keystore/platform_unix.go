//go:build !windows

package keystore

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// safeFolder rejects a folder in which others can replace files.
func safeFolder(path string, about fs.FileInfo) error {
	s := about.Sys().(*syscall.Stat_t)
	switch me := uint32(os.Geteuid()); {
	case s.Uid != me && s.Uid != 0:
		return problem(ErrUnsafe, fmt.Sprintf("%s belongs to user %d, who can replace files in it", path, s.Uid), "move the key to a folder of your own")
	case s.Mode&0o022 != 0:
		return problem(ErrUnsafe, fmt.Sprintf("others can replace files in %s (mode %04o)", path, s.Mode&0o7777), "run: chmod go-w "+ShellQuote(path))
	}
	return nil
}

// safeFile rejects a file that others own or can access.
func safeFile(path string, about fs.FileInfo, credential bool) error {
	s := about.Sys().(*syscall.Stat_t)
	refused := uint32(0o077)
	if credential {
		refused = 0o037
	}
	me := uint32(os.Geteuid())
	switch {
	case s.Uid != me && !(credential && s.Uid == 0):
		return problem(ErrUnsafe, fmt.Sprintf("%s belongs to user %d, not to you", path, s.Uid), fmt.Sprintf("run: chown %d %s", me, ShellQuote(path)))
	case uint32(s.Mode)&refused != 0:
		return problem(ErrUnsafe, fmt.Sprintf("others can access %s (mode %04o)", path, s.Mode&0o7777),
			"run: chmod 600 "+ShellQuote(path)+" and replace the key if others may have read it")
	}
	return nil
}

// newProcessGroup starts a command in its own session: it cannot open the terminal that shows
// the console, and all its children can be killed together.
func newProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killGroup kills what a finished command left running in its group. The system does not reuse
// the number of a group while the group has a member.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
