package journal

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
)

// A logEnd is the end of a commit in SQLite's write-ahead log; the zero one is that of a log without
// commits.
type logEnd struct {
	Salt   [8]byte // another one each time that SQLite begins the log again
	Chain  [2]uint32
	Frames uint32
}

// A walLog is what the write-ahead log holds, up to its last commit.
type walLog struct {
	end     logEnd
	pages   uint32                   // of the file after that commit
	commits int                      // after the end that was asked about; -1 when that is not there
	known   uint32                   // frames up to the end that was asked about
	written map[uint32][]pageVersion // by page number, oldest first
}

type pageVersion struct{ frame, sum uint32 }

// readLog reads the log from its first frame as SQLite does when it recovers it
// (https://sqlite.org/fileformat2.html#walformat): up to the first frame that is not of this log, or
// whose checksum, which continues that of the frames before it, is wrong.
func readLog(path string, from logEnd) (walLog, error) {
	l := walLog{written: map[uint32][]pageVersion{}}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return l, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<16)
	head := make([]byte, 32)
	if _, err := io.ReadFull(in, head); err != nil {
		return l, ignoreEOF(err)
	}
	const magic = 0x377f0682 // one more when the checksums are of big-endian words
	m := binary.BigEndian.Uint32(head)
	chain := walSum([2]uint32{}, head[:24], m&1 == 1)
	if m&^1 != magic || !chainIs(chain, head[24:]) || binary.BigEndian.Uint32(head[8:]) != pageSize {
		return l, nil
	}
	salt := [8]byte(head[16:24])
	if salt == from.Salt {
		l.commits, l.known = -1, from.Frames
	}
	err = l.readFrames(in, salt, chain, m&1 == 1, from)
	return l, err
}

func (l *walLog) readFrames(in io.Reader, salt [8]byte, chain [2]uint32, bigEndian bool, from logEnd) error {
	type written struct{ page, frame, sum uint32 }
	var open []written // not committed yet
	for frame, n := make([]byte, 24+pageSize), uint32(1); ; n++ {
		if _, err := io.ReadFull(in, frame); err != nil {
			return ignoreEOF(err)
		}
		chain = walSum(walSum(chain, frame[:8], bigEndian), frame[24:], bigEndian)
		if !bytes.Equal(frame[8:16], salt[:]) || !chainIs(chain, frame[16:]) {
			return nil
		}
		open = append(open, written{binary.BigEndian.Uint32(frame), n, crc32.Checksum(frame[24:], castagnoli)})
		pages := binary.BigEndian.Uint32(frame[4:])
		if pages == 0 {
			continue
		}
		for _, w := range open {
			l.written[w.page] = append(l.written[w.page], pageVersion{w.frame, w.sum})
		}
		open, l.pages, l.end = open[:0], pages, logEnd{salt, chain, n}
		if l.commits >= 0 || l.end == from {
			l.commits++
		}
	}
}

// walSum continues the checksum of the log over b, whose length is a multiple of 8.
func walSum(sum [2]uint32, b []byte, bigEndian bool) [2]uint32 {
	s0, s1 := sum[0], sum[1]
	for ; len(b) >= 8; b = b[8:] {
		x0, x1 := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
		if bigEndian {
			x0, x1 = binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
		}
		s0 += x0 + s1
		s1 += x1 + s0
	}
	return [2]uint32{s0, s1}
}

func chainIs(chain [2]uint32, stored []byte) bool {
	return chain[0] == binary.BigEndian.Uint32(stored) && chain[1] == binary.BigEndian.Uint32(stored[4:])
}

// ignoreEOF returns nil for the end of a log, also within a frame.
func ignoreEOF(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}

// isIn reports whether a file whose pages have these sums holds the last version of each page of the log.
func (l walLog) isIn(sums []uint32) bool {
	for page, versions := range l.written {
		if page == 0 || int(page) > len(sums) || sums[page-1] != versions[len(versions)-1].sum {
			return false
		}
	}
	return true
}
