package journal

import (
	"context"
	"crypto/rand"
	"database/sql"
	"hash/crc32"
	"io"
	"os"
	"slices"

	"paydesk/api/statefile"
)

// verifyOnce checks every page, index and row of the file, unless it is one that passed before.
func (j *Journal) verifyOnce(ctx context.Context) error {
	j.settle(ctx)
	f := j.freeze(ctx)
	if f == nil {
		return j.verifyFile(ctx)
	}
	defer j.settle(ctx) // once the transaction has ended
	defer f.end()
	sums, err := readSums(ctx, f.db)
	if err == nil && f.isSound(sums) {
		return nil
	}
	if err := j.verifyRows(ctx, f.tx); err != nil {
		return err
	}
	if again, err2 := readSums(ctx, f.db); err == nil && err2 == nil && f.log.isIn(sums) && slices.Equal(sums, again) {
		j.remember(ctx, f, sums)
	}
	return nil
}

// A frozen journal is a snapshot of it, in a transaction during which SQLite writes nothing into the file
// that the log does not have now.
type frozen struct {
	*pageSums
	conn  *sql.DB
	tx    *sql.Tx
	log   walLog
	sound []uint32 // of the pages that passed a check; nil when none are known
}

// isSound reports whether pages of these sums passed a check.
func (f *frozen) isSound(sums []uint32) bool {
	return f.sound != nil && slices.Equal(sums, f.sound) && f.log.isIn(sums)
}

// freeze returns nil when what a check finds could not be remembered.
func (j *Journal) freeze(ctx context.Context) *frozen {
	s := j.lockSums(ctx)
	if s == nil {
		return nil
	}
	f := &frozen{pageSums: s, conn: statefile.Open(dsn(j.path, false, false))}
	if !s.hasLog() || f.begin(ctx) != nil {
		f.end()
		return nil
	}
	if s.file != nil && s.covers(f.log.end) {
		if s.Checked && s.Merged {
			f.sound = s.sums()
		}
	} else {
		h := sumsHead{Log: f.log.end, Commits: s.Commits}
		rand.Read(h.ID[:])
		if s.create(h, nil) != nil {
			f.end()
			return nil
		}
	}
	statefile.Unlock(s.db)
	return f
}

// begin begins the snapshot. Nobody who follows commits commits now, and anybody else would be noticed.
func (f *frozen) begin(ctx context.Context) (err error) {
	if f.log, err = readLog(f.path+"-wal", logEnd{}); err != nil {
		return err
	}
	if f.tx, err = f.conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}); err != nil {
		return err
	}
	if _, err = statefile.Pragma[int](ctx, f.tx, "user_version"); err != nil { // SQLite begins with the first read
		return err
	}
	again, err := readLog(f.path+"-wal", logEnd{})
	if err == nil && again.end != f.log.end {
		err = errMoved
	}
	return err
}

func (f *frozen) end() {
	if f.tx != nil {
		f.tx.Rollback()
	}
	f.conn.Close()
	f.close()
}

// remember notes the sums of a file that passed, unless something was committed meanwhile that was not
// followed.
func (j *Journal) remember(ctx context.Context, f *frozen, sums []uint32) {
	s := j.lockSums(ctx)
	defer s.close()
	if s == nil || s.file == nil || s.ID != f.ID {
		return
	}
	if l, err := readLog(j.path+"-wal", s.Log); err == nil && s.covers(l.end) {
		_ = s.create(sumsHead{ID: s.ID, Checked: true, Merged: l.end == f.log.end, Log: l.end, Commits: s.Commits}, sums)
	}
}

// hasLog reports whether the file is in the mode of a write-ahead log: opening a connection that
// changes the mode would wait for a transaction.
func (s *pageSums) hasLog() bool {
	version := make([]byte, 2) // https://sqlite.org/fileformat2.html#file_format_version_numbers
	_, err := s.db.ReadAt(version, 18)
	return err == nil && version[0] == 2 && version[1] == 2
}

// readSums reads the sums of all pages of a file.
func readSums(ctx context.Context, file *os.File) (sums []uint32, err error) {
	b := make([]byte, 64*pageSize)
	for at := int64(0); ctx.Err() == nil; at += int64(len(b)) {
		n, err := file.ReadAt(b, at)
		if err != nil && err != io.EOF || n%pageSize != 0 {
			return nil, errDamaged
		}
		for page := range slices.Chunk(b[:n], pageSize) {
			sums = append(sums, crc32.Checksum(page, castagnoli))
		}
		if err == io.EOF {
			return sums, nil
		}
	}
	return nil, ctx.Err()
}
