package terminal

import (
	"bytes"
	"time"
	"unicode/utf8"
)

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"

	// escKey is the esc key of the kitty protocol. Bubble Tea would wait once more after a lone ESC.
	escKey = "\x1b[27u"

	// maxPaste limits how many bytes of a paste are accepted; the rest is dropped.
	maxPaste = 64 << 10
	// After a paste was closed by its timeout, a read of at least this many bytes continues it:
	// no person types that fast.
	pasteBurst = 8
	// longestSequence is longer than any reply of a terminal.
	longestSequence = 1024
)

// The waits for the next byte of an unfinished sequence or paste.
const (
	escWait     = 25 * time.Millisecond // without more bytes it was the esc key
	slowEscWait = 50 * time.Millisecond // the same where a network may split a sequence
	csiWait     = 500 * time.Millisecond
	stringWait  = 200 * time.Millisecond // shorter, because alt+] starts one too
	pasteWait   = 2 * time.Second
)

// A stream filters the bytes of a terminal. It passes on a sequence only when it is complete,
// closes a paste whose end never comes, and makes sure that a paste contains only text. Without
// it Bubble Tea would deliver half a sequence as keys after 50 ms, and treat every key as text
// while a paste is open.
type stream struct {
	slow             bool   // the terminal is behind a network
	out              []byte // ready to be read
	held             []byte // an unfinished sequence
	paste            bool
	size             int    // bytes of the paste so far
	text             []byte // an unfinished character of the paste
	pasteMayContinue bool   // the last paste was closed by its timeout
}

// feed handles the bytes of one read.
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
	if b == 0x1b && !stringSequence(s.held) { // the sequence before it is incomplete
		s.flush()
	}
	s.held = append(s.held, b)
	switch {
	case string(s.held) == pasteStart:
		s.held = s.held[:0]
		s.open()
	case string(s.held) == pasteEnd: // no paste is open
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

// inPaste handles a byte of a paste, in which only the end sequence has a meaning.
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

// pasteByte adds a byte to a paste. It drops invalid UTF-8, escape and C1 controls: Bubble Tea
// would read them as the start of a sequence that swallows the end of the paste.
func (s *stream) pasteByte(b byte) {
	s.text = append(s.text, b)
	for len(s.text) > 0 && utf8.FullRune(s.text) {
		r, n := utf8.DecodeRune(s.text)
		fine := r != utf8.RuneError && r != 0x1b && (r < 0x80 || r > 0x9f)
		if fine && s.size+n <= maxPaste {
			s.out = append(s.out, s.text[:n]...)
			s.size += n
		} else if fine {
			s.size = maxPaste // so that no shorter character is added after the cut
		}
		s.text = s.text[n:]
	}
}

// wait returns how long to wait for the next byte, 0 when nothing is unfinished.
func (s *stream) wait() time.Duration {
	switch {
	case s.paste:
		return pasteWait
	case len(s.held) == 0:
		return 0
	case len(s.held) == 1:
		if s.slow {
			return slowEscWait
		}
		return escWait
	case s.held[1] == '[':
		return csiWait
	}
	return stringWait
}

// expire ends the wait: it passes on an unfinished sequence and closes a paste.
func (s *stream) expire() {
	if len(s.held) == 1 && !s.paste {
		s.out, s.held = append(s.out, escKey...), s.held[:0]
		return
	}
	if !s.paste {
		s.flush()
		return
	}
	s.close()
	s.pasteMayContinue = true
}

// complete reports whether a sequence of at least two bytes is complete.
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

// stringSequence reports whether a sequence ends with ST or BEL.
func stringSequence(seq []byte) bool {
	return len(seq) > 1 && bytes.IndexByte([]byte("]P^_X"), seq[1]) >= 0
}
