package terminal

import (
	"bytes"
	"time"
	"unicode/utf8"
)

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"

	// mostPasted is how many bytes of one paste are taken; the rest of it is dropped.
	maxPaste = 64 << 10
	// After a paste that was ended for it, this many bytes at once are more of it: nobody
	// types so many.
	pasteBurst = 8
	// A terminal's answer is shorter than this.
	longestSequence = 1024
)

// How long what is begun may take to go on.
const (
	escWait    = 50 * time.Millisecond // the rest of a key, or nothing: then it was esc
	csiWait    = 500 * time.Millisecond
	stringWait = 200 * time.Millisecond // less, since alt+] begins one too
	pasteWait  = 2 * time.Second
)

// A stream makes the bytes of a terminal whole: a sequence is handed on when its last byte
// has come, a paste is closed even when its end never comes, and what is inside one is text
// and nothing else. Bubble Tea gives half a sequence out as keys after 50 ms, and takes every
// key for text while a paste is open (stack.md 3).
type stream struct {
	out              []byte // what may be handed on
	held             []byte // the beginning of a sequence
	paste            bool
	size             int    // bytes of the paste so far
	text             []byte // the beginning of a character of it
	pasteMayContinue bool   // a paste was closed for its silence: there may be more of it
}

// feed takes what was read in one go.
func (s *stream) feed(read []byte) {
	if s.pasteMayContinue && !s.paste && (bytes.Contains(read, []byte(pasteEnd)) || len(read) >= pasteBurst && read[0] != 0x1b) {
		s.open()
	}
	for _, b := range read {
		s.feedByte(b)
	}
}

func (s *stream) feedByte(b byte) {
	switch {
	case s.paste:
		s.inPaste(b)
	case len(s.held) > 0:
		s.inSequence(b)
	case b == 0x1b:
		s.held = append(s.held, b)
	default:
		s.out = append(s.out, b)
	}
}

func (s *stream) inSequence(b byte) {
	if b == 0x1b && !stringSequence(s.held) { // the one before it was not finished
		s.flush()
	}
	s.held = append(s.held, b)
	switch {
	case string(s.held) == pasteStart:
		s.held = s.held[:0]
		s.open()
	case string(s.held) == pasteEnd: // of no paste
		s.held, s.pasteMayContinue = s.held[:0], false
	case len(s.held) > 1 && complete(s.held), len(s.held) >= longestSequence:
		s.flush()
	}
}

func (s *stream) flush() {
	s.out = append(s.out, s.held...)
	s.held = s.held[:0]
}

func (s *stream) open() {
	s.out = append(s.out, pasteStart...)
	s.paste, s.size, s.pasteMayContinue = true, 0, false
}

func (s *stream) close() {
	s.out = append(s.out, pasteEnd...)
	s.paste, s.held, s.text = false, s.held[:0], s.text[:0]
}

// inPaste looks for the end alone.
func (s *stream) inPaste(b byte) {
	s.held = append(s.held, b)
	for len(s.held) > 0 && !bytes.HasPrefix([]byte(pasteEnd), s.held) {
		s.pasteByte(s.held[0])
		s.held = s.held[1:]
	}
	if len(s.held) == len(pasteEnd) {
		s.close()
	}
}

// pasteByte takes a byte of a paste. What is not UTF-8 is dropped, and so are escape and the C1
// controls: to the reader behind us they begin sequences that would swallow the end.
func (s *stream) pasteByte(b byte) {
	s.text = append(s.text, b)
	for len(s.text) > 0 && utf8.FullRune(s.text) {
		r, n := utf8.DecodeRune(s.text)
		fine := r != utf8.RuneError && r != 0x1b && (r < 0x80 || r > 0x9f)
		if fine && s.size+n <= maxPaste {
			s.out = append(s.out, s.text[:n]...)
			s.size += n
		} else if fine {
			s.size = maxPaste // once cut, nothing shorter slips in behind it
		}
		s.text = s.text[n:]
	}
}

// wait is how long the next byte may take, 0 when nothing is open.
func (s *stream) wait() time.Duration {
	switch {
	case s.paste:
		return pasteWait
	case len(s.held) == 0:
		return 0
	case len(s.held) == 1:
		return escWait
	case s.held[1] == '[':
		return csiWait
	}
	return stringWait
}

// expire gives up waiting.
func (s *stream) expire() {
	if !s.paste {
		s.flush()
		return
	}
	s.close()
	s.pasteMayContinue = true
}

// complete reports whether a sequence of at least two bytes is whole.
func complete(seq []byte) bool {
	last := seq[len(seq)-1]
	switch {
	case seq[1] == 'O':
		return len(seq) == 3
	case seq[1] == '[' && len(seq) == 2, string(seq) == "\x1b[[": // the Linux console's f1 is ESC [ [ A
		return false
	case seq[1] == '[':
		return last < ' ' || last > '?'
	case stringSequence(seq):
		return last == '\a' || len(seq) > 2 && seq[len(seq)-2] == 0x1b
	}
	return true
}

// stringSequence reports whether a sequence lasts until ST or BEL.
func stringSequence(seq []byte) bool {
	return len(seq) > 1 && bytes.IndexByte([]byte("]P^_X"), seq[1]) >= 0
}
