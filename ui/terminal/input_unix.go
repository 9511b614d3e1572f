//go:build !windows

package terminal

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// An input is the terminal to read from, made whole by a [stream]. Bubble Tea waits for it
// with epoll and the like, on its descriptor, so that what is held back is waited for within
// Read.
type input struct {
	file *os.File // not embedded: its other ways to read would go around Read
	lost func()

	mu     sync.Mutex // a reader that was given up may still be in Read
	stream stream
	last   time.Time // of the last byte
}

func guardedInput(f *os.File, lost func()) io.Reader { return &input{file: f, lost: lost} }

// readSlack is what a stream may add to a read by itself: the ends of pastes and what was held.
const readSlack = 2 * longestSequence

func (i *input) Read(p []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if w := i.stream.wait(); w > 0 && time.Since(i.last) > w {
		i.stream.expire() // there was no room to wait for it
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
	return n, nil
}

// readError says that the terminal is: it does not come back, and Bubble Tea takes its end for
// silence.
func (i *input) readError(err error) error {
	if !errors.Is(err, os.ErrClosed) {
		i.lost()
	}
	return err
}

// waitReadable waits for input.
func waitReadable(fd int, most time.Duration) bool {
	until := time.Now().Add(most)
	for {
		var set unix.FdSet
		set.Set(fd)
		left := unix.NsecToTimeval(max(time.Until(until), 0).Nanoseconds())
		n, err := unix.Select(fd+1, &set, nil, nil, &left) // not poll, which fails on the terminals of macOS
		if !errors.Is(err, unix.EINTR) {
			return n > 0 || err != nil // Read tells what the error is
		}
	}
}

func (i *input) Write(p []byte) (int, error) { return i.file.Write(p) }
func (i *input) Close() error                { return nil } // it is not ours
func (i *input) Fd() uintptr                 { return i.file.Fd() }
func (i *input) Name() string                { return i.file.Name() }
