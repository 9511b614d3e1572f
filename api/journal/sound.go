package journal

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"time"
)

// Checking every page, index and row takes seconds of a core in a large journal, so it is done once a
// day and not at every start. Between two checks a console that closes the journal remembers the sum of
// all its bytes, and the next start compares: bytes that are still the same are still sound. Whatever
// else has happened, damage, a console that was killed or another one that has the file open, the sums
// differ and everything is checked.
const (
	checkEvery = 24 * time.Hour
	// maxSumming is how long a start and an end may take for the sum: 100,000 attempts take 30 ms, and a
	// slow disk must hold up neither.
	maxSumming = 500 * time.Millisecond
)

// A fileState is what a file held, and when it was last checked.
type fileState struct {
	version int // of the schema: another version checks other things
	checked int64
	size    int64
	sum     uint32 // CRC-32C
}

// String ends with a checksum: a damaged note must not vouch for a file.
func (s fileState) String() string {
	text := fmt.Sprintf("%d %d %d %08x", s.version, s.checked, s.size, s.sum)
	return text + " " + hex.EncodeToString(checksum(text)) + "\n"
}

// notePath is the file in which the state of the journal is remembered.
func (j *Journal) notePath() string { return j.path + ".checked" }

// remembered returns the state that was remembered last; the zero state when there is none.
func (j *Journal) remembered() (s fileState) {
	text, err := os.ReadFile(j.notePath())
	if err != nil {
		return fileState{}
	}
	_, err = fmt.Sscanf(string(text), "%d %d %d %x", &s.version, &s.checked, &s.size, &s.sum)
	if err != nil || s.String() != string(text) {
		return fileState{}
	}
	return s
}

// lastCheck returns when the file was last checked, if it is since unchanged to the byte and a check is
// not due; else the zero time.
func (j *Journal) lastCheck(ctx context.Context) time.Time {
	s := j.remembered()
	checked := time.Unix(s.checked, 0)
	age := j.opts.Now().Sub(checked)
	if s.version != currentVersion || age < 0 || age >= checkEvery {
		return time.Time{}
	}
	if about, err := os.Stat(j.path); err != nil || about.Size() != s.size {
		return time.Time{}
	}
	found, err := j.state(ctx, checked)
	if err != nil || found != s {
		return time.Time{}
	}
	return checked
}

// remember notes what the file holds, for the next start. Without the note that start checks everything,
// so that its errors need no report.
func (j *Journal) remember(checked time.Time) {
	if j.path == "" || checked.IsZero() {
		return
	}
	if s, err := j.state(context.Background(), checked); err == nil {
		_ = os.WriteFile(j.notePath(), []byte(s.String()), 0o600)
	}
}

// state reads the whole file.
func (j *Journal) state(ctx context.Context, checked time.Time) (s fileState, err error) {
	for _, end := range []string{"-wal", "-journal"} {
		if about, err := os.Stat(j.path + end); err == nil && about.Size() > 0 {
			return s, errInUse
		}
	}
	ctx, cancel := context.WithTimeout(ctx, maxSumming)
	defer cancel()
	f, err := os.Open(j.path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	s = fileState{version: currentVersion, checked: checked.Unix()}
	buffer := make([]byte, 256<<10)
	for {
		n, err := f.Read(buffer)
		s.sum = crc32.Update(s.sum, castagnoli, buffer[:n])
		s.size += int64(n)
		if err == io.EOF {
			return s, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return s, err
		}
	}
}

// errInUse is that the file alone is not all of the journal: SQLite has a log beside it.
var errInUse = errors.New("the journal is in use")

// castagnoli is the polynomial that processors have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)
