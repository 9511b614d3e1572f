//go:build unix

package cli_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"paydesk/api/webhook"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

// What was recorded is read where nothing can be written: each list, with a query and without.
func TestEachListIsReadInAFolderThatCannotBeWritten(t *testing.T) {
	h := listOf(t, 45)
	h.Run(with(chairs, "--yes")...).Is(command.Done)
	h.Run("transactions", "--all").Is(command.Done)
	h.Run("transactions", "--all").Is(command.Done)
	events := webhook.New(webhook.Options{Dir: h.StateDir()})
	if _, err := events.Keep(t.Context(), "shop", nil, []byte(`{"Event":"payment.failed","Data":{"Reference":"R1","PaymentStatus":"FAILED"}}`)); err != nil {
		t.Fatal(err)
	}
	must(t, events.Close())
	run := asNobody(t, h)
	must(t, os.Chmod(h.StateDir(), 0o500))
	defer os.Chmod(h.StateDir(), 0o700)
	for line, want := range map[string]string{
		"activity --where chairs": "CREATED", "link list": "Chairs", "webhook list --where failed": "R1", "transactions --all": "SUCCESSFUL",
		"transactions --totals --where since:last": "", "journal status": "Writing\tread-only",
	} {
		if out, code := run(strings.Fields(line)...); code != command.Done || !strings.Contains(out, want) {
			t.Errorf("paydesk %s ended with %d: %s", line, code, out)
		}
	}
	empty := t.TempDir()
	must(t, os.Chmod(empty, 0o555))
	for _, line := range []string{"activity", "link list", "webhook list", "transactions"} {
		if out, code := run(append(strings.Fields(line), "--state-dir", empty)...); code != command.Done {
			t.Errorf("where nothing was ever sent paydesk %s ended with %d: %s", line, code, out)
		}
	}
}

// asNobody hands the home of a host to a user who may not write everywhere, as whom it runs commands.
func asNobody(t *testing.T, h *clitest.Host) func(args ...string) (string, command.Code) {
	t.Helper()
	program, err := os.ReadFile(os.Args[0])
	must(t, err)
	path := filepath.Join(t.TempDir(), "paydesk")
	must(t, os.WriteFile(path, program, 0o755))
	root := os.Getuid() == 0
	if root {
		for _, d := range []string{filepath.Dir(path), h.Home} {
			for ; d != os.TempDir() && len(d) > 1; d = filepath.Dir(d) {
				os.Chmod(d, 0o755)
			}
		}
		must(t, filepath.WalkDir(h.Home, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Chown(path, 65534, 65534)
		}))
	}
	return func(args ...string) (string, command.Code) {
		from := h.Program(args...)
		cmd := exec.Command(path, args...)
		cmd.Env, cmd.Dir = from.Env, h.Home
		if root {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		if cmd.ProcessState == nil {
			t.Skip("another user cannot run this test: ", err)
		}
		return out.String(), command.Code(cmd.ProcessState.ExitCode())
	}
}
