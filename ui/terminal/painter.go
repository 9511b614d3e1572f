//go:build !windows

package terminal

import (
	"errors"
	"io"
	"sync"
	"time"
)

const (
	// frameGap is the least time from the end of one frame to the next.
	frameGap = 8 * time.Millisecond
	// byteGap is how long a byte takes on a slow line.
	byteGap = 40 * time.Microsecond
	// mostRaw is how many bytes outside of frames wait for a terminal that is not read.
	mostRaw = 256 << 10
)

// A painter writes frames to a terminal, on a goroutine of its own. The first picture after a pause is
// drawn at once. While a frame is being written, pictures are not queued: the painter asks for the
// newest one when it is ready again.
type painter struct {
	out  io.Writer
	slow bool
	due  func() // called when ready was refused and would be granted now; it must not block

	canvas  *canvas       // of the painting goroutine
	wake    chan struct{} // there is something to write
	control chan handover

	mu     sync.Mutex
	next   *picture // to be drawn, nil for none
	modes  modes    // of the next picture
	raw    []byte   // to be written before the next frame
	busy   bool     // a picture is waiting or was drawn just now
	wanted bool     // another picture is waiting outside
}

// A handover stops the painting goroutine, which leaves the terminal, or lets it go on.
type handover struct {
	stop bool
	done chan struct{}
}

func newPainter(out io.Writer, c *canvas, m modes, slow bool, due func()) *painter {
	return &painter{out: out, slow: slow, due: due, canvas: c, modes: m, wake: make(chan struct{}, 1), control: make(chan handover)}
}

// ready reports whether a picture would be drawn now. While the painter is busy it refuses, and calls
// due later.
func (p *painter) ready() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wanted = p.busy
	return !p.busy && p.modes.w > 0 && p.modes.h > 0
}

// show draws a picture.
func (p *painter) show(pic picture) {
	p.change(func() { p.next, p.busy = &pic, true })
}

// setModes changes what is known about the terminal, for the next picture.
func (p *painter) setModes(change func(*modes)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.modes)
}

// write writes a sequence before the next frame, or drops it when too much waits already.
func (p *painter) write(sequence string) {
	p.change(func() {
		if len(p.raw)+len(sequence) <= mostRaw {
			p.raw = append(p.raw, sequence...)
		}
	})
}

func (p *painter) change(do func()) {
	p.mu.Lock()
	do()
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// run paints until over is closed. It begins stopped.
func (p *painter) run(over <-chan struct{}, guard func()) {
	defer guard()
	pause := time.NewTimer(0)
	stopped, pausing := true, true
	for {
		wake := p.wake
		if stopped || pausing {
			wake = nil
		}
		select {
		case <-over:
			return
		case h := <-p.control:
			stopped = p.hand(h, stopped)
		case <-pause.C:
			pausing = false
			p.rest()
		case <-wake:
			pausing = true
			pause.Reset(p.paint())
		}
	}
}

// hand stops or goes on.
func (p *painter) hand(h handover, stopped bool) bool {
	defer close(h.done)
	switch {
	case h.stop && !stopped:
		p.put(append(p.takeRaw(), p.canvas.leave()...))
	case !h.stop && stopped:
		p.put(p.canvas.enter())
	}
	return h.stop
}

// paint writes what waits and returns how long to pause afterwards.
func (p *painter) paint() time.Duration {
	p.mu.Lock()
	pic, m := p.next, p.modes
	p.next = nil
	p.mu.Unlock()
	bytes := p.takeRaw()
	if pic != nil {
		bytes = append(bytes, p.canvas.frame(*pic, m)...)
	}
	p.put(bytes)
	switch {
	case len(bytes) == 0:
		return 0
	case p.slow:
		return max(frameGap, time.Duration(len(bytes))*byteGap)
	}
	return frameGap
}

func (p *painter) takeRaw() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	raw := p.raw
	p.raw = nil
	return raw
}

// put writes to the terminal. An error is the writer's to handle.
func (p *painter) put(bytes []byte) {
	if len(bytes) > 0 {
		_, _ = p.out.Write(bytes)
	}
}

// rest is ready for the next picture, and asks for the one that was refused.
func (p *painter) rest() {
	p.mu.Lock()
	wanted := p.wanted
	p.busy, p.wanted = p.next != nil, false
	p.mu.Unlock()
	if wanted {
		p.due()
	}
}

var errNotRead = errors.New("the terminal is not read")

// stop makes the goroutine leave the terminal, within a limit; 0 for none.
func (p *painter) stop(limit time.Duration) error {
	h := handover{stop: true, done: make(chan struct{})}
	var late <-chan time.Time
	if limit > 0 {
		late = time.After(limit)
	}
	select {
	case p.control <- h:
	case <-late:
		return errNotRead
	}
	select {
	case <-h.done:
	case <-late:
		return errNotRead
	}
	return nil
}

// start makes the goroutine take the terminal.
func (p *painter) start() {
	h := handover{done: make(chan struct{})}
	p.control <- h
	<-h.done
}
