package journal

import (
	"context"
	"crypto/hmac"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"time"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// A Restoration tells what putting a backup in place of the journal means.
type Restoration struct {
	Backup Contents
	// Missing counts the attempts of the present journal that are not in the backup, and
	// MissingUnresolved those of them that are unresolved.
	Missing, MissingUnresolved int
	Unreadable                 bool   // the present journal cannot be compared
	Key                        string // why nothing can be sent with the key that is there; "" when it fits
	SetAside                   string // where the present journal is now, or what a deleted one left; "" when there was none
}

// CompareBackup verifies a backup and compares it with the journal; it changes nothing.
func (j *Journal) CompareBackup(ctx context.Context, from string) (r Restoration, err error) {
	if r.Backup, err = j.checkBackup(ctx, from); err != nil {
		return r, backupError(from, err)
	}
	if r.Key, err = j.keyOf(r.Backup); err != nil {
		return r, unavailable(j.keyPath(), err)
	}
	if _, err := os.Stat(j.path); err != nil {
		return r, nil
	}
	db := statefile.Open(dsn(j.path, "ro"))
	defer db.Close()
	present, err := contents(ctx, db)
	r.Unreadable = err != nil
	for id, open := range present.ids {
		if _, kept := r.Backup.ids[id]; !kept {
			if r.Missing++; open {
				r.MissingUnresolved++
			}
		}
	}
	return r, nil
}

// backupError words an error of the file of a backup.
func backupError(from string, err error) error {
	if ledger.IsRejection(err) {
		return err
	}
	why := "The backup cannot be read"
	_, newer := errors.AsType[*ledger.Unavailable](err)
	switch {
	case newer:
		why = "The backup was written by a newer version of paydesk"
	case err == errEarlier:
		why = "The backup was written by an earlier version of paydesk, and this one cannot read it"
	case IsDamage(err):
		why = "This is not a valid backup of a journal: it is damaged, or was not made with paydesk journal backup"
	case errors.Is(err, fs.ErrPermission):
		why = "You do not have permission to read the backup"
	}
	return &ledger.Unavailable{Why: why + ". Nothing was changed. (" + from + ")", Err: err}
}

// keyOf says why the key beside the journal is not the one of a backup.
func (j *Journal) keyOf(backup Contents) (string, error) {
	if !backup.hashed {
		return "", nil
	}
	const then = " Nothing can be sent until the file that belongs to this backup is there."
	switch key, err := readKey(j.keyPath()); {
	case errors.Is(err, fs.ErrNotExist):
		return "The key file is missing: " + j.keyPath() + "." + then, nil
	case err != nil:
		return "", err
	case !hmac.Equal(backup.keyCheck, keyCheck(key)):
		return "The key file belongs to another journal: " + j.keyPath() + ". Keep it with that one." + then, nil
	}
	return "", nil
}

// Restore verifies a backup, sets the present journal aside under a name with the time, and puts a copy
// of the backup in its place. Consoles that run notice with their next use of the journal. Nothing is
// deleted. What the backup lacks is a [Loss]. It is rejected while a console waits for an answer.
func (j *Journal) Restore(ctx context.Context, from string) (Restoration, error) {
	if err := statefile.MakeDir(j.opts.Dir); err != nil {
		return Restoration{}, unavailable(j.path, err)
	}
	release, err := statefile.LockDir(j.path + ".lock")
	if err != nil {
		return Restoration{}, unavailable(j.path, err)
	}
	defer release()
	r, err := j.CompareBackup(ctx, from)
	if err != nil {
		return r, err
	}
	part := j.path + ".restore"
	statefile.RemoveDatabase(part) // left by a crash
	defer statefile.RemoveDatabase(part)
	if err := os.WriteFile(part, nil, 0o600); err != nil {
		return r, unavailable(j.path, err)
	}
	if _, err := j.copyChecked(ctx, immutable(from), part); err != nil {
		switch statefile.CauseOf(err) {
		case statefile.DiskFull, statefile.ReadOnly, statefile.Forbidden, statefile.CannotOpen, statefile.Locked, statefile.TooLate: // the backup could be read a moment ago
			return r, unavailable(j.path, err)
		}
		return r, backupError(from, err)
	}
	if r.SetAside, err = j.replaceBy(ctx, part, r.Backup.Newest); err != nil {
		return r, unavailable(j.path, err)
	}
	return r, nil
}

// replaceBy sets the journal aside and renames a file to its name: what was recorded since its newest record is a
// [Loss]. The caller holds the folder's lock.
func (j *Journal) replaceBy(ctx context.Context, part string, newest time.Time) (aside string, err error) {
	if _, err := os.Stat(j.path); err == nil {
		idle, err := j.whileIdle(ctx)
		if err != nil {
			return "", err
		}
		if runtime.GOOS == "windows" {
			idle() // no open file can be renamed there, not even by who opened it; nor one that a console uses
		} else {
			defer idle()
		}
	}
	return j.file.replace(Loss{From: newest, Why: "a backup was put in place of the journal"}, "replaced", func() error {
		if err := os.Rename(part, j.path); err != nil {
			return err
		}
		return statefile.SyncDir(j.opts.Dir)
	})
}

// whileIdle holds the journal's write lock, so that no console is in the middle of a record, until end
// is called. A damaged journal cannot be locked, and need not be: nothing is recorded in it.
func (j *Journal) whileIdle(ctx context.Context) (end func(), err error) {
	db := statefile.Open(dsn(j.path, "rw"))
	_, _ = db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)") // so that the file alone is whole
	tx, err := db.BeginTx(ctx, nil)
	if IsDamage(err) {
		return func() { db.Close() }, nil
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	end = func() {
		tx.Rollback()
		db.Close()
	}
	t := j.reader(ctx, tx, At{})
	sent, err := t.entries("attempts", "WHERE outcome = 'sent'")
	for _, r := range sent {
		if !t.console().IsLost(r) {
			err = ledger.Rejected("A console waits for the answer to attempt " + string(r.ID) +
				", which would be lost. Nothing was changed: try again in a minute.")
		}
	}
	if err != nil && !IsDamage(err) {
		end()
		return nil, err
	}
	return end, nil
}
