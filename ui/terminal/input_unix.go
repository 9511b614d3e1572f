//go:build !windows

package terminal

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/sys/unix"
)

// A keyboard sends to the program what is typed, between start and stop. Bubble Tea would leave three descriptors open
// at each stop.
type keyboard struct {
	program  *Program
	in       io.Reader
	termType string
	cancel   func() bool   // cancels the read; nil while it is stopped
	ended    chan struct{} // closed when nothing is read any more
}

// stopLimit limits how long a keyboard waits for a read that cannot be cancelled.
const stopLimit = 500 * time.Millisecond

func (k *keyboard) start() error {
	if k.in == nil {
		return nil
	}
	r, err := uv.NewCancelReader(k.in)
	if err != nil {
		return err
	}
	typed, ended := make(chan uv.Event), make(chan struct{})
	k.cancel, k.ended = r.Cancel, ended
	go func() {
		defer close(ended)
		defer close(typed)
		defer r.Close()
		if uv.NewTerminalReader(r, k.termType).StreamEvents(context.Background(), typed) != nil {
			k.program.Kill()
		}
	}()
	go func() {
		for e := range typed {
			k.program.Send(e)
		}
	}()
	return nil
}

func (k *keyboard) stop() {
	if k.cancel == nil {
		return
	}
	if k.cancel() {
		select {
		case <-k.ended:
		case <-time.After(stopLimit):
		}
	}
	k.cancel = nil
}

// An input is the terminal to read from, filtered by a [stream]. A [keyboard] polls its file
// descriptor, which does not show bytes held back by the stream, so Read itself waits for the
// rest of a sequence.
type input struct {
	*terminalFile

	mu     sync.Mutex // a reader that was abandoned may still be in Read
	stream stream
	last   time.Time // of the last byte
}

// guardedInput filters the input of a terminal, which is slow when it is behind a network.
func guardedInput(f *terminalFile, slow bool) io.Reader {
	return &input{terminalFile: f, stream: stream{slow: slow}}
}

// apart follows a digit that comes alone. The library copies each read into memory of its own, where sixteen of one byte
// lie side by side: the digits of a card, as they were typed. A control string that is cancelled is no event.
const apart = "\x1bX............\x18"

// readSlack sets how many bytes a stream may add to a read: ends of pastes and held sequences.
const readSlack = 2 * longestSequence

func (i *input) Read(p []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if w := i.stream.wait(); w > 0 && time.Since(i.last) > w {
		i.stream.expire() // the last Read filled its buffer and could not wait
	}
	for {
		b := make([]byte, max(len(p)-readSlack-len(i.stream.out), 1))
		n, err := i.file.Read(b)
		if err != nil {
			return 0, i.readError(err)
		}
		i.last = time.Now()
		i.stream.feed(b[:n])
		w := i.stream.wait()
		if w == 0 || len(i.stream.out) >= len(p)-readSlack {
			break
		}
		if !waitReadable(int(i.file.Fd()), w) {
			i.stream.expire()
			break
		}
	}
	n := copy(p, i.stream.out)
	i.stream.out = append(i.stream.out[:0], i.stream.out[n:]...)
	if n == 1 && '0' <= p[0] && p[0] <= '9' {
		n += copy(p[1:], apart)
	}
	return n, nil
}

// readError reports the terminal as gone.
func (i *input) readError(err error) error {
	if !errors.Is(err, os.ErrClosed) {
		i.lost()
	}
	return err
}

// waitReadable reports whether fd becomes readable within the given time.
func waitReadable(fd int, most time.Duration) bool {
	until := time.Now().Add(most)
	for {
		var set unix.FdSet
		set.Set(fd)
		left := unix.NsecToTimeval(max(time.Until(until), 0).Nanoseconds())
		n, err := unix.Select(fd+1, &set, nil, nil, &left) // not poll, which fails on macOS terminals
		if !errors.Is(err, unix.EINTR) {
			return n > 0 || err != nil // Read returns the error
		}
	}
}
