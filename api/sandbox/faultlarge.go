package sandbox

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"net/http"
	"strings"
)

// Bodies larger than a client should read. They are generated while they are sent.

const (
	bombSize  = 1 << 30
	hugeSize  = 2 << 30
	pieceSize = 256 << 10 // of which both are made
	nesting   = 10_001
	nameCount = 1_000_000
)

// pieces are the parts of a JSON document with one long string: the first, one of those in
// between, and the last.
func pieces() (first, between, last []byte) {
	const before, after = `{"isSuccess":true,"status":true,"message":"`, `"}`
	between = bytes.Repeat([]byte("a"), pieceSize)
	first, last = bytes.Clone(between), bytes.Clone(between)
	copy(first, before)
	copy(last[pieceSize-len(after):], after)
	return first, between, last
}

func (e *faultyResponse) hugeBody() {
	e.writeHeader(http.StatusOK, jsonType, hugeSize)
	first, between, last := pieces()
	if e.write(first) != nil {
		return
	}
	for range hugeSize/pieceSize - 2 {
		if e.write(between) != nil {
			return
		}
	}
	e.write(last)
}

// bomb sends about 1 MB that expands to 1 GiB of JSON. A piece is compressed once and sent
// repeatedly, so that the server has less work than the client.
func (e *faultyResponse) bomb() {
	e.w.Header().Set("Content-Encoding", "gzip")
	e.writeHeader(http.StatusOK, jsonType, -1)
	first, between, last := pieces()
	packed := deflate(between, (*flate.Writer).Flush)
	sum := crc32.ChecksumIEEE(first)
	w := bufio.NewWriterSize(e, blockSize)
	w.WriteString("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff") // the head of a gzip file
	w.Write(deflate(first, (*flate.Writer).Flush))
	for range bombSize/pieceSize - 2 {
		if _, err := w.Write(packed); err != nil {
			return
		}
		sum = crc32.Update(sum, crc32.IEEETable, between)
	}
	w.Write(deflate(last, (*flate.Writer).Close))
	sum = crc32.Update(sum, crc32.IEEETable, last)
	w.Write(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, sum), bombSize))
	w.Flush()
}

// deflate compresses a piece by itself. Flushed pieces can be concatenated, and end with a
// closed one.
func deflate(piece []byte, end func(*flate.Writer) error) []byte {
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		z.Write(piece)
		err = end(z)
	}
	if err != nil {
		panic("sandbox: a piece cannot be compressed")
	}
	return b.Bytes()
}

// splitForMember returns the answer's text with room for another member at its end.
func (e *faultyResponse) splitForMember(name string) (before, after string) {
	return strings.TrimSuffix(string(e.answer.encode()), "}\n") + `,"` + name + `":`, "}\n"
}

func (e *faultyResponse) deep() {
	before, after := e.splitForMember("deep")
	inside := nesting - 1 // the answer itself is one level
	e.writeBody(e.answer.status, jsonType, []byte(before+strings.Repeat("[", inside)+strings.Repeat("]", inside)+after))
}

func (e *faultyResponse) manyNames() {
	before, after := e.splitForMember("names")
	e.writeHeader(e.answer.status, jsonType, -1)
	w := bufio.NewWriterSize(e, blockSize)
	w.WriteString(before)
	for i := range nameCount {
		mark := ","
		if i == 0 {
			mark = "{"
		}
		if _, err := fmt.Fprintf(w, `%s"n%d":0`, mark, i); err != nil {
			return
		}
	}
	w.WriteString("}" + after)
	w.Flush()
}
