package journal

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// Contents count what a journal or its backup holds.
type Contents struct {
	Attempts, Unresolved, Facts int
	Oldest, Newest              time.Time // attempts; zero without any

	ids      map[ledger.ID]bool // true for an attempt that is unresolved
	hashed   bool               // of a backup: some rows hold keyed hashes,
	keyCheck []byte             // and this tells their key
}

// Backup copies the journal to a new file while consoles use it, checks every row of the copy, and
// returns what is in it. It replaces no file: to must not exist. The key of the hashes is not in it.
//
// SQLite's backup interface copies the pages as they are, in one step, while others read and write;
// VACUUM INTO would build every index again.
func (j *Journal) Backup(ctx context.Context, to string) (Contents, error) {
	if _, err := os.Stat(j.path); errors.Is(err, fs.ErrNotExist) {
		return Contents{}, ledger.Rejected("There is no journal to back up in " + j.opts.Dir + ".")
	}
	if _, err := os.Lstat(to); err == nil {
		return Contents{}, ledger.Rejected("A file with this name already exists; nothing was written: " + to)
	}
	temp, err := os.CreateTemp(filepath.Dir(to), ".paydesk-*.part") // O_EXCL, 0600
	if err != nil {
		return Contents{}, errCannotWrite(to, err)
	}
	part := temp.Name()
	defer statefile.RemoveDatabase(part)
	defer temp.Close()
	found, err := j.copyChecked(ctx, dsn(j.path, "ro"), part)
	switch {
	case statefile.CauseOf(err) == statefile.DiskFull: // the journal is only read
		return Contents{}, errCannotWrite(to, err)
	case err != nil:
		return Contents{}, unavailable(j.path, err)
	}
	err = errors.Join(temp.Sync(), temp.Close())
	if err == nil {
		err = statefile.MoveTo(part, to, os.Link)
	}
	if err == nil {
		err = statefile.SyncDir(filepath.Dir(to))
	}
	if err != nil {
		return Contents{}, errCannotWrite(to, err)
	}
	return found, nil
}

func errCannotWrite(to string, err error) error {
	return &ledger.Unavailable{Why: "The backup cannot be written. Check the folder, its permissions and the free space: " + to, Err: err}
}

// copyChecked copies a journal into an empty file, and checks every row of the copy.
func (j *Journal) copyChecked(ctx context.Context, source, part string) (Contents, error) {
	had, err := j.copyTo(ctx, source, part)
	if err != nil {
		return Contents{}, err
	}
	found, err := j.checkBackup(ctx, part)
	if err == nil && (found.Attempts != had.Attempts || found.Facts != had.Facts) {
		err = errDamaged
	}
	return found, err
}

// copyTo copies the pages of a journal into an empty file, and returns what the journal held then.
func (j *Journal) copyTo(ctx context.Context, source, part string) (Contents, error) {
	db := statefile.Open(source)
	defer db.Close()
	if err := j.file.checkVersion(ctx, db); err != nil {
		return Contents{}, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return Contents{}, err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil { // what is counted is what is copied
		return Contents{}, err
	}
	had, err := contents(ctx, conn)
	if err != nil {
		return Contents{}, err
	}
	if err := conn.Raw(func(driver any) error { return copyPages(driver, part) }); err != nil {
		return Contents{}, err
	}
	// The copy is in the mode of a journal in use. That ends: it is then one file.
	alone := statefile.Open(dsn(part, "rw"))
	_, err = statefile.Pragma[string](ctx, alone, "journal_mode(delete)")
	return had, errors.Join(err, alone.Close())
}

// copyPages runs SQLite's backup from a connection of the driver into a file.
func copyPages(driver any, part string) error {
	from, ok := driver.(interface {
		NewBackup(string) (*sqlite.Backup, error)
	})
	if !ok {
		return errors.New("the driver makes no backups")
	}
	b, err := from.NewBackup(dsn(part, "rw"))
	if err != nil {
		return err
	}
	_, err = b.Step(-1)
	return errors.Join(err, b.Finish())
}

// immutable is the source of a file that no process writes. Nothing is created beside it.
func immutable(path string) string { return dsn(path, "ro") + "&immutable=1" }

// checkBackup verifies every page, index and row of a file that no process writes.
func (j *Journal) checkBackup(ctx context.Context, path string) (Contents, error) {
	switch about, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return Contents{}, ledger.Rejected("There is no such file: " + path)
	case err != nil:
		return Contents{}, err
	case !about.Mode().IsRegular():
		return Contents{}, ledger.Rejected("This is not a file: " + path)
	}
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		return Contents{}, ledger.Rejected("This is a journal in use, and no backup: " + path)
	}
	db := statefile.Open(immutable(path))
	defer db.Close()
	if err := j.file.checkVersion(ctx, db); err != nil {
		return Contents{}, err
	}
	if err := verifyAll(ctx, db); err != nil {
		return Contents{}, err
	}
	found, err := contents(ctx, db)
	if err != nil {
		return Contents{}, err
	}
	if found.hashed, err = hasHashes(ctx, db); err == nil {
		found.keyCheck, err = readAbout(ctx, db, checkName)
	}
	return found, err
}

// contents counts.
func contents(ctx context.Context, q Querier) (c Contents, err error) {
	c.ids = map[ledger.ID]bool{}
	err = statefile.ForEach(ctx, q, func(rows *sql.Rows) error {
		var id, outcome, decision string
		var at int64
		if err := rows.Scan(&id, &at, &outcome, &decision); err != nil {
			return err
		}
		open := ledger.Attempt{Outcome: ledger.Outcome(outcome), Decision: ledger.Decision(decision)}.IsUnresolved()
		c.ids[ledger.ID(id)] = open
		if c.Attempts++; open {
			c.Unresolved++
		}
		if c.Newest = fromNano(at); c.Oldest.IsZero() {
			c.Oldest = c.Newest
		}
		return nil
	}, "SELECT id, at, outcome, verdict FROM attempts ORDER BY at")
	if err == nil {
		err = q.QueryRowContext(ctx, "SELECT count(*) FROM facts").Scan(&c.Facts)
	}
	return c, err
}
