package journal

import (
	"context"
	"database/sql"
	"os"

	"paydesk/api/statefile"
)

// smallFile is up to which size a journal is verified before it is used. A larger one is
// verified in the background.
var smallFile int64 = 2 << 20 // bytes; takes about 30 ms

// verify checks the file before it is used, unless it is one that passed before: at once when it is small
// or was found damaged, else in the background.
func (j *Journal) verify(ctx context.Context) error {
	about, err := os.Stat(j.path)
	if err != nil {
		return err
	}
	if about.Size() == 0 {
		return errDamaged // create renames it only when it is complete
	}
	_, err = os.Stat(j.suspectPath())
	switch suspect := err == nil; {
	case suspect:
		return j.verifyFile(ctx)
	case about.Size() > smallFile:
		j.integrity = j.startIntegrityCheck()
		return nil
	}
	return j.verifyOnce(ctx)
}

// verifyFile checks the schema and every page, index and row of the file, whatever is remembered.
func (j *Journal) verifyFile(ctx context.Context) error {
	return j.verifySource(ctx, dsn(j.path, false, false))
}

func (j *Journal) verifySource(ctx context.Context, source string) error {
	db := statefile.Open(source)
	defer db.Close()
	return j.verifyRows(ctx, db)
}

func (j *Journal) verifyRows(ctx context.Context, db querier) error {
	v, err := j.checkableVersion(ctx, db)
	if err != nil {
		return err
	}
	if err := checkStructure(ctx, db); err != nil {
		return err
	}
	if v == currentVersion { // an upgrade creates what an older one lacks
		if err := checkSchema(ctx, db); err != nil {
			return err
		}
	}
	if v >= 4 {
		if err := checkDerived(ctx, db); err != nil {
			return err
		}
	}
	for _, name := range []string{checkName, progressName} {
		if _, err := readFact(ctx, sqliteQuerier{db}, name); err != nil {
			return err
		}
	}
	return checkRows(ctx, db, v)
}

// checkRows verifies the checksum of every row of a file of a version.
func checkRows(ctx context.Context, db querier, version int) error {
	tables, err := tablesOf(ctx, db, version)
	if err != nil {
		return err
	}
	for query, r := range tables {
		if err := statefile.ForEach(ctx, db, func(rows *sql.Rows) error { return scan(rows, r) }, query); err != nil {
			return err
		}
	}
	return nil
}

// checkableVersion is the version of a file: a backup may be of version 2, 3 or 4, a journal in use was
// upgraded before.
func (j *Journal) checkableVersion(ctx context.Context, db querier) (int, error) {
	v, err := statefile.Pragma[int](ctx, db, "user_version")
	if err == nil && v < 2 || err == nil && v > currentVersion {
		err = j.checkVersion(ctx, db)
	}
	return v, err
}

// tablesOf are the queries of all rows of a file of a version, each with a row to scan into.
func tablesOf(ctx context.Context, db querier, version int) (map[string]tableRow, error) {
	names, err := readStrings(ctx, db, tableColumns("attempts")) // the first files of version 2 have fewer
	if err != nil {
		return nil, err
	}
	attempt := &oldRow{new(row), names}
	tables := map[string]tableRow{
		"SELECT " + columnNames(attempt) + " FROM attempts": attempt,
		attemptEvents.selects:                               &eventRow{table: attemptEvents},
	}
	if version >= 3 {
		tables[selectLookups()], tables[lookupEvents.selects] = new(lookupRow), &eventRow{table: lookupEvents}
	}
	if version >= 5 {
		tables[selectPins()] = new(pinRow)
	}
	return tables, nil
}

// checkStructure checks every page and index.
func checkStructure(ctx context.Context, db querier) error {
	result, err := statefile.Pragma[string](ctx, db, "integrity_check(1)")
	if err == nil && result != "ok" {
		err = errDamaged
	}
	return err
}

// asideName is a name with the time that no file has. The caller holds the folder's lock.
func (j *Journal) asideName(why string) string {
	name := j.path + "." + why + "-" + j.opts.Now().UTC().Format("20060102T150405Z")
	for _, err := os.Stat(name); err == nil; _, err = os.Stat(name) {
		name += "-again"
	}
	return name
}

// setAside renames the file, and SQLite's files beside it. The caller holds the folder's lock.
func (j *Journal) setAside(name string) error {
	if err := statefile.RenameDatabase(j.path, name); err != nil {
		return err
	}
	os.Remove(j.suspectPath())
	os.Remove(sumsPath(j.path))
	return nil
}

// suspectPath is a marker file: the journal was found damaged while it was in use, so the next
// start verifies all of it, however large it is.
func (j *Journal) suspectPath() string { return j.path + ".suspect" }

func (j *Journal) markSuspect() {
	if j.path != "" {
		_ = os.WriteFile(j.suspectPath(), nil, 0o600)
	}
}

// An integrityCheck verifies a file in the background. A nil one has found nothing.
type integrityCheck struct {
	ctx    context.Context // its cause is the damage, once that is found
	cancel context.CancelCauseFunc
	done   chan struct{}
}

func (j *Journal) startIntegrityCheck() *integrityCheck {
	w := &integrityCheck{done: make(chan struct{})}
	w.ctx, w.cancel = context.WithCancelCause(context.Background())
	go func() {
		defer close(w.done)
		defer func() {
			if recover() != nil { // a panic here would end the console
				w.cancel(errDamaged)
			}
		}()
		w.cancel(j.verifyOnce(w.ctx))
	}()
	return w
}

// damage returns the damage found so far.
func (w *integrityCheck) damage() error {
	if w != nil && isDamage(context.Cause(w.ctx)) {
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
