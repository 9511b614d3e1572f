package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strconv"
	"time"
)

// maxSendTime is how long after it was recorded an attempt may still be answered: the 90
// second limit of a POST, and a margin.
const maxSendTime = 100 * time.Second

// A process identifies a console process, so that another console can distinguish an attempt
// that is being sent from one whose console has ended.
type process struct {
	machine string // process numbers can be compared when it is the same
	pid     int64
	started int64 // in ticks since the machine booted; 0 when not known
}

func thisProcess() process {
	host, _ := os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid") // a container numbers its own processes
	sum := sha256.Sum256([]byte(host + "\x00" + string(boot) + "\x00" + space))
	pid := int64(os.Getpid())
	_, started := procStat(pid)
	return process{hex.EncodeToString(sum[:8]), pid, started}
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

// hasEnded reports whether a process has certainly ended, as seen from another.
func (p process) hasEnded(from process) bool {
	if p == from || p.machine != from.machine {
		return false
	}
	state, start := procStat(p.pid)
	return state == "Z" || state == "X" || processGone(p.pid) || start != 0 && p.started != 0 && start != p.started
}

// isYoungerThan reports whether a process was certainly started less than so long ago, and nothing that it recorded is
// older, whatever the wall clock says: it may have been set. The machine has not been restarted since, or it would be
// another.
func (p process) isYoungerThan(age time.Duration, from process) bool {
	const tick = time.Second / 100 // of /proc, on every Linux
	ago := sinceBoot() - time.Duration(p.started)*tick
	return p != from && p.machine == from.machine && p.started != 0 && 0 <= ago && ago < age
}

// mayStillSend reports whether an attempt may leave yet: nobody has said what became of it, and the process that recorded
// it, which may be stopped, lives. It is not known of a process of another machine. This process ends within
// [maxSendTime] what it sends.
func (j *Journal) mayStillSend(r *row) bool {
	p, unanswered := r.sender, r.Outcome == Sent || r.Outcome == Unresolved && r.Why == consoleEnded
	return unanswered && p != j.self && p.machine == j.self.machine && !p.hasEnded(j.self) && processLives(p.pid)
}

const consoleEnded = "the console ended before the answer came"

// orphaned reports whether no console waits for the answer to an attempt any more.
func (j *Journal) orphaned(r *row, now time.Time) bool {
	return r.Outcome == Sent && (now.Sub(r.At) > maxSendTime || r.sender.hasEnded(j.self))
}

// markUnresolved gives an orphaned attempt its outcome. A late answer may still replace it.
func (r *row) markUnresolved(now time.Time) {
	r.Outcome, r.AnsweredAt, r.Why = Unresolved, now, consoleEnded
}
