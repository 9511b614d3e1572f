//go:build unix

package pgtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// ids are those of who runs the server.
func (c *Cluster) ids() (uid, gid int) {
	if c.user == nil {
		return os.Getuid(), os.Getgid()
	}
	uid, _ = strconv.Atoi(c.user.Uid)
	gid, _ = strconv.Atoi(c.user.Gid)
	return uid, gid
}

// own gives the folder to who runs the server.
func (c *Cluster) own() error { return os.Chown(c.dir, first(c.ids()), -1) }

func first(a, _ int) int { return a }

// run runs a program of the server. What it says is not waited for, since a server that is started keeps it open.
func (c *Cluster) run(name string, args ...string) error {
	cmd := exec.Command(filepath.Join(c.bin, name), args...)
	cmd.Dir = c.dir
	uid, gid := c.ids()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if c.user != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	out, err := os.CreateTemp("", "paydesk-pg-*.out")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(out.Name())
		return errors.Join(err, errors.New(string(said)))
	}
	return nil
}
