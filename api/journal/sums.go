package journal

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"time"

	"modernc.org/sqlite"

	"paydesk/api/statefile"
)

// Checking every page, index and row takes seconds of a core in a large journal. So the outcome of a
// check is remembered: journal.db.sums has the checksum of each page of the file that passed, and
// consoles bring it up to date with what they commit. A start that finds exactly these pages has found
// what passed. Whatever else it finds is checked as a whole.
//
// These rules keep damage from being remembered as sound:
//
//   - The sums are read before a check and again after it, in a read transaction, during which nothing
//     is checkpointed into the file.
//   - SQLite checkpoints only when it is asked to. Before that, the commit is read from the log, which
//     must have it and nothing else since the last commit that was followed; an older paydesk, or
//     another program, does not tell of its commits.
//   - Before a page is overwritten in the file, it must still have its sum: SQLite may have read it
//     damaged, changed it and written it back.
//   - A sum is replaced only by that of the page that SQLite wrote, as the log has it under a checksum of
//     its own. Whoever is killed between two steps leaves a file that differs from the sums, or a log
//     that goes further.
//
// The file also has the number of the last commit, by which a start notices that records were lost.
//
// None of it is synced, since what a power failure loses makes a difference, too. Consoles exclude each
// other by a lock (flock) on journal.db. Reading that file closes it again, which would end the POSIX locks of
// SQLite in this process: only where SQLite uses other locks (OFD, on Linux) is anything remembered.

var _, _ = sqlite.OFDLocking(true)

const (
	pageSize   = 4096 // SQLite's default
	sumsOffset = 64   // of the first sum
	sumsWait   = 2 * time.Second
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli) // computed by the processor itself

// sumsFormat has another number when the file of the sums is another, or a check covers more.
var sumsFormat = [8]byte{'s', 'u', 'm', 's', ' ', 2, '.', currentVersion}

type sumsHead struct {
	Format  [8]byte
	ID      [8]byte // of the check that began it
	Checked bool    // the file passed a check when it had these pages
	Merged  bool    // the file has all of the log
	Log     logEnd  // of the last commit that was followed
	Commits uint64  // as the journal counted them then
	Pages   uint32
}

// covers reports whether every commit of a log was followed.
func (h sumsHead) covers(end logEnd) bool { return end == h.Log || end == logEnd{} && h.Merged }

// pageSums is the file of the sums, while this console has the lock. A nil one remembers nothing.
type pageSums struct {
	sumsHead
	path    string   // of the journal
	db      *os.File // the journal
	file    *os.File // nil when there is none that can be read
	version int      // of the data, in SQLite's count, when the transaction began
}

// lockSums returns nil where nothing can be remembered, or another console has the lock for too long.
func (j *Journal) lockSums(ctx context.Context) *pageSums {
	if j.path == "" || !sqlite.OFDLockingEnabled() || !j.isLocal(j.opts.Dir) {
		return nil
	}
	db, err := os.Open(j.path)
	if err != nil {
		return nil
	}
	s := &pageSums{path: j.path, db: db}
	if statefile.Lock(ctx, db, sumsWait) != nil || !sameFile(db, j.path) {
		s.close()
		return nil
	}
	if s.file, err = os.OpenFile(sumsPath(j.path), os.O_RDWR, 0); err == nil && !s.load() {
		s.file.Close()
		s.file, s.sumsHead = nil, sumsHead{}
	}
	return s
}

func sumsPath(journal string) string { return journal + ".sums" }

func sameFile(f *os.File, path string) bool {
	open, err1 := f.Stat()
	there, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(open, there)
}

func (s *pageSums) close() {
	if s != nil {
		s.db.Close() // and the lock with it
		if s.file != nil {
			s.file.Close()
		}
	}
}

func (s *pageSums) load() bool {
	b := make([]byte, sumsOffset)
	if _, err := s.file.ReadAt(b, 0); err != nil {
		return false
	}
	_, err := binary.Decode(b, binary.BigEndian, &s.sumsHead)
	return err == nil && s.Format == sumsFormat && bytes.Equal(b, s.head())
}

func (s *pageSums) head() []byte {
	b, _ := binary.Append(nil, binary.BigEndian, s.sumsHead)
	b = append(b, make([]byte, sumsOffset-4-len(b))...)
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// sums reads those of the pages; nil when they cannot be read.
func (s *pageSums) sums() []uint32 {
	b, err := io.ReadAll(io.NewSectionReader(s.file, sumsOffset, 4*int64(s.Pages)))
	sums := make([]uint32, s.Pages)
	if _, err2 := binary.Decode(b, binary.BigEndian, sums); err != nil || err2 != nil {
		return nil
	}
	return sums
}

// create replaces the file.
func (s *pageSums) create(h sumsHead, sums []uint32) error {
	h.Format, h.Pages = sumsFormat, uint32(len(sums))
	s.sumsHead = h
	b, _ := binary.Append(s.head(), binary.BigEndian, sums)
	part := sumsPath(s.path) + ".new"
	if err := os.WriteFile(part, b, 0o600); err != nil {
		return err
	}
	if !sameFile(s.db, s.path) { // another journal was put in its place, which these sums would accuse of a loss
		os.Remove(part)
		return errMoved
	}
	return os.Rename(part, sumsPath(s.path))
}

// forget is for a log that has other commits than those that were followed.
func (s *pageSums) forget() {
	if s.file != nil {
		s.file.Close()
		s.file = nil
	}
	s.restart()
}

// restart replaces the file by one that knows no page as sound, and no check that is under way.
func (s *pageSums) restart() {
	l, err := readLog(s.path+"-wal", logEnd{})
	h := sumsHead{Log: l.end, Commits: s.Commits}
	rand.Read(h.ID[:])
	if err != nil || s.create(h, nil) != nil {
		os.Remove(sumsPath(s.path))
	}
}

// begin begins to follow a transaction, which has locked the journal against others that write.
func (s *pageSums) begin(ctx context.Context, tx querier) {
	if s == nil || s.file == nil {
		return
	}
	l, err := readLog(s.path+"-wal", s.Log)
	version, err2 := statefile.Pragma[int](ctx, tx, "data_version") // another one after a commit of another connection
	if s.version = version; err != nil || err2 != nil || l.commits != 0 {
		s.forget()
	}
}

// follow checkpoints what was committed since begin into the file, and its pages into the sums.
func (s *pageSums) follow(ctx context.Context, db *sql.DB, commits uint64) {
	if s == nil {
		checkpoint(ctx, db)
		return
	}
	s.Commits = commits
	if s.file == nil {
		checkpoint(ctx, db)
		s.restart()
		return
	}
	l, err := readLog(s.path+"-wal", s.Log)
	version, err2 := statefile.Pragma[int](ctx, db, "data_version")
	if err != nil || err2 != nil || version != s.version || l.commits < 0 || l.commits > 1 {
		s.forget()
		checkpoint(ctx, db)
		return
	}
	since := uint32(0) // what the file does not have of the log
	if s.Merged {
		since = l.known
	}
	s.Checked = s.Checked && (s.Merged || l.known > 0) && s.oldPagesFit(l, since)
	frames, done := checkpoint(ctx, db)
	if frames != int(l.end.Frames) { // SQLite has another log than the file has
		s.forget()
		return
	}
	if l.commits == 0 && s.Merged {
		return
	}
	s.Log, s.Merged = l.end, done
	if s.Checked && done {
		s.Checked = s.update(l, since)
	}
	_, _ = s.file.WriteAt(s.head(), 0)
}

// oldPagesFit reports whether the pages of the file that the log replaces have their sums, or were
// replaced already by a commit that was followed before.
func (s *pageSums) oldPagesFit(l walLog, since uint32) bool {
	page, sum := make([]byte, pageSize), make([]byte, 4)
	for n, versions := range l.written {
		if n > s.Pages || versions[len(versions)-1].frame <= since {
			continue
		}
		_, err1 := s.db.ReadAt(page, (int64(n)-1)*pageSize)
		_, err2 := s.file.ReadAt(sum, sumOffset(n))
		if err1 != nil || err2 != nil {
			return false
		}
		is := crc32.Checksum(page, castagnoli)
		followed := func(v pageVersion) bool { return v.sum == is && since < v.frame && v.frame <= l.known }
		if is != binary.BigEndian.Uint32(sum) && !slices.ContainsFunc(versions, followed) {
			return false
		}
	}
	return true
}

func sumOffset(page uint32) int64 { return sumsOffset + 4*(int64(page)-1) }

// update writes the sums of the pages that the log has put into the file.
func (s *pageSums) update(l walLog, since uint32) bool {
	for n := s.Pages + 1; n <= l.pages; n++ {
		if len(l.written[n]) == 0 {
			return false
		}
	}
	for n, versions := range l.written {
		last := versions[len(versions)-1]
		if n == 0 || n > l.pages {
			return false
		}
		if last.frame <= since {
			continue
		}
		if _, err := s.file.WriteAt(binary.BigEndian.AppendUint32(nil, last.sum), sumOffset(n)); err != nil {
			return false
		}
	}
	ok := l.pages >= s.Pages
	s.Pages = l.pages
	return ok
}

// checkpoint writes the log into the file as far as readers permit, and returns how many frames SQLite has
// in the log; done is whether all of them are in the file.
func checkpoint(ctx context.Context, db *sql.DB) (frames int, done bool) {
	var busy, merged int
	if err := db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &frames, &merged); err != nil {
		return -1, false
	}
	return frames, busy == 0 && frames == merged
}

// settle has the file catch up with the log, where a long read or a kill kept a console from that.
func (j *Journal) settle(ctx context.Context) {
	s := j.lockSums(ctx)
	defer s.close()
	if s == nil || s.file == nil || !s.Checked || s.Merged {
		return
	}
	db := statefile.Open(dsn(j.path, true, true))
	defer db.Close()
	s.begin(ctx, db)
	s.follow(ctx, db, s.Commits)
}
