//go:build !windows

package keystore

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"paydesk/api/text"
)

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
		return problem(ErrUnsafe, fmt.Sprintf("%s belongs to user %d, not to you", path, s.Uid), fmt.Sprintf("run: chown %d %s", me, text.ShellQuote(path)))
	case uint32(s.Mode)&refused != 0:
		return problem(ErrUnsafe, fmt.Sprintf("others can access %s (mode %04o)", path, s.Mode&0o7777),
			"run: chmod 600 "+text.ShellQuote(path)+" and replace the key if others may have read it")
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

const maxLinks = 40 // symbolic links followed in one path, as on Linux

// ownPath reports as a [Problem] if anybody but the user and root can change what a path leads to: by
// writing to the file, by replacing it or a folder above it, or through a symbolic link. A path that
// passes stays as it is while it is used, since no other user can change it. The part that does not exist
// yet passes.
func ownPath(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("the current folder is unknown: %w", err)
	}
	at, links := "/", 0
	for rest := strings.Split(path, "/"); ; rest = rest[1:] {
		about, err := os.Lstat(at)
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			return fileError(at, err)
		case about.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(at)
			if links++; err != nil || links > maxLinks {
				return problem(ErrUnsafe, "the symbolic links at "+at+" lead nowhere", "name the file itself")
			}
			if err := ownEntry(at, about, false); err != nil {
				return err
			}
			rest = append(strings.Split(target, "/"), rest...)
			if at = filepath.Dir(at); filepath.IsAbs(target) {
				at = "/"
			}
		default:
			if err := ownEntry(at, about, false); err != nil {
				return err
			}
		}
		for len(rest) > 0 && (rest[0] == "" || rest[0] == ".") {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return nil
		}
		at = filepath.Join(at, rest[0]) // at has no links left in it, so that .. is its parent
	}
}

// ownEntry is [ownPath] for one file, folder or link. In the folder of a secret, which is private, only its owner and root may put files.
func ownEntry(path string, about fs.FileInfo, private bool) error {
	s := about.Sys().(*syscall.Stat_t)
	me := os.Geteuid()
	link := about.Mode()&fs.ModeSymlink != 0
	switch {
	case int(s.Uid) != me && s.Uid != 0 && link:
		words := fmt.Sprintf("%s is a symbolic link of user %d, who can let it lead elsewhere", path, s.Uid)
		return problem(ErrUnsafe, words, "name the file that it leads to")
	case int(s.Uid) != me && s.Uid != 0:
		words := fmt.Sprintf("%s belongs to user %d, who can change it", path, s.Uid)
		return problem(ErrUnsafe, words, fmt.Sprintf("use a place of your own; or, if it is yours, run: chown %d %s", me, text.ShellQuote(path)))
	case link: // its mode means nothing
	case !private && about.IsDir() && about.Mode()&fs.ModeSticky != 0: // as /tmp: entries are replaced by their owners only
	case s.Mode&0o002 != 0, s.Mode&0o020 != 0 && (private || !about.IsDir() || !ownGroup(path, int(s.Gid))):
		words := fmt.Sprintf("others can change %s (mode %04o)", path, s.Mode&0o7777)
		return problem(ErrUnsafe, words, "run: chmod go-w "+text.ShellQuote(path))
	}
	return nil
}
