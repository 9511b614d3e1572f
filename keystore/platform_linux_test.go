package keystore

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAGroupIsOnesOwnIfNobodyElseIsInIt(t *testing.T) {
	const groups = "root:x:0:\nada:x:1000:\nstaff:x:50:ada,bob\ndesk:x:60:ada\nroots:x:61:root,ada\nempty:x:62:\ntwice:x:60:\n"
	const users = "root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\nbob:x:1001:62::/home/bob:/bin/sh\n"
	for _, c := range []struct {
		uid, gid int
		want     bool
	}{
		{1000, 1000, true}, {1000, 60, true}, {1000, 61, true}, {1000, 0, true}, {0, 0, true},
		{1000, 50, false}, // bob is a member
		{1000, 62, false}, // it is bob's first group
		{1001, 1000, false},
		{1000, 70, false},   // an unknown group
		{4242, 1000, false}, // an unknown user
	} {
		if got := soleMember(groups, users, c.uid, c.gid); got != c.want {
			t.Errorf("user %d, group %d: %v", c.uid, c.gid, got)
		}
	}
}

// hardening tells a child of the test what it is.
const hardening = "PAYDESK_TEST_HARDEN"

// unprivileged is the user of the child processes when the tests run as root, who can read
// every process.
const unprivileged = 65534

func TestAHardenedProcessIsClosedToItsOwnUser(t *testing.T) {
	switch os.Getenv(hardening) {
	case "hardened":
		must(t, Harden())
		waitForTheEnd()
	case "open":
		waitForTheEnd()
	}
	for _, c := range []struct {
		kind string
		open bool
	}{{"open", true}, {"hardened", false}} {
		folder, child := startChild(t, c.kind)
		pid := strconv.Itoa(child.Process.Pid)
		if got := readable("/proc/" + pid + "/environ"); got != c.open {
			t.Errorf("%s: its environment can be read: %v", c.kind, got)
		}
		// Some systems close the memory of every process, so that the open one proves nothing.
		if !c.open && readable("/proc/"+pid+"/mem") {
			t.Errorf("%s: its memory can be read", c.kind)
		}
		must(t, child.Process.Signal(syscall.SIGABRT))
		_ = child.Wait()
		dumped := child.ProcessState.Sys().(syscall.WaitStatus).CoreDump()
		files, _ := filepath.Glob(filepath.Join(folder, "core*"))
		switch {
		case !c.open && (dumped || len(files) > 0):
			t.Errorf("%s: left a core: %v", c.kind, files)
		case c.open && !dumped:
			t.Log("this system writes no cores at all")
		}
	}
}

// startChild starts this test as a child process of the unprivileged user and waits until it
// is ready.
func startChild(t *testing.T, kind string) (folder string, child *exec.Cmd) {
	t.Helper()
	folder, err := os.MkdirTemp("", "harden") // t.TempDir is closed to another user
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	// The test's own file may be in a folder that only root can open.
	child = exec.Command("/proc/self/exe", "-test.run=^TestAHardenedProcessIsClosedToItsOwnUser$", "-test.count=1")
	child.Dir = folder
	child.Env = append(os.Environ(), hardening+"="+kind, Variable+"="+sample, "GOTRACEBACK=crash")
	asUnprivileged(child)
	if os.Getuid() == 0 {
		must(t, os.Chown(folder, unprivileged, unprivileged))
	}
	in, err := child.StdinPipe()
	must(t, err)
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	t.Cleanup(func() { in.Close(); _ = child.Process.Kill() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return folder, child
}

func asUnprivileged(cmd *exec.Cmd) {
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: unprivileged, Gid: unprivileged}}
	}
}

// readable reports whether another process of the user can open a file.
func readable(path string) bool {
	cmd := exec.Command("sh", "-c", `: <"$0"`, path)
	cmd.Dir = "/"
	asUnprivileged(cmd)
	return cmd.Run() == nil
}

// waitForTheEnd is the child process, which would leave a core file if it could.
func waitForTheEnd() {
	var most unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_CORE, &most) == nil {
		most.Cur = most.Max
		_ = unix.Setrlimit(unix.RLIMIT_CORE, &most)
	}
	fmt.Println("ready")
	_, _ = os.Stdin.Read(make([]byte, 1))
	os.Exit(0)
}
