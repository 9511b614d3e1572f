package journal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// open opens the journal for writing.
func (s *file) open(ctx context.Context) (err error) {
	if s.path != "" {
		err = s.openFile(ctx)
	} else {
		s.db = statefile.Open(dsn("journal", "memory"))
		err = tables().Create(ctx, s.db)
	}
	return err
}

// openFile locks the folder, so that consoles that start together do not both create the file or
// set it aside.
func (s *file) openFile(ctx context.Context) error {
	if err := statefile.MakeDir(s.dir); err != nil {
		return err
	}
	release, err := statefile.LockDir(s.path + ".lock")
	if err != nil {
		return err
	}
	defer release()
	if err := s.ensureFile(ctx); err != nil {
		return err
	}
	if err := s.connect(ctx); err != nil {
		return err
	}
	w := s.witness() // so that a journal that is only read is compared as well
	if _, err := s.compare(w, &readTx{ctx: ctx, q: s.db}); err != nil {
		return err
	}
	return s.loadKey(ctx, s.db) // a new journal gets its key last
}

// ensureFile creates the file when it is missing, and sets it aside and creates another when
// it is damaged or of an earlier version. The caller holds the folder's lock.
func (s *file) ensureFile(ctx context.Context) error {
	_, err := os.Stat(s.path)
	isGone := errors.Is(err, fs.ErrNotExist)
	if err == nil {
		err = s.prepare(ctx)
	}
	var lost Loss
	word := "found"
	switch {
	case isGone && !s.existed():
	case isGone:
		lost.Why = "the journal was deleted or moved away"
	case err == errEarlier:
		lost.Why, word = "an earlier paydesk wrote the journal, this one cannot read it, and a new one was started", "earlier"
	case IsDamage(err):
		lost.Why, word = "the journal was damaged, and a new one was started", "damaged"
	default:
		return err
	}
	_, err = s.replace(lost, word, func() error { return s.create(ctx) })
	return err
}

// replace calls put, which puts another file in the place of the journal. The one that is there, or what it left, is kept under
// a name with a word and the time. lost is what the other one lacks, and is recorded first, unless there was none before. The
// caller holds the folder's lock.
func (s *file) replace(lost Loss, word string, put func() error) (kept string, err error) {
	aside := s.asideName(word)
	there, err := present(s.path)
	switch {
	case err != nil:
		return "", err
	case there != "" && lost.Why == "": // since it was looked for
		return "", &ledger.Unavailable{Why: "Another program has just put a file in the place of the journal. Try again. (" + there + ")"}
	case there != "":
		lost.Kept = aside + strings.TrimPrefix(there, s.path)
	}
	if lost.Why != "" {
		if err := s.addLoss(lost); err != nil {
			return "", err
		}
	}
	if lost.Kept != "" {
		if err := statefile.RenameDatabase(s.path, aside); err != nil {
			return "", err
		}
	}
	s.forget()
	return lost.Kept, put()
}

// present returns the name of a database, or where it is gone of what it left: its log holds what was last recorded, and SQLite
// would apply it to another database. It is "" where there is nothing.
func present(path string) (name string, err error) {
	for _, end := range []string{"", "-wal", "-journal", "-shm"} {
		_, err := os.Stat(path + end)
		if err == nil {
			return path + end, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", nil
}

// prepare makes an existing file fit for use, and checks it.
func (s *file) prepare(ctx context.Context) error {
	if err := statefile.CheckDatabase(s.path); err != nil {
		return err
	}
	if err := statefile.RollBack(ctx, s.path); err != nil {
		return err
	}
	return s.verify(ctx)
}

// create creates the file.
func (s *file) create(ctx context.Context) error {
	return statefile.CreateDatabase(s.path, func(part string) error {
		db := statefile.Open(dsn(part, "rw"))
		return errors.Join(tables().Create(ctx, db), db.Close())
	})
}

// connect opens the file for writing. Commits go into a log beside it where the disk is one of this machine.
func (s *file) connect(ctx context.Context) (err error) {
	if s.about, err = os.Stat(s.path); err != nil {
		return err
	}
	mode := "delete"
	if s.near = s.isLocal(s.dir); s.near {
		mode = "wal"
	}
	s.db = statefile.Open(dsn(s.path, "rw"))
	chosen, err := statefile.Pragma[string](ctx, s.db, "journal_mode("+mode+")")
	if err == nil && chosen != mode { // another program has the file open
		return &ledger.Unavailable{Why: "Another program uses the journal in a mode that is not safe on this disk. " +
			"Close that program and try again."}
	}
	return err
}

// checkVersion rejects a file of another version.
func (s *file) checkVersion(ctx context.Context, db Querier) error {
	v, err := statefile.Pragma[int](ctx, db, "user_version")
	if v > currentVersion {
		return &ledger.Unavailable{Why: newerText + " (" + s.path + ")", Err: newerVersion(v)}
	}
	if err == nil && v < currentVersion {
		return errEarlier
	}
	return err
}

// newerVersion is the version of a file that a newer paydesk wrote.
type newerVersion int64

func (newerVersion) Error() string { return "the journal was written by a newer version" }

const newerText = "The journal was written by a newer version of paydesk. " +
	"Use that version, or choose another folder with --state-dir."
