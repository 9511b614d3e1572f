package termtest

import (
	"bytes"
	"encoding/base64"
	"io"
	"slices"
	"strings"
	"sync"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

// An Emulator is a terminal emulator with a lock, which stores all bytes written to it.
type Emulator struct {
	mu     sync.Mutex
	vt     *vt.Emulator
	sent   []byte
	writes int
	copied string
	cursor bool
	bells  int
	text   string // on the screen, unless stale: tests look often while nothing is written
	stale  bool
}

// NewEmulator returns an emulator of w×h cells, which writes its replies to the program's queries.
func NewEmulator(w, h int, replies io.Writer) *Emulator {
	e := &Emulator{vt: vt.NewEmulator(max(w, 1), max(h, 1)), cursor: true, stale: true}
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
	go io.Copy(replies, e.vt)
	return e
}

// locked gets something of an emulator.
func locked[T any](e *Emulator, get func() T) T {
	e.mu.Lock()
	defer e.mu.Unlock()
	return get()
}

// Write implements [io.Writer].
func (e *Emulator) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sent = append(e.sent, p...)
	e.writes++
	e.stale = true
	_, err := e.vt.Write(p)
	return len(p), err
}

// SetSize changes the size of the screen.
func (e *Emulator) SetSize(w, h int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stale = true
	e.vt.Resize(max(w, 1), max(h, 1))
}

// Close ends the goroutine that copies replies. The Close of the emulator within would race with its
// Read.
func (e *Emulator) Close() {
	if pipe, ok := e.vt.InputPipe().(io.Closer); ok {
		pipe.Close()
	}
}

// Screen returns the text on the screen, all lines, without trailing blanks.
func (e *Emulator) Screen() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stale {
		e.text, e.stale = e.read(), false
	}
	return e.text
}

func (e *Emulator) read() string {
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
	return strings.Join(lines, "\n")
}

// Width returns the width of the screen in cells.
func (e *Emulator) Width() int { return locked(e, func() int { return e.vt.Width() }) }

// Height returns the height of the screen in cells.
func (e *Emulator) Height() int { return locked(e, func() int { return e.vt.Height() }) }

// Cell returns the cell in column x of line y, counted from 0; it is empty outside the screen.
func (e *Emulator) Cell(x, y int) uv.Cell {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c := e.vt.CellAt(x, y); c != nil {
		return *c.Clone()
	}
	return uv.Cell{}
}

// LinkOf returns where the first text like this on the screen leads to, "" for nowhere or no such text.
func (e *Emulator) LinkOf(text string) string {
	for y, line := range strings.Split(e.Screen(), "\n") {
		if before, _, is := strings.Cut(line, text); is {
			return e.Cell(len([]rune(before)), y).Link.URL
		}
	}
	return ""
}

// Cursor returns the position of the cursor and whether it is visible.
func (e *Emulator) Cursor() (x, y int, shown bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.vt.CursorPosition()
	return p.X, p.Y, e.cursor
}

// AltScreen reports whether the terminal shows its alternate screen.
func (e *Emulator) AltScreen() bool { return locked(e, func() bool { return e.vt.IsAltScreen() }) }

// Bytes returns all bytes that the program has written, to search for what must never be there. What was written stays as it
// is.
func (e *Emulator) Bytes() []byte { return locked(e, func() []byte { return slices.Clip(e.sent) }) }

// Writes returns how many times the program has written to the terminal.
func (e *Emulator) Writes() int { return locked(e, func() int { return e.writes }) }

// Copied returns the last text that the program put on the clipboard (OSC 52), "" for none.
func (e *Emulator) Copied() string { return locked(e, func() string { return e.copied }) }

// Bells returns how often the bell rang.
func (e *Emulator) Bells() int { return locked(e, func() int { return e.bells }) }

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
