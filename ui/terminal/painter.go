//go:build !windows

package terminal

import (
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// frameGap is the least time from the end of one frame to the next.
	frameGap = 8 * time.Millisecond
	// byteGap sets how long a byte takes on a slow line.
	byteGap = 40 * time.Microsecond
	// headStart sets how far what a key changes may be ahead of a slow line: the bytes of a whole screen. Who presses a key does
	// not wait for the screen before it, and a key that is held down fills the line no further.
	headStart = 4_500 * byteGap
	// mostRaw limits how many bytes outside of frames wait for a terminal that is not read.
	mostRaw = 256 << 10
	// writeSize sets how many bytes are written at once: fewer than a terminal takes after what it had not
	// read was discarded.
	writeSize = 4 << 10
)

// A painter writes frames to a terminal, on a goroutine of its own. The first picture after a pause is
// drawn at once. While a frame is being written, pictures are not queued: the painter asks for the
// newest one when it is ready again.
type painter struct {
	out  io.Writer
	slow bool
	due  func() // called when ready was refused and would be granted now; it must not block

	canvas  *canvas       // of the painting goroutine
	taken   bool          // of the painting goroutine: frames may be drawn
	wake    chan struct{} // there is something to write
	control chan handover
	gone    chan struct{} // closed when the painting goroutine has ended
	cut     atomic.Bool   // the write in progress is abandoned, and nothing is drawn after it

	mu       sync.Mutex
	next     *picture      // to be drawn, nil for none
	modes    modes         // of the next picture
	raw      []byte        // to be written before the next frame
	busy     bool          // a picture is waiting or being drawn
	wanted   bool          // another picture is waiting outside
	soonest  time.Time     // the next frame is not drawn before
	carried  time.Time     // when a slow line has carried what was written
	ahead    time.Duration // how far the next frame may be ahead of that
	alarm    *time.Timer   // ends a pause that something waits for; nil before the first
	farewell string        // leaves the terminal in its present state, "" while it is left
}

// A handover tells the painting goroutine to take the terminal or to leave it.
type handover struct {
	take bool
	done chan struct{}
}

func newPainter(out io.Writer, c *canvas, m modes, slow bool, due func()) *painter {
	return &painter{
		out: out, slow: slow, due: due, canvas: c, modes: m,
		wake: make(chan struct{}, 1), control: make(chan handover), gone: make(chan struct{}),
	}
}

// hold has the first frame wait until a time, which may be over.
func (p *painter) hold(until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.soonest = until
}

// ready reports whether a picture would be drawn now. In a pause and while the painter is busy it refuses, and calls
// due later. A pause that nothing waits for ends without waking anything.
func (p *painter) ready() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wanted = p.busy || p.inPause()
	return !p.wanted && p.modes.w > 0 && p.modes.h > 0
}

// inPause reports whether the next frame, which may be ahead of a slow line, is still to wait, and has the end of that
// noticed.
func (p *painter) inPause() bool {
	left := max(time.Until(p.soonest), time.Until(p.carried.Add(-p.ahead)))
	switch {
	case left <= 0:
		return false
	case p.alarm == nil:
		p.alarm = time.AfterFunc(left, p.rested)
	default:
		p.alarm.Reset(left)
	}
	return true
}

// rested goes on after a pause, with what waits.
func (p *painter) rested() {
	p.mu.Lock()
	wanted, raw := p.wanted && !p.busy, len(p.raw) > 0
	p.mu.Unlock()
	if raw {
		signalTo(p.wake)
	}
	if wanted {
		p.due()
	}
}

// show draws a picture.
func (p *painter) show(pic picture) {
	p.change(func() { p.next, p.busy, p.ahead = &pic, true, 0 })
}

// setModes changes what is known about the terminal, for the next picture.
func (p *painter) setModes(change func(*modes)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.modes)
}

// write writes a sequence before the next frame. When too much waits for a terminal that is not read,
// the newest sequence takes the place of the others: the screen will speak of that one.
func (p *painter) write(sequence string) {
	p.change(func() {
		if len(p.raw)+len(sequence) > mostRaw {
			p.raw = nil
		}
		p.raw = append(p.raw, sequence...)
	})
}

func (p *painter) change(do func()) {
	p.mu.Lock()
	do()
	p.mu.Unlock()
	signalTo(p.wake)
}

// hurry says that a person has pressed a key, and waits for the next frame.
func (p *painter) hurry() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ahead = headStart
}

// signalTo signals once to a channel with room for one.
func signalTo(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run paints until over is closed or something panics, and leaves the terminal.
func (p *painter) run(over <-chan struct{}, guard func()) {
	defer close(p.gone)
	defer p.hand(false)
	defer guard()
	for {
		wake := p.wake
		if !p.taken {
			wake = nil
		}
		select {
		case <-over:
			return
		case h := <-p.control:
			p.hand(h.take)
			close(h.done)
		case <-wake:
			p.paint()
		}
	}
}

// hand takes or leaves the terminal. Twice is once: the keyboard protocol is a stack.
func (p *painter) hand(take bool) {
	switch {
	case take && !p.taken:
		p.put(p.canvas.take())
	case !take && p.taken:
		p.mu.Lock()
		raw := p.raw
		p.raw = nil
		p.mu.Unlock()
		p.put(raw)
		_, _ = io.WriteString(p.out, p.canvas.leave())
		p.setFarewell("")
	}
	p.taken = take
}

// paint writes what waits, or after a pause.
func (p *painter) paint() {
	p.mu.Lock()
	if p.next == nil && (len(p.raw) == 0 || p.inPause()) {
		p.mu.Unlock()
		return
	}
	pic, m, bytes := p.next, p.modes, p.raw
	p.next, p.raw = nil, nil
	p.mu.Unlock()
	if pic != nil {
		bytes = append(bytes, p.canvas.frame(*pic, m)...)
	}
	p.put(bytes)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy = p.next != nil
	if now := time.Now(); len(bytes) > 0 {
		p.soonest = now.Add(frameGap)
		if p.carried.Before(now) {
			p.carried = now
		}
		if p.slow {
			p.carried = p.carried.Add(time.Duration(len(bytes)) * byteGap)
		}
	}
	if p.wanted && !p.inPause() {
		p.due()
	}
}

// put writes bytes of the canvas to the terminal. An error is the writer's to handle.
func (p *painter) put(bytes []byte) {
	if len(bytes) > 0 {
		p.setFarewell(p.canvas.leave())
	}
	for part := range slices.Chunk(bytes, writeSize) {
		if !p.cut.Load() {
			_, _ = p.out.Write(part)
		}
	}
}

// setFarewell changes what leaves the terminal while a write to it is stuck.
func (p *painter) setFarewell(sequence string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.farewell = sequence
}

var errNotRead = errors.New("the terminal is not read")

// take makes the goroutine take the terminal. It waits for a frame that is being written, and no longer.
func (p *painter) take() {
	select {
	case p.control <- handover{take: true, done: make(chan struct{})}:
	case <-p.gone:
	}
}

// leave makes the goroutine leave the terminal, within a limit.
func (p *painter) leave(limit time.Duration) error {
	h, late := handover{done: make(chan struct{})}, time.After(limit)
	select {
	case p.control <- h:
	case <-p.gone:
		return nil
	case <-late:
		return errNotRead
	}
	select {
	case <-h.done:
		return nil
	case <-late:
		return errNotRead
	}
}
