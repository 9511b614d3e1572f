package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"

	"paydesk/api/ledger"
)

// SQLite would lose its POSIX locks where this process closes another handle of the file, as a backup does.
var _, _ = sqlite.OFDLocking(true)

// A witness remembers the journal in the file beside the key: the number and the hash of the last fact, so that
// facts that are lost, or an older copy, are noticed, and when all of it was last checked. It is written after each commit
// and not synced: only a journal that lacks this fact has lost something.
type witness struct {
	Number  int64     `json:"number"`
	Head    string    `json:"head,omitzero"` // in hexadecimal digits
	Checked time.Time `json:"checked,omitzero"`
	// Size and Modified describe the file after a console last wrote into it: another file, or one that another
	// program has written, was not checked.
	Size     int64 `json:"size,omitzero"`
	Modified int64 `json:"modified,omitzero"` // nanoseconds
	// Suspect is set where the journal was found damaged in use: the next start verifies all of it, however large.
	Suspect bool `json:"suspect,omitzero"`
	// Lost tells when a [Loss] was last found, until a person acknowledges it: it stands even where its own file is gone.
	Lost time.Time `json:"lost,omitzero"`
}

const (
	headName   = "journal.head"
	headLength = 320 // more than a witness takes
)

// A memory holds what is known of a journal besides its rows: in files beside it how far it had come, what it has lost and
// the key of its hashes, and in this process what became of it.
type memory struct {
	dir    string // of the journal, or of what this user has of a team's
	path   string // of the file; "" in memory, and for a team's
	beside string // what the names of its files begin with; "" for one in memory, which has none
	head   string // where the witness is
	now    func() time.Time

	witnessing sync.Mutex                         // held while what the witness says is read and replaced
	losses     atomic.Pointer[[]Loss]             // as last read
	key        atomic.Pointer[[]byte]             // of the hashes; nil until it was read
	blocked    atomic.Pointer[ledger.Unavailable] // why nothing can be written until the next start
	newer      atomic.Int64                       // the version of a file that a newer paydesk wrote
}

// ofFile is the memory of the journal in a folder.
func ofFile(dir string, now func() time.Time) *memory {
	if dir == "" {
		return &memory{now: now}
	}
	path := filepath.Join(dir, fileName)
	return &memory{dir: dir, path: path, beside: path, head: filepath.Join(dir, headName), now: now}
}

// ofTeam is the memory of the journal of a team, under a name of its own in the folder of this user.
func ofTeam(dir, name string, now func() time.Time) *memory {
	m := &memory{dir: dir, now: now}
	if dir != "" {
		sum := sha256.Sum256([]byte(name))
		m.beside = filepath.Join(dir, "team-"+hex.EncodeToString(sum[:6]))
		m.head = m.beside + ".head"
	}
	return m
}

// witness reads the file. It is zero where there is none, or where it cannot be read.
func (m *memory) witness() witness {
	w, _ := m.readWitness()
	return w
}

// readWitness reads the file, and says why it cannot be read. One that is empty says nothing yet: it is not synced.
func (m *memory) readWitness() (w witness, err error) {
	text, err := os.ReadFile(m.head)
	text = bytes.Trim(text, "\x00 \n")
	if err == nil && len(text) > 0 && json.Unmarshal(text, &w) != nil {
		return witness{}, errDamaged
	}
	return w, err
}

// remember replaces what the file says. Where it cannot be written, less is noticed later; where it was deleted, it stays
// away, which [memory.compare] notices.
func (m *memory) remember(w witness) {
	if m.beside == "" {
		return
	}
	text, _ := json.Marshal(w)
	f, err := os.OpenFile(m.head, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = fmt.Fprintf(f, "%-*s\n", headLength, text) // in one write, beside those of other consoles
}

// beginWitness creates the file, which says nothing yet. One that another console has created meanwhile stays.
func (m *memory) beginWitness() {
	if f, err := os.OpenFile(m.head, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		f.Close()
	}
}

// is reports whether the journal's file is as a console left it.
func (w *witness) is(path string) bool {
	about, err := os.Stat(path)
	return err == nil && w.Size == about.Size() && w.Modified == about.ModTime().UnixNano()
}

// note remembers what the journal's file is now.
func (w *witness) note(path string) {
	if about, err := os.Stat(path); err == nil {
		w.Size, w.Modified = about.Size(), about.ModTime().UnixNano()
	}
}

// changeWitness changes what the file says.
func (m *memory) changeWitness(change func(*witness)) {
	m.witnessing.Lock()
	defer m.witnessing.Unlock()
	if w, err := m.readWitness(); err == nil { // else what it says would be forgotten
		change(&w)
		m.remember(w)
	}
}

// committed remembers that the journal has come so far. Another console may have gone further meanwhile.
func (m *memory) committed(last head) {
	m.changeWitness(func(w *witness) {
		if last.number >= w.Number {
			w.Number, w.Head = last.number, hex.EncodeToString(last.hash)
		}
	})
}

// passed remembers that the journal passed a check.
func (m *memory) passed() {
	m.changeWitness(func(w *witness) {
		w.Checked, w.Suspect = time.Now(), false
		w.note(m.path)
	})
}

// lost remembers that a [Loss] stands since a time, the zero one for none.
func (m *memory) lost(since time.Time) {
	m.beginWitness()
	m.changeWitness(func(w *witness) { w.Lost = since })
}

// forget forgets how far the journal had come, because another one takes its place.
func (m *memory) forget() { m.changeWitness(func(w *witness) { *w = witness{Lost: w.Lost} }) }

// checkEvery limits how long a journal that passed a check is not checked again.
const checkEvery = 24 * time.Hour

// wasChecked reports whether the journal passed a check a short while ago, since when the machine, which may have lost
// its power, was not started again and only consoles have written the file.
func (m *memory) wasChecked() bool {
	w, up := m.witness(), sinceBoot()
	ago := time.Since(w.Checked)
	return 0 <= ago && ago < checkEvery && (up == 0 || ago < up) && w.is(m.path)
}

// compare finds out that a journal is behind its [witness], or another one than that knows of: the log of the last facts
// was lost, a file is an older copy, a dump was put back, or a standby was promoted without the last facts. So may be one whose
// witness was deleted: it has had one since before it had a key. What is left is sound, so it stays. It returns the head. w was
// read first: another console may commit between the two.
func (m *memory) compare(w witness, t *readTx) (last head, err error) {
	if last, err = t.head(); err != nil || m.beside == "" {
		return last, err
	}
	if w.Number == 0 { // of a journal that was restored, or whose witness is gone: from now on an older one is noticed
		_, unread := m.readWitness()
		isGone := errors.Is(unread, fs.ErrNotExist)
		switch {
		case errors.Is(unread, errDamaged), errors.Is(unread, fs.ErrPermission):
			_ = os.Remove(m.head) // what it said is lost: that of the loss takes its place
			err = m.addLoss(Loss{Why: "the file that tells how far the journal had come cannot be read (" + m.head + ")"})
		case isGone && m.path != "" && exists(m.keyPath()):
			err = m.addLoss(Loss{Why: "the file that tells how far the journal had come was deleted (" + m.head + ")"})
		case isGone:
			m.beginWitness()
		}
		m.committed(last)
		return last, err
	}
	there, err := t.headOf(w.Number)
	if err != nil || hex.EncodeToString(there) == w.Head {
		return last, err
	}
	err = m.addLoss(Loss{From: fromNano(last.at), Why: "the last records of the journal are lost, or it was replaced by an older copy"})
	if err == nil {
		m.forget()
		m.committed(last)
	}
	return last, err
}
