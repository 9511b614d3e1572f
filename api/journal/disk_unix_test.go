//go:build unix

package journal_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/timely"
)

func TestFilesAreClosedToOthersWhateverTheUmask(t *testing.T) {
	needsFile(t)
	for _, mask := range []int{0o000, 0o022, 0o077} {
		dir := filepath.Join(t.TempDir(), "state", "paydesk")
		was := syscall.Umask(mask)
		j := mustOpen(t, dir, newClock())
		mustBegin(t, j, initiation(t, 1250)) // so that all files exist
		seen := 0
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			about, statErr := os.Stat(path)
			if err := errors.Join(err, statErr); err != nil {
				t.Error(err)
				return nil
			}
			want := fs.FileMode(0o600)
			if d.IsDir() {
				want = 0o700
			}
			seen++
			if got := about.Mode().Perm(); got != want {
				t.Errorf("umask %03o: %s is %03o", mask, filepath.Base(path), got)
			}
			return nil
		})
		syscall.Umask(was)
		if seen < 4 {
			t.Errorf("only %d files", seen)
		}
		j.Close()
	}
}

func TestLooserModesAreRefusedWithTheCommandToRun(t *testing.T) {
	t.Parallel()
	needsFile(t)
	dir, c := newDir(t), newClock()
	mustOpen(t, dir, c).Close()
	path := filepath.Join(dir, "journal.db")
	for _, loose := range []struct {
		path string
		mode fs.FileMode
		want string
	}{{dir, 0o755, "chmod 700 " + dir}, {path, 0o640, "chmod 600 " + path}, {path, 0o604, "chmod 600 " + path}} {
		about, _ := os.Stat(loose.path)
		noError(t, os.Chmod(loose.path, loose.mode))
		j, err := openJournal(t.Context(), journal.Options{Dir: dir, Now: c.now})
		if why := unavailableText(t, err); !strings.HasSuffix(why, loose.want) {
			t.Error(why)
		}
		j.Close()
		if now, _ := os.Stat(loose.path); now.Mode().Perm() != loose.mode {
			t.Errorf("the mode was changed to %o", now.Mode().Perm())
		}
		os.Chmod(loose.path, about.Mode().Perm())
	}
	mustOpen(t, dir, c)
}

func TestADiskThatFillsUpBeforeTheAnswerKeepsItsReferenceElsewhere(t *testing.T) {
	t.Parallel()
	needsFile(t)
	disk, elsewhere := timely.Disk(t, "1m"), t.TempDir()
	o := journal.Options{Dir: filepath.Join(disk, "paydesk"), Now: newClock().now, Elsewhere: []string{elsewhere}}
	j := must(openJournal(t.Context(), o))
	a := mustBegin(t, j, initiation(t, 1250))
	full := filepath.Join(disk, "full")
	if err := os.WriteFile(full, make([]byte, 2<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if _, err := j.Backup(t.Context(), filepath.Join(disk, "backup")); err == nil || !strings.Contains(err.Error(), "The backup cannot be written") {
		t.Error(err)
	}
	why := unavailableText(t, j.End(t.Context(), a.ID, accepted("REF-1", "SUCCESSFUL")))
	// What the failed write gave back may be room enough beside the journal.
	waiting := append(waitingFiles(t, disk), waitingFiles(t, elsewhere)...)
	if !strings.Contains(why, "the disk is full") || len(waiting) != 1 {
		t.Errorf("%s; %v wait in files", why, waiting)
	}
	t.Log(waiting)
	noError(t, os.Remove(full))
	mustBegin(t, j, initiation(t, 1300)) // there is room again
	j.Close()
	next := must(openJournal(t.Context(), o))
	defer next.Close()
	if a := mustAttempt(t, next, a.ID); a.Outcome != ledger.Accepted || a.Reference != "REF-1" {
		t.Errorf("the answer is lost: %+v", a)
	}
}

// limitFileSize limits the size of this process's files; writes beyond it fail.
func limitFileSize() {
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit // of signed numbers on some systems
	fmt.Sscan(os.Getenv(sizeEnv), &limit.Cur)
	limit.Max = limit.Cur
	syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
}

const sizeEnv = "PAYDESK_TEST_SIZE"

// runLimited runs a console whose files cannot grow beyond a size, so that writes fail in
// different places.
func runLimited(t *testing.T, dir string, size int) (output []string) {
	t.Helper()
	c := anotherConsole("limit", dir)
	c.Env = append(c.Env, sizeEnv+"="+strconv.Itoa(size))
	out, err := c.Output()
	if err != nil {
		t.Fatalf("size %d: %v", size, err)
	}
	in := bufio.NewScanner(strings.NewReader(string(out)))
	for in.Scan() {
		output = append(output, in.Text())
	}
	return output
}

func TestAWriteThatFailsSendsNothing(t *testing.T) {
	t.Parallel()
	needsFile(t)
	if testing.Short() {
		t.Skip("long and sequential: it finds no races")
	}
	sizes := repeats(6, 50)
	blocks := 0
	for n := range sizes {
		dir := newDir(t)
		output := runLimited(t, dir, 4096*(1+n*50/sizes)-n%3)
		if len(output) == 0 || !strings.HasPrefix(output[len(output)-1], "blocked ") {
			t.Errorf("the last of %d lines is %q", len(output), output[max(0, len(output)-1):])
			continue
		}
		blocks++
		j := must(openJournal(t.Context(), journal.Options{Dir: dir}))
		for _, line := range output[:len(output)-1] {
			part := strings.Fields(line)
			if a, err := j.Attempt(t.Context(), ledger.ID(part[1])); err != nil || part[0] == "ended" && string(a.Outcome) != part[2] {
				t.Errorf("%s: %v %v", line, a.Outcome, err)
			}
		}
		j.Close()
	}
	if blocks == 0 {
		t.Error("no write failed")
	}
}
