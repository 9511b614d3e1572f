package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"paydesk/api/journal"
)

// What takes a journal's memory away, and what copies it.

func (w *world) beside(name string) string { return filepath.Join(w.store.folder()+".beside", name) }

// backup makes a backup, and a copy of the file as a snapshot of the disk has it.
func (c *console) backup(uint64) {
	if os.MkdirAll(c.beside(""), 0o700) != nil {
		return
	}
	os.Remove(c.beside("backup.db"))
	_, err := c.journal.Backup(c.ctx, c.beside("backup.db"))
	_ = copyFiles(c.store.folder(), c.beside(""), "journal.db")
	c.act(Act{Did: "backup", Console: c.name, Done: err == nil})
}

// restore puts the backup in place, as the command does.
func (c *console) restore(arg uint64) {
	if _, err := os.Stat(c.beside("backup.db")); err != nil {
		c.backup(0)
	}
	c.unattended(arg, func() {
		c.lose("restore", func() error {
			j := journal.New(journal.Options{Dir: c.store.folder()})
			defer j.Close()
			_, err := j.Restore(c.t.Context(), c.beside("backup.db"))
			return err
		})
	})
}

// lose does something to the file, with an export before and after.
func (w *world) lose(how string, do func() error) {
	w.export()
	err := do()
	w.act(Act{Did: how, Done: err == nil})
	w.store.renew()
	w.lostAt = len(w.requests)
	w.export()
}

// unattended does something to the file, in half of all cases while no console uses it.
func (w *world) unattended(arg uint64, do func()) {
	if arg%2 > 0 {
		do()
		return
	}
	for _, c := range slices.Clone(w.consoles) {
		if c != nil && !c.isStopped() {
			c.leave()
		}
	}
	do()
	for i := range w.consoles {
		w.start(i)
	}
}

// older puts the last snapshot of the file in its place.
func (w *world) older() {
	if _, err := os.Stat(w.beside("journal.db")); err != nil {
		return
	}
	w.lose("older", func() error {
		w.unlinkLog()
		if err := copyFiles(w.beside(""), w.store.folder()+".new", "journal.db"); err != nil {
			return err
		}
		return os.Rename(filepath.Join(w.store.folder()+".new", "journal.db"), filepath.Join(w.store.folder(), "journal.db"))
	})
}

func (w *world) remove() {
	w.lose("delete", func() error {
		w.unlinkLog()
		return os.Remove(filepath.Join(w.store.folder(), "journal.db"))
	})
}

func (w *world) unlinkLog() {
	for _, end := range []string{"-wal", "-shm"} {
		os.Remove(filepath.Join(w.store.folder(), "journal.db"+end))
	}
}

// damage changes one row, as a bit on the disk or an editor does.
func (w *world) damage() {
	w.lose("damage", func() error {
		name := filepath.Join(w.store.folder(), "journal.db")
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(name, []byte(strings.Replace(string(b), "accepted", "acceqted", 1)), 0o600)
	})
}

// lock has another program lock the file, for longer than anybody waits for it.
func (w *world) lockFile() {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(w.store.folder(), "journal.db")+"?_txlock=immediate")
	if err != nil {
		return
	}
	tx, err := db.Begin()
	if err == nil {
		w.act(Act{Did: "file is locked"})
		w.pass(30 * time.Second)
		_ = tx.Rollback()
	}
	db.Close()
}
