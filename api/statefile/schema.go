package statefile

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
)

// A Schema creates the tables of a database whose file is missing. The file stores the version as its user_version.
type Schema struct {
	SQL     string
	Version int
}

// MB is a megabyte, as the configuration counts them.
const MB = 1_000_000

// Options say where a database is and how large it may become.
type Options struct {
	// Dir is the folder of the file, created with mode 0700 when it is missing; "" keeps it in memory, for the demo and for
	// tests.
	Dir   string
	Limit int64            // bytes; 0 means the default
	Now   func() time.Time // nil means time.Now
}

// WithDefaults fills in the options that are not set.
func (o Options) WithDefaults(limit int64) Options {
	if o.Limit <= 0 {
		o.Limit = limit
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// vacuum lets a database give space back to the disk.
const vacuum = "auto_vacuum(INCREMENTAL)"

// OpenMemory opens a database in memory with the tables.
func (s Schema) OpenMemory(ctx context.Context, name string) (*sql.DB, error) {
	db := Open(Source(name, "memory", vacuum))
	if err := s.Create(ctx, db); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// OpenFile opens a database for writing, and creates it where it is missing. It rejects one of another version, and one whose
// structure is damaged, which takes a while to see: not of the file that was checked before, nil for none. It returns the one
// that it opened, to be checked no more. isLocal is [IsLocal], but in tests.
func (s Schema) OpenFile(ctx context.Context, path string, isLocal func(dir string) bool, before os.FileInfo, pragmas ...string) (db *sql.DB, checked os.FileInfo, err error) {
	if err := s.ensure(ctx, path); err != nil {
		return nil, nil, err
	}
	if checked, err = os.Stat(path); err != nil {
		return nil, nil, err
	}
	db = Open(Writable(path, isLocal(filepath.Dir(path)), pragmas...)) // only now is known what disk the folder is on
	if err = s.checkVersion(ctx, db); err == nil && (before == nil || !os.SameFile(before, checked)) {
		err = CheckStructure(ctx, db, "quick_check")
	}
	if err != nil {
		db.Close()
		return nil, nil, err
	}
	return db, checked, nil
}

// ensure creates a database where it is missing, and its folder, and rejects loose modes of one that is there. It
// locks the folder, so that programs that start together do not both create it.
func (s Schema) ensure(ctx context.Context, path string) error {
	if err := MakeDir(filepath.Dir(path)); err != nil {
		return err
	}
	release, err := LockDir(path + ".lock")
	if err != nil {
		return err
	}
	defer release()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, CheckDatabase(path))
	}
	return CreateDatabase(path, func(part string) error {
		db := Open(Source(part, "rw", vacuum))
		return errors.Join(s.Create(ctx, db), db.Close())
	})
}

// Create writes the tables into an empty database.
func (s Schema) Create(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA user_version = %d", s.SQL, s.Version)); err != nil {
		return err
	}
	return tx.Commit()
}

// checkVersion rejects a file of another version than the schema's.
func (s Schema) checkVersion(ctx context.Context, q Querier) error {
	v, err := Pragma[int](ctx, q, "user_version")
	switch {
	case err == nil && v > s.Version:
		err = errNewer
	case err == nil && v < s.Version: // an empty file, too: it is renamed only when it is complete
		err = ErrDamaged
	}
	return err
}

// Read calls f with a database as it is at one moment, also where neither it nor its folder can be written.
func (s Schema) Read(ctx context.Context, path string, f func(Querier) error) error {
	if err := CheckDatabase(path); err != nil {
		return err
	}
	return Read(ctx, path, Source(path, "ro", "busy_timeout(5000)", "query_only(1)"), func(source string) error { return s.readFrom(ctx, source, f) })
}

// Read calls f with the source of a database that is only read, and with another one where neither it nor its folder can be
// written.
func Read(ctx context.Context, path, source string, f func(source string) error) error {
	err := f(source)
	if cause := CauseOf(err); cause != CannotOpen && cause != ReadOnly {
		return err
	}
	missing := func(end string) bool {
		_, err := os.Stat(path + end)
		return errors.Is(err, fs.ErrNotExist)
	}
	switch {
	case !missing("-journal"): // half of a transaction, which as immutable would be read as it is
		release, locked := LockDir(path + ".lock")
		if locked != nil {
			return locked
		}
		err = RollBack(ctx, path)
		if release(); err == nil {
			err = f(source)
		}
	case missing("-wal"): // no program writes. In a folder without write permission, SQLite opens a file only as immutable.
		err = f(source + "&immutable=1")
	}
	return err
}

func (s Schema) readFrom(ctx context.Context, source string, f func(Querier) error) error {
	db := Open(source)
	defer db.Close()
	if err := s.checkVersion(ctx, db); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // what is read is of one moment
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return f(tx)
}

// CheckStructure rejects a file whose structure is damaged: SQLite's quick_check looks at the tables, its integrity_check also
// at what the indexes have of them.
func CheckStructure(ctx context.Context, q Querier, check string) error {
	result, err := Pragma[string](ctx, q, check+"(1)")
	if err == nil && result != "ok" {
		err = ErrDamaged
	}
	return err
}

// Afresh calls f, and once more where it finds the database damaged, which is set aside first: it returns its new name then.
func Afresh(path string, f func() error) (aside string, err error) {
	seen, _ := os.Stat(path)
	if err = f(); path == "" || CauseOf(err) != Damaged {
		return "", err
	}
	if aside, err = setAside(path, seen); err == nil {
		err = f()
	}
	return aside, err
}

// setAside renames a database that was found damaged, and returns its new name; "" where another program has replaced it
// since it was seen. It replaces an earlier one of that name, so that a bad disk does not fill itself.
func setAside(path string, seen os.FileInfo) (aside string, err error) {
	release, err := LockDir(path + ".lock")
	if err != nil {
		return "", err
	}
	defer release()
	if now, err := os.Stat(path); err != nil || !os.SameFile(now, seen) {
		return "", nil
	}
	aside = path + ".damaged"
	if err := RemoveDatabase(aside); err != nil {
		return "", err
	}
	return aside, RenameDatabase(path, aside)
}

// Used returns how many bytes of a database hold something.
func Used(ctx context.Context, q Querier) (bytes int64, err error) {
	const used = "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
	err = q.QueryRowContext(ctx, used).Scan(&bytes)
	return bytes, err
}

// Fold is a function of SQL that returns a text in lower case, of every script: SQLite's own knows ASCII alone, and is
// faster.
const Fold = "paydesk_fold"

func init() {
	sqlite.MustRegisterDeterministicScalarFunction(Fold, 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		switch text := args[0].(type) {
		case string:
			return strings.ToLower(text), nil
		case []byte:
			return strings.ToLower(string(text)), nil
		}
		return nil, nil
	})
}

// An Inserter inserts rows into a table in a transaction, some with each statement.
type Inserter struct {
	Tx      *sql.Tx
	Table   string
	Columns int
	Replace bool // rows that have the key of a new one
	args    []any
}

// insertedAtOnce limits how many rows a statement inserts.
const insertedAtOnce = 20

// Add adds a row, or several.
func (p *Inserter) Add(ctx context.Context, values ...any) error {
	if p.args = append(p.args, values...); len(p.args) < insertedAtOnce*p.Columns {
		return nil
	}
	return p.Flush(ctx)
}

// Flush inserts the rows that were added. The connection keeps its statement.
func (p *Inserter) Flush(ctx context.Context) error {
	if len(p.args) == 0 {
		return nil
	}
	insert, one := "INSERT INTO ", "("+Marks(p.Columns)+")"
	if p.Replace {
		insert = "INSERT OR REPLACE INTO "
	}
	_, err := p.Tx.ExecContext(ctx, insert+p.Table+" VALUES "+one+strings.Repeat(","+one, len(p.args)/p.Columns-1), p.args...)
	p.args = p.args[:0]
	return err
}

// Marks are so many parameters of a statement.
func Marks(n int) string { return strings.TrimPrefix(strings.Repeat(",?", n), ",") }
