package journal

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
)

// SQLite would lose its POSIX locks where this process closes another handle of the file, as a backup does.
var _, _ = sqlite.OFDLocking(true)

// A witness is what the file beside the key remembers of the journal: the number and the hash of the last fact, so that
// facts that are lost, or an older copy, are noticed, and when all of it was last checked. It is written after each commit
// and not synced: only a journal that lacks this fact has lost something.
type witness struct {
	Number  int64     `json:"number"`
	Head    string    `json:"head,omitzero"` // in hexadecimal digits
	Checked time.Time `json:"checked,omitzero"`
	// Size and Modified are those of the file after the last commit of a console: another file, or one that another
	// program has written, was not checked.
	Size     int64 `json:"size,omitzero"`
	Modified int64 `json:"modified,omitzero"` // nanoseconds
	// Lost is when a [Loss] was last found, until that is acknowledged: it stands where its own file is gone.
	Lost time.Time `json:"lost,omitzero"`
}

const (
	headName   = "journal.head"
	headLength = 320 // more than a witness takes
)

func (j *Journal) headPath() string {
	if j.file == nil {
		return j.beside() + ".head"
	}
	return filepath.Join(j.opts.Dir, headName)
}

// beside is what the files begin with that say what a journal may have lost: the path of its file, or for a team's journal
// a name of its own in the folder of this user; "" for one in memory.
func (j *Journal) beside() string {
	if j.file != nil || j.opts.Dir == "" {
		return j.path
	}
	sum := sha256.Sum256([]byte(j.db.Name()))
	return filepath.Join(j.opts.Dir, "team-"+hex.EncodeToString(sum[:6]))
}

// witness reads the file. It is zero where there is none, or where it cannot be read.
func (j *Journal) witness() (w witness) {
	text, err := os.ReadFile(j.headPath())
	if err != nil || json.Unmarshal(text, &w) != nil {
		return witness{}
	}
	return w
}

// remember replaces what the file says, with what the journal's file is now. Where it cannot be written, less is noticed later.
func (j *Journal) remember(w witness) {
	if j.beside() == "" {
		return
	}
	if about, err := os.Stat(j.path); err == nil {
		w.Size, w.Modified = about.Size(), about.ModTime().UnixNano()
	}
	text, _ := json.Marshal(w)
	f, err := os.OpenFile(j.headPath(), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = fmt.Fprintf(f, "%-*s\n", headLength, text) // in one write, beside those of other consoles
}

// changeWitness changes what the file says.
func (j *Journal) changeWitness(change func(*witness)) {
	j.witnessing.Lock()
	defer j.witnessing.Unlock()
	w := j.witness()
	change(&w)
	j.remember(w)
}

// committed remembers that the journal has come so far. Another console may have gone further meanwhile.
func (j *Journal) committed(last head) {
	j.changeWitness(func(w *witness) {
		if last.number >= w.Number {
			w.Number, w.Head = last.number, hex.EncodeToString(last.hash)
		}
	})
}

// passed remembers that the journal passed a check.
func (j *Journal) passed() { j.changeWitness(func(w *witness) { w.Checked = time.Now() }) }

// lost remembers that a [Loss] stands since a time, the zero one for none.
func (j *Journal) lost(since time.Time) { j.changeWitness(func(w *witness) { w.Lost = since }) }

// forget forgets how far the journal had come, because another one takes its place.
func (j *Journal) forget() {
	if _, err := os.Stat(j.headPath()); err == nil {
		j.changeWitness(func(w *witness) { *w = witness{Lost: w.Lost} })
	}
}

// checkEvery is how long a journal that passed is not checked again.
const checkEvery = 24 * time.Hour

// wasChecked reports whether the journal passed a check a short while ago, since when the machine, which may have lost
// its power, was not started again and only consoles have written the file.
func (j *Journal) wasChecked(about os.FileInfo) bool {
	w, up := j.witness(), sinceBoot()
	ago := time.Since(w.Checked)
	return 0 <= ago && ago < checkEvery && (up == 0 || ago < up) && w.Size == about.Size() && w.Modified == about.ModTime().UnixNano()
}

// checkpoint writes the log into the file as far as readers permit: SQLite silently ignores a log from where it is
// truncated or damaged.
func checkpoint(ctx context.Context, db *sql.DB) {
	_, _ = db.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
}

// checkLoss finds out that a journal is behind its [witness], or another one than that knows of: the log of the last facts
// was lost, a file is an older copy, a dump was put back, or a standby was promoted without the last facts. What is left is
// sound, so it stays.
func (t *writeTx) checkLoss(w witness) (err error) {
	if t.last, err = t.head(); err != nil || t.j.beside() == "" || w.Number == 0 {
		return err
	}
	last := t.last
	there, err := t.headOf(w.Number)
	if err != nil || hex.EncodeToString(there) == w.Head {
		return err
	}
	if err := t.j.addLoss(Loss{From: fromNano(last.at), Why: "the last records of the journal are lost, or it was replaced by an older copy"}); err != nil {
		return err
	}
	t.j.changeWitness(func(w *witness) { *w = witness{Number: last.number, Head: hex.EncodeToString(last.hash), Lost: w.Lost} })
	return nil
}

// checkOpened is checkLoss of a journal that was just opened, so that one that is only read is checked as well.
func (j *Journal) checkOpened(ctx context.Context, db Querier) error {
	w := j.witness() // first: another console may commit between the two
	t := &writeTx{readTx: j.reader(ctx, db, At{})}
	return t.checkLoss(w)
}
