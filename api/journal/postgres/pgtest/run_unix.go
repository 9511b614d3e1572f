//go:build unix

package pgtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ids returns the user and the group of the server.
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

// watch starts the process that stops the server and removes its folder, once this one ends it or has itself ended,
// however it does.
func (c *Cluster) watch() error {
	const script = `exec 2>/dev/null
		read -r end
		file=$1/data/postmaster.pid
		kill -QUIT "$(head -n 1 "$file")"
		for i in $(seq 200); do [ -e "$file" ] || break; sleep 0.02; done
		rm -rf "$1"`
	cmd := exec.Command("sh", "-c", script, "sh", c.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ctrl+c is not for it
	cmd.Stdout = os.Stdout                                // go test waits until it is closed
	guard, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	c.end = func() { guard.Close(); cmd.Wait() }
	return cmd.Start()
}

// run runs a program of the server. What it says is not waited for, since a server that is started keeps it open.
func (c *Cluster) run(name string, args ...string) error {
	cmd := exec.Command(filepath.Join(c.bin, name), args...)
	cmd.Dir = c.dir
	uid, gid := c.ids()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if c.user != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	out, err := os.CreateTemp(c.dir, "said-")
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

func kill(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }

// children are the processes that a process has started; none where the system does not list them.
func children(pid int) (all []int) {
	said, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/task/" + strconv.Itoa(pid) + "/children")
	for _, word := range strings.Fields(string(said)) {
		if child, err := strconv.Atoi(word); err == nil {
			all = append(all, child)
		}
	}
	return all
}
