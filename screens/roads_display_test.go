package screens_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/vt"
)

// A display is an emulated terminal's screen. It keeps all it was sent.
type display struct {
	mu     sync.Mutex
	em     *vt.Emulator
	sent   []byte
	copied string
}

// newDisplay makes a screen of w×h cells. What the terminal answers to questions goes
// to replies.
func newDisplay(w, h int, replies io.Writer) *display {
	d := &display{em: vt.NewEmulator(max(w, 1), max(h, 1))}
	d.em.RegisterOscHandler(52, func(data []byte) bool { // called within write
		if encoded, ok := bytes.CutPrefix(data, []byte("52;c;")); ok {
			if text, err := base64.StdEncoding.DecodeString(string(encoded)); err == nil {
				d.copied = string(text)
			}
		}
		return true
	})
	go io.Copy(replies, d.em)
	return d
}

// close ends the goroutine that carries replies. Emulator.Close would race with its
// Read.
func (d *display) close() { d.em.InputPipe().(io.Closer).Close() }

func (d *display) write(p []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sent = append(d.sent, p...)
	d.em.Write(p)
}

func (d *display) resize(w, h int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.em.Resize(max(w, 1), max(h, 1))
}

// clipboard is what was copied last.
func (d *display) clipboard() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.copied
}

func (d *display) bytes() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return bytes.Clone(d.sent)
}

// text is what is on the screen, without blanks at the ends of lines.
func (d *display) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var b strings.Builder
	for y := range d.em.Height() {
		var line strings.Builder
		for x := 0; x < d.em.Width(); {
			c := d.em.CellAt(x, y)
			if c == nil || c.Content == "" {
				line.WriteByte(' ')
				x++
				continue
			}
			line.WriteString(c.Content)
			x += max(c.Width, 1)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

var modeSwitch = regexp.MustCompile(`\x1b\[(?:\?([0-9;]+)([hl])|>(4)(;[1-9][0-9]*)?m|([<>])([0-9]*)u)`)

// left are the modes that were switched on and not off again: private modes by their
// number, "keys" for modifyOtherKeys, and the depth of each screen's kitty keyboard
// stack when it is not 0. The cursor (25) and wrapping (7) are to be on at the end.
func (d *display) left() []string {
	on := map[string]bool{"25": true, "7": true}
	alternate, depth := false, map[bool]int{}
	for _, m := range modeSwitch.FindAllStringSubmatch(string(d.bytes()), -1) {
		switch {
		case m[1] != "":
			for mode := range strings.SplitSeq(m[1], ";") {
				on[mode] = m[2] == "h"
				alternate = on["1049"]
			}
		case m[3] != "":
			on["keys"] = m[4] != ""
		case m[5] == ">":
			depth[alternate]++
		default: // a pop of an empty stack does nothing
			depth[alternate] = max(depth[alternate]-1, 0)
		}
	}
	on["25"], on["7"] = !on["25"], !on["7"]
	on["kitty keyboard"], on["kitty keyboard of the alternate screen"] = depth[false] != 0, depth[true] != 0
	maps.DeleteFunc(on, func(_ string, on bool) bool { return !on })
	return slices.Sorted(maps.Keys(on))
}
