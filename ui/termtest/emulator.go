package termtest

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"sync"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

// An emulator is a terminal emulator with a lock, which stores all bytes written to it.
type emulator struct {
	replies *replyQueue

	mu     sync.Mutex
	vt     *vt.Emulator
	sent   []byte
	writes int
	copied string
	cursor bool
	bells  int
}

func newEmulator(w, h int) *emulator {
	e := &emulator{replies: newReplyQueue(), vt: vt.NewEmulator(max(w, 1), max(h, 1)), cursor: true}
	// The emulator calls these during Write, with the lock held.
	e.vt.SetCallbacks(vt.Callbacks{
		Bell:             func() { e.bells++ },
		CursorVisibility: func(visible bool) { e.cursor = visible },
	})
	e.vt.RegisterOscHandler(52, func(data []byte) bool {
		if encoded, ok := bytes.CutPrefix(data, []byte("52;c;")); ok {
			if text, err := base64.StdEncoding.DecodeString(string(encoded)); err == nil {
				e.copied = string(text)
			}
		}
		return true
	})
	go io.Copy(e.replies, e.vt)
	return e
}

// Write adds a carriage return to each line feed, as the kernel does on a real terminal: Bubble
// Tea relies on it.
func (e *emulator) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sent = append(e.sent, p...)
	e.writes++
	if _, err := e.vt.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (e *emulator) resize(w, h int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.vt.Resize(max(w, 1), max(h, 1))
}

// close ends the goroutine that copies replies. Emulator.Close would race with its Read.
func (e *emulator) close() {
	if pipe, ok := e.vt.InputPipe().(io.Closer); ok {
		pipe.Close()
	}
	e.replies.Close()
}

func (e *emulator) lines() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	lines := make([]string, e.vt.Height())
	for y := range lines {
		var b strings.Builder
		for x := 0; x < e.vt.Width(); {
			c := e.vt.CellAt(x, y)
			if c == nil || c.Content == "" {
				b.WriteByte(' ')
				x++
				continue
			}
			b.WriteString(c.Content)
			x += max(c.Width, 1)
		}
		lines[y] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

func (e *emulator) cell(x, y int) uv.Cell {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c := e.vt.CellAt(x, y); c != nil {
		return *c.Clone()
	}
	return uv.Cell{}
}

// A replyQueue holds the terminal's replies to the program. It has no limit: the emulator replies
// while the program writes to it, and must not wait for the program to read.
type replyQueue struct {
	mu     sync.Mutex
	more   sync.Cond
	bytes  []byte
	closed bool
}

func newReplyQueue() *replyQueue {
	r := &replyQueue{}
	r.more.L = &r.mu
	return r
}

func (r *replyQueue) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bytes = append(r.bytes, p...)
	r.more.Signal()
	return len(p), nil
}

func (r *replyQueue) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.bytes) == 0 && !r.closed {
		r.more.Wait()
	}
	if len(r.bytes) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.bytes)
	r.bytes = r.bytes[n:]
	return n, nil
}

func (r *replyQueue) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.more.Broadcast()
	return nil
}
