//go:build !windows

package keystore

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// readPrivate reads a small file that nobody else can read or replace. It checks the file
// after opening it, through its open folder, so that nobody can swap the file in between.
//
// Systemd creates a credential for the user of the unit with mode 0400, or with 0440 when root
// owns it and an access list admits the user (the group bits then show the mask of the list).
// So root may own a credential, and its group may read it.
func readPrivate(path string, credential bool) ([]byte, error) {
	folder, err := unix.Open(filepath.Dir(path), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fileError(path, err)
	}
	defer unix.Close(folder)
	if err := safeFolder(filepath.Dir(path), folder); err != nil {
		return nil, err
	}
	// O_NONBLOCK, because opening a pipe would block until its other end is opened.
	fd, err := unix.Openat(folder, filepath.Base(path), unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err == unix.ELOOP || err == unix.EMLINK {
		return nil, notRegular(path, fs.ModeSymlink)
	}
	if err != nil {
		return nil, fileError(path, err)
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	if err := safeFile(path, fd, credential); err != nil {
		return nil, err
	}
	return readOpen(path, f)
}

func safeFolder(path string, fd int) error {
	var s unix.Stat_t
	if err := unix.Fstat(fd, &s); err != nil {
		return fileError(path, err)
	}
	switch me := uint32(os.Geteuid()); {
	case s.Uid != me && s.Uid != 0:
		return &Problem{Kind: ErrUnsafe, Message: fmt.Sprintf("%s belongs to user %d, who can replace files in it", path, s.Uid), Hint: "move the key to a folder of your own"}
	case s.Mode&0o022 != 0:
		return &Problem{Kind: ErrUnsafe, Message: fmt.Sprintf("others can replace files in %s (mode %04o)", path, s.Mode&0o7777), Hint: "run: chmod go-w " + ShellQuote(path)}
	}
	return nil
}

func safeFile(path string, fd int, credential bool) error {
	var s unix.Stat_t
	if err := unix.Fstat(fd, &s); err != nil {
		return fileError(path, err)
	}
	refused := uint32(0o077)
	if credential {
		refused = 0o037
	}
	me := uint32(os.Geteuid())
	switch {
	case s.Mode&unix.S_IFMT == unix.S_IFDIR:
		return notRegular(path, fs.ModeDir)
	case s.Mode&unix.S_IFMT != unix.S_IFREG:
		return notRegular(path, fs.ModeIrregular)
	case s.Uid != me && !(credential && s.Uid == 0):
		return &Problem{Kind: ErrUnsafe, Message: fmt.Sprintf("%s belongs to user %d, not to you", path, s.Uid), Hint: fmt.Sprintf("run: chown %d %s", me, ShellQuote(path))}
	case uint32(s.Mode)&refused != 0:
		return &Problem{
			Kind: ErrUnsafe, Message: fmt.Sprintf("others can access %s (mode %04o)", path, s.Mode&0o7777),
			Hint: "run: chmod 600 " + ShellQuote(path) + " and replace the key if others may have read it",
		}
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
