package journal

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
)

// smallFile is how large a journal may be to be looked through before it is used. A
// larger one is looked through behind, while it is used.
var smallFile int64 = 2 << 20 // bytes; 30 ms

// verify looks through the file before it is used: all of it when it is small or was found
// damaged before, else its head.
func (j *Journal) verify(ctx context.Context) error {
	about, err := os.Stat(j.path)
	if err != nil {
		return err
	}
	if about.Size() == 0 {
		return errDamaged // it is given its name only when it is whole
	}
	_, err = os.Stat(j.suspectPath())
	if about.Size() > smallFile && err != nil {
		j.integrity = startIntegrityCheck(j.path)
		return nil
	}
	return verifyFile(ctx, j.path)
}

// verifyFile looks at every page, index and row of a file.
func verifyFile(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", dsn(path, false, false))
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	v, err := schemaVersion(ctx, db)
	if err != nil {
		return err
	}
	if v > currentVersion {
		return &Unavailable{Why: newerText + " (" + path + ")"}
	}
	var said string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		return errDamaged
	}
	if v < currentVersion {
		return errDamaged
	}
	if _, err := readKey(ctx, db); err != nil {
		return err
	}
	return verifyRows(ctx, db)
}

// verifyRows checks that every row is what was written.
func verifyRows(ctx context.Context, db *sql.DB) error {
	var r row
	var e eventRow
	for _, table := range []struct {
		question string
		n        *int64
		cols     []column
	}{
		{"SELECT " + attemptColumns + " FROM attempts", &r.n, r.columns()},
		{"SELECT " + eventColumns + " FROM events", &e.n, e.columns()},
	} {
		rows, err := db.QueryContext(ctx, table.question)
		if err != nil {
			return err
		}
		for rows.Next() {
			if err := scan(rows, table.n, table.cols); err != nil {
				rows.Close()
				return err
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return err
		}
	}
	return nil
}

// setAside keeps a damaged file, and what SQLite has beside it, under a name with the
// time (R101). The folder is held.
func (j *Journal) setAside() error {
	name := j.path + ".damaged-" + j.opts.Now().UTC().Format("20060102T150405Z")
	for _, err := os.Stat(name); err == nil; _, err = os.Stat(name) {
		name += "-again"
	}
	for _, end := range []string{"-wal", "-shm", "-journal", ""} { // the file last: it may be tried again
		if err := os.Rename(j.path+end, name+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	os.Remove(j.suspectPath())
	j.backup.Store(&name)
	return syncDir(j.opts.Dir)
}

// suspectPath is a file that says that the journal was found damaged while it was in use,
// so that the next start looks through all of it however large it is.
func (j *Journal) suspectPath() string { return j.path + ".suspect" }

func (j *Journal) markSuspect() {
	if j.path == "" {
		return
	}
	if f, err := os.OpenFile(j.suspectPath(), os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		f.Close()
	}
}

// A integrityCheck looks through a file behind the work. A nil watch has found nothing.
type integrityCheck struct {
	cancel context.CancelFunc
	done   chan struct{}
	err    error // once over is closed
}

func startIntegrityCheck(path string) *integrityCheck {
	ctx, stop := context.WithCancel(context.Background())
	w := &integrityCheck{cancel: stop, done: make(chan struct{})}
	go func() {
		defer close(w.done)
		defer func() {
			if recover() != nil { // nobody else would: it would end the console
				w.err = errDamaged
			}
		}()
		if err := verifyFile(ctx, path); isDamage(err) {
			w.err = err
		}
	}()
	return w
}

// damage is the damage that was found so far.
func (w *integrityCheck) damage() error {
	if w == nil {
		return nil
	}
	select {
	case <-w.done:
		return w.err
	default:
		return nil
	}
}

// stop stops looking and waits until nobody does.
func (w *integrityCheck) stop() {
	if w == nil {
		return
	}
	w.cancel()
	<-w.done
}
