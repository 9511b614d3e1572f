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

// A emulator is an emulator with a lock around it, which keeps all it was sent.
type emulator struct {
	replies *replyQueue

	mu     sync.Mutex
	em     *vt.Emulator
	sent   []byte
	writes int
	copied string
	cursor bool
	bells  int
}

func newEmulator(w, h int) *emulator {
	e := &emulator{replies: newReplyQueue(), em: vt.NewEmulator(max(w, 1), max(h, 1)), cursor: true}
	// The emulator calls these while it is written to, with the lock held.
	e.em.SetCallbacks(vt.Callbacks{
		Bell:             func() { e.bells++ },
		CursorVisibility: func(visible bool) { e.cursor = visible },
	})
	e.em.RegisterOscHandler(52, func(data []byte) bool {
		if encoded, ok := bytes.CutPrefix(data, []byte("52;c;")); ok {
			if text, err := base64.StdEncoding.DecodeString(string(encoded)); err == nil {
				e.copied = string(text)
			}
		}
		return true
	})
	go io.Copy(e.replies, e.em)
	return e
}

// Write does what the kernel does to a line feed on a terminal: without a real one Bubble Tea
// relies on that.
func (e *emulator) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sent = append(e.sent, p...)
	e.writes++
	if _, err := e.em.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (e *emulator) resize(w, h int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.em.Resize(max(w, 1), max(h, 1))
}

// close ends the goroutine that carries replies. Emulator.Close would race with
// its Read.
func (e *emulator) close() {
	if pipe, ok := e.em.InputPipe().(io.Closer); ok {
		pipe.Close()
	}
	e.replies.Close()
}

func (e *emulator) lines() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	lines := make([]string, e.em.Height())
	for y := range lines {
		var b strings.Builder
		for x := 0; x < e.em.Width(); {
			c := e.em.CellAt(x, y)
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
	if c := e.em.CellAt(x, y); c != nil {
		return *c.Clone()
	}
	return uv.Cell{}
}
