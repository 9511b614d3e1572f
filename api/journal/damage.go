package journal

import (
	"context"
	"os"

	"paydesk/api/statefile"
)

// smallFile is up to which size a journal is verified before it is used. A larger one is
// verified in the background.
var smallFile int64 = 2 << 20 // bytes; takes about 30 ms

// verify checks the file before it is used: at once when it is small or was found damaged, else in the background once it
// is written, unless it passed a short while ago. A command that only reads ends too soon for that, and what it reads is
// checked as it is read.
func (s *file) verify(ctx context.Context) error {
	about, err := os.Stat(s.path)
	if err != nil {
		return err
	}
	if about.Size() == 0 {
		return errDamaged // create renames it only when it is complete
	}
	// Closing it leaves the file and its log as they are, also those that are damaged or of a newer version.
	db := statefile.Open(dsn(s.path, "ro"))
	defer db.Close()
	if err := s.checkVersion(ctx, db); err != nil {
		return err
	}
	if checked := s.wasChecked(); !s.witness().Suspect && (checked || about.Size() > smallFile) {
		s.unchecked = !checked
		return nil
	}
	if err := verifyAll(ctx, db); err != nil {
		return err
	}
	s.passed()
	return nil
}

// verifyAll checks the schema and every page, index and row of a journal of this version.
func verifyAll(ctx context.Context, db Querier) error {
	err := statefile.CheckStructure(ctx, db, "integrity_check")
	if err == nil {
		err = checkSchema(ctx, db)
	}
	if err == nil {
		err = CheckRows(ctx, db)
	}
	if err == nil {
		_, err = readAbout(ctx, db, checkName)
	}
	return err
}

// CheckRows verifies every row of a journal, and the chain of the facts.
func CheckRows(ctx context.Context, db Querier) error {
	for _, p := range parts() {
		check := func(r scanner) error {
			_, err := p.read(r)
			return err
		}
		if err := statefile.ForEach(ctx, db, check, p.selects+"ORDER BY "+p.number); err != nil {
			return err
		}
	}
	return nil
}

// asideName is a name with the time that no file has. The caller holds the folder's lock.
func (s *file) asideName(why string) string {
	name := s.path + "." + why + "-" + s.now().UTC().Format("20060102T150405Z")
	for there, _ := present(name); there != ""; there, _ = present(name) {
		name += "-again"
	}
	return name
}

// An integrityCheck verifies a file in the background. A nil one has found nothing.
type integrityCheck struct {
	ctx    context.Context // its cause is the damage, once that is found
	cancel context.CancelCauseFunc
	done   chan struct{}
}

// startIntegrityCheck starts the check of a file that needs one.
func (s *file) startIntegrityCheck() {
	if !s.unchecked {
		return
	}
	s.unchecked = false
	w := &integrityCheck{done: make(chan struct{})}
	w.ctx, w.cancel = context.WithCancelCause(context.Background())
	go func() {
		defer close(w.done)
		defer func() {
			if recover() != nil { // a panic here would end the console
				w.cancel(errDamaged)
			}
		}()
		db := statefile.Open(dsn(s.path, "ro"))
		defer db.Close()
		err := verifyAll(w.ctx, db)
		w.cancel(err)
		if err == nil {
			s.passed()
		}
	}()
	s.integrity = w
}

// damage returns the damage found so far.
func (w *integrityCheck) damage() error {
	if w != nil && IsDamage(context.Cause(w.ctx)) {
		return context.Cause(w.ctx)
	}
	return nil
}

// stop cancels the check and waits for its end.
func (w *integrityCheck) stop() {
	if w != nil {
		w.cancel(nil)
		<-w.done
	}
}
