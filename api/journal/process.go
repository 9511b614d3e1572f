package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"strconv"
	"syscall"
	"time"

	"paydesk/api/ledger"
)

// thisProcess is the process of this console.
func thisProcess() ledger.Process {
	host, _ := os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid") // a container numbers its own processes
	sum := sha256.Sum256([]byte(host + "\x00" + string(boot) + "\x00" + space))
	pid := int64(os.Getpid())
	_, started := procStat(pid)
	return ledger.Process{Machine: hex.EncodeToString(sum[:8]), PID: pid, Started: started}
}

// procStat returns the state of a process and when it started, fields 3 and 22 of
// proc_pid_stat(5); "" and 0 where they are not known. Process numbers are reused.
func procStat(pid int64) (state string, started int64) {
	b, _ := os.ReadFile("/proc/" + strconv.FormatInt(pid, 10) + "/stat")
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:]) // the process name before it may contain anything
	if len(fields) < 20 {
		return "", 0
	}
	started, _ = strconv.ParseInt(string(fields[19]), 10, 64)
	return string(fields[0]), started
}

// signal asks for a process without disturbing it: the error is [os.ErrProcessDone] where there is none, and nil or
// [os.ErrPermission] where there is one; a zombie is. Any other says nothing, as on Windows: [ledger.SendTime] and
// [ledger.NotFoundAfter] alone apply there.
func signal(pid int64) error {
	p, err := os.FindProcess(int(pid))
	if err != nil {
		return err
	}
	defer p.Release()
	return p.Signal(syscall.Signal(0))
}

// senders implements [ledger.Senders] as seen from a process.
type senders struct{ self ledger.Process }

func (s senders) isNeighbour(p ledger.Process) bool {
	return p != s.self && p.Machine == s.self.Machine
}

// HasEnded implements [ledger.Senders].
func (s senders) HasEnded(p ledger.Process) bool {
	if !s.isNeighbour(p) {
		return false
	}
	state, start := procStat(p.PID)
	return state == "Z" || state == "X" || errors.Is(signal(p.PID), os.ErrProcessDone) || start != 0 && p.Started != 0 && start != p.Started
}

// Lives implements [ledger.Senders].
func (s senders) Lives(p ledger.Process) bool {
	if !s.isNeighbour(p) || s.HasEnded(p) {
		return false
	}
	err := signal(p.PID)
	return err == nil || errors.Is(err, os.ErrPermission)
}

// StartedWithin implements [ledger.Senders]. The machine has not been restarted since, or it would be another.
func (s senders) StartedWithin(p ledger.Process, age time.Duration) bool {
	const tick = time.Second / 100 // of /proc, on every Linux
	ago := sinceBoot() - time.Duration(p.Started)*tick
	return s.isNeighbour(p) && p.Started != 0 && 0 <= ago && ago < age
}
