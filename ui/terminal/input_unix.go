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

// An input is the terminal to read from, filtered by a [stream]. Bubble Tea polls its file
// descriptor, which does not show bytes held back by the stream, so Read itself waits for the
// rest of a sequence.
type input struct {
	*terminalFile

	mu     sync.Mutex // a reader that Bubble Tea has abandoned may still be in Read
	stream stream
	last   time.Time // of the last byte
}

// guardedInput filters the input of a terminal, which is slow when it is behind a network.
func guardedInput(f *terminalFile, slow bool) io.Reader {
	return &input{terminalFile: f, stream: stream{slow: slow}}
}

// readSlack is how many bytes a stream may add to a read: ends of pastes and held sequences.
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
	return n, nil
}

// readError reports the terminal as gone: Bubble Tea would treat the error as the end of input
// and keep running.
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
