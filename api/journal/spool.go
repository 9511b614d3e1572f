package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// The outcomes that a journal could not be given wait in a file of one outcome each, which any console of this user
// writes as soon as it can: beside where the journal of a single user is, or in [Options.Elsewhere] where that disk is
// full. A file has what a row of the journal has, and as little that is secret.
const spoolName = "outcomes"

// spoolDirs are the folders where outcomes wait, in the order in which they are used.
func (o *Options) spoolDirs() (all []string) {
	if o.Dir == "" {
		return nil
	}
	all = []string{filepath.Join(o.Dir, spoolName)}
	of := sha256.Sum256([]byte(o.Dir)) // those of another journal are not for this one
	for _, dir := range o.Elsewhere {
		all = append(all, filepath.Join(dir, spoolName, hex.EncodeToString(of[:8])))
	}
	return all
}

// spoolRoom is more than an outcome takes in its file.
const spoolRoom = 16 << 10

// trySpool is an error where no outcome could wait in a file. It begins with the folder that is least likely to be on
// the disk of the journal. A folder that took one is not tried again for a while: that costs two syncs of the disk.
func (j *Journal) trySpool(id ledger.ID) (err error) {
	if took := j.spoolTook.Load(); took != nil && time.Since(*took) < spoolPace {
		return nil
	}
	for _, dir := range slices.Backward(j.spools) {
		path := filepath.Join(dir, string(id)+".try")
		if err = writeSpool(path, make([]byte, spoolRoom)); err == nil {
			_ = os.Remove(path)
			now := time.Now()
			j.spoolTook.Store(&now)
			return nil
		}
	}
	if err != nil {
		return ledger.Rejected(unavailable(j.spools[0], err).Why + " Nothing was sent: its outcome could not be saved in any folder. " +
			"Make one of these writable, with free space: " + strings.Join(j.spools, ", "))
	}
	return nil
}

// writeSpool writes a file, and leaves nothing where it cannot.
func writeSpool(path string, text []byte) error {
	err := statefile.MakeDir(filepath.Dir(path))
	if err == nil {
		err = statefile.WriteFile(path, text)
	}
	if err != nil {
		_ = os.Remove(path + ".new")
	}
	return err
}

// A spooled is an outcome in its file: a waiting one, in JSON, and its checksum.
type spooled struct {
	Outcome  json.RawMessage `json:"outcome"`
	Checksum string          `json:"checksum"`
}

func sumOf(outcome json.RawMessage) string { return hex.EncodeToString(checksum(string(outcome))) }

// spool writes an outcome to its file, and reports whether it could. A journal in memory has no files.
func (j *Journal) spool(p pendingOutcome) bool {
	p.Result.Why, p.Result.Named = ledger.Stored(p.Result.Why), ledger.Stored(p.Result.Named)
	outcome, err := json.Marshal(p)
	if err != nil {
		return false
	}
	text, err := json.Marshal(spooled{outcome, sumOf(outcome)})
	if err != nil {
		return false
	}
	for _, dir := range j.spools {
		if writeSpool(spoolPath(dir, p.ID), append(text, '\n')) == nil {
			return true
		}
	}
	j.spoolTook.Store(nil)
	return len(j.spools) == 0
}

func spoolPath(dir string, id ledger.ID) string { return filepath.Join(dir, string(id)+".json") }

// readSpool returns the outcomes that wait in files. A file that is not what was written is left where it is. Its error is
// that of a file that others can read; the outcomes beside it are returned nevertheless.
func (j *Journal) readSpool() (all []pendingOutcome, err error) {
	for _, dir := range j.spools {
		files, _ := os.ReadDir(dir)
		for _, f := range files {
			if filepath.Ext(f.Name()) != ".json" {
				continue
			}
			p, failed := readSpooled(filepath.Join(dir, f.Name()))
			_, exposed := errors.AsType[*statefile.Exposed](failed)
			switch {
			case failed == nil:
				all = append(all, p)
			case exposed:
				err = failed
			}
		}
	}
	return all, err
}

func readSpooled(name string) (p pendingOutcome, err error) {
	if err := statefile.CheckMode(name, 0o600); err != nil {
		return p, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return p, err
	}
	var s spooled
	if err := json.Unmarshal(text, &s); err != nil {
		return p, err
	}
	if sumOf(s.Outcome) != s.Checksum {
		return p, errDamaged
	}
	if err := json.Unmarshal(s.Outcome, &p); err != nil {
		return p, err
	}
	p.kept = true
	return p, nil
}

// removeSpooled removes the files of outcomes that were written.
func (j *Journal) removeSpooled(done []pendingOutcome) {
	for _, dir := range j.spools {
		for _, p := range done {
			_ = os.Remove(spoolPath(dir, p.ID))
		}
	}
}

// spoolPace sets how often a console looks for outcomes that another console of this user left when it ended.
const spoolPace = time.Minute

// lookForSpooled returns the outcomes that wait, with those in files, which are read as often as is needed. Its error is that of
// [Journal.readSpool].
func (j *Journal) lookForSpooled() (_ []pendingOutcome, err error) {
	j.waiting.Lock()
	defer j.waiting.Unlock()
	late := *j.late.Load()
	if now := time.Now(); now.Sub(j.spoolRead) >= spoolPace {
		var found []pendingOutcome
		if found, err = j.readSpool(); err == nil {
			j.spoolRead = now
		}
		for _, p := range found {
			known := slices.ContainsFunc(late.waiting, func(q pendingOutcome) bool { return q.ID == p.ID })
			if !known && !late.strange[p.ID] {
				late.waiting = append(slices.Clip(late.waiting), p)
			}
		}
		j.late.Store(&late)
	}
	return late.waiting, err
}

// written forgets outcomes that were written. The files of those whose attempts are not in this journal stay: it may
// be another one than they were sent from.
func (j *Journal) written(done, strange []pendingOutcome) {
	j.waiting.Lock()
	defer j.waiting.Unlock()
	was := j.late.Load()
	late := lateOutcomes{strange: map[ledger.ID]bool{}, written: was.written}
	maps.Copy(late.strange, was.strange)
	for _, p := range strange {
		late.strange[p.ID] = true
	}
	late.waiting = slices.DeleteFunc(slices.Clone(was.waiting), func(p pendingOutcome) bool {
		return (p.kept || !late.strange[p.ID]) && slices.ContainsFunc(done, func(d pendingOutcome) bool { return d.ID == p.ID && d.At.Equal(p.At) })
	})
	done = slices.DeleteFunc(slices.Clone(done), func(p pendingOutcome) bool { return late.strange[p.ID] })
	late.written += len(done)
	j.late.Store(&late)
	j.removeSpooled(done)
}
