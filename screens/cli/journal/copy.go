package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// Copy brings the journal of one user into that of a team, which must be empty. The file stays as it is. What it may be
// missing is read before: the team would not learn of it.
//
// What is copied is a copy in the journal's folder: it is one state of the file, which consoles may go on using, it is
// brought up to this version where it is older, and every page and row of it is checked before anything is written.
func (c Upkeep) Copy(ctx context.Context, t Team, file string, key journal.KeyFile) (err error) {
	if file, err = filepath.Abs(file); err != nil {
		return err
	}
	if about, err := os.Stat(file); err != nil || !about.Mode().IsRegular() {
		return errors.New("there is no journal in " + file + "; nothing was copied")
	}
	if all := journal.New(journal.Options{Dir: filepath.Dir(file)}).Losses(); len(all) > 0 { // a team's journal would not say it
		return errors.New(all[0].Words() + " Nothing was copied: read that first with paydesk journal acknowledge")
	}
	if err := statefile.MakeDir(c.State); err != nil {
		return err
	}
	folder, err := os.MkdirTemp(c.State, "copy-") // 0700
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := snapshot(ctx, file, filepath.Join(folder, "journal.db")); err != nil {
		return errors.New(file + " cannot be read, or is no journal; nothing was copied")
	}
	if err := handOver(key, journal.KeyIn(folder), file); err != nil {
		return err
	}
	if err := prepare(ctx, folder, file); err != nil {
		return err
	}
	done, err := t.Copy(ctx, filepath.Join(folder, "journal.db"))
	if err != nil {
		return err
	}
	c.say(fmt.Sprintf("Copied to %s: %s, %s and %s about them. Every row was read back and compared.", t.Name(),
		count(done.Attempts, "attempt", "attempts"), count(done.Payments, "looked-up or pinned payment", "looked-up or pinned payments"),
		count(done.Facts, "fact", "facts")))
	c.say("The file stays as it is: " + file + ". What a console still records in it is not in the team's journal.")
	return nil
}

// snapshot writes one state of a journal into a new file. The file that is read is not changed.
func snapshot(ctx context.Context, from, to string) error {
	db := statefile.Open(statefile.Source(from, "ro", "busy_timeout(5000)"))
	defer db.Close()
	_, err := db.ExecContext(ctx, "VACUUM INTO ?", to)
	if err == nil {
		err = os.Chmod(to, 0o600)
	}
	return err
}

// handOver puts the key of the team beside the copy of a journal.
func handOver(key, to journal.KeyFile, file string) error {
	var text bytes.Buffer
	if err := key.Export(&text); errors.Is(err, fs.ErrNotExist) {
		return wrongKey("there is no key of the team yet", file)
	} else if err != nil {
		return err
	}
	defer clear(text.Bytes())
	_, err := to.Import(&text, false, time.Now())
	return err
}

// wrongKey is the error of a journal whose hashes the team's key did not make.
func wrongKey(why, file string) error {
	return fmt.Errorf("%s; nothing was copied, as customers who have paid would not be recognised. Take the key of the file for the team's: "+
		"paydesk journal key import %s", why, journal.KeyIn(filepath.Dir(file)))
}

// prepare checks every page and row of the copy of a journal, brings it up to this version, and makes sure that nothing
// in it is about to change.
func prepare(ctx context.Context, folder, file string) error {
	path := filepath.Join(folder, "journal.db")
	j := journal.New(journal.Options{Dir: folder, Retention: forever})
	defer j.Close()
	found, err := j.CompareBackup(ctx, path)
	switch {
	case err != nil:
		return errors.New(strings.ReplaceAll(err.Error(), path, file))
	case found.Key != "":
		return wrongKey("the key of the team is not the one that the file was written with", file)
	}
	if err := j.Check(ctx); err != nil {
		return err
	}
	all, err := j.Statistics(ctx)
	if err != nil {
		return err
	}
	for _, g := range all.Groups {
		if g.Outcome == ledger.Sent {
			return errors.New("a console waits for the answer to what it sent; nothing was copied. Try again when the answer is there")
		}
	}
	return nil
}
