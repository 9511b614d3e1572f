package terminal

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// reads feeds a stream and returns what it passes on and whether it waits for more.
func reads(s *stream, parts ...string) (out string, waits bool) {
	for _, p := range parts {
		s.feed([]byte(p))
	}
	out = string(s.out)
	s.out = s.out[:0]
	return out, s.wait() > 0
}

func TestALoneEscIsPassedOnWhenNothingFollows(t *testing.T) {
	var s stream
	if out, waits := reads(&s, "\x1b"); out != "" || !waits || s.wait() != escWait {
		t.Errorf("%q, waits %v", out, s.wait())
	}
	s.expire()
	if out, waits := reads(&s); out != escKey || waits {
		t.Errorf("%q", out)
	}
}

// A connection may stall for longer than the paste timeout.
func TestTheLateRestOfAClosedPasteIsNotKeys(t *testing.T) {
	for _, late := range []string{"the rest of it\ry", "y\r" + pasteEnd} {
		var s stream
		reads(&s, pasteStart+"text")
		s.expire()
		reads(&s)
		out, _ := reads(&s, late)
		if !strings.HasPrefix(out, pasteStart) {
			t.Errorf("%q became %q", late, out)
		}
		if !strings.Contains(late, pasteEnd) {
			out, _ = reads(&s, pasteEnd)
		}
		if !strings.HasSuffix(out, pasteEnd) || s.paste || s.pasteMayContinue {
			t.Errorf("%q: it ends in %q", late, out)
		}
	}
}

func TestAPasteIsCutAtItsLimit(t *testing.T) {
	var s stream
	out, waits := reads(&s, pasteStart, strings.Repeat("é", maxPaste), pasteEnd, "q")
	if body, ok := strings.CutPrefix(out, pasteStart); !ok || !strings.HasSuffix(body, pasteEnd+"q") || len(body) > maxPaste+len(pasteEnd)+1 || waits {
		t.Errorf("%d bytes, waits %v", len(out), waits)
	}
}

// However a paste is split into reads, it contains nothing that Bubble Tea reads as a sequence,
// and a key after its end is a key.
func TestAPasteIsOnlyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pasted := strings.ReplaceAll(string(rapid.SliceOf(rapid.Byte()).Draw(t, "pasted")), pasteEnd, "")
		all := pasteStart + pasted + pasteEnd + "q"
		var s stream
		var out string
		for len(all) > 0 {
			n := rapid.IntRange(1, len(all)).Draw(t, "read")
			part, _ := reads(&s, all[:n])
			out, all = out+part, all[n:]
		}
		body, ok := strings.CutPrefix(out, pasteStart)
		body, closed := strings.CutSuffix(body, pasteEnd+"q")
		if !ok || !closed || !utf8.ValidString(body) || strings.ContainsFunc(body, func(r rune) bool { return r == 0x1b || r >= 0x80 && r <= 0x9f }) {
			t.Fatalf("%q became %q", pasted, out)
		}
	})
}

// Outside a paste only paste markers are lost; no other byte is lost, added or moved. The esc key is
// written as the kitty protocol writes it.
func TestKeysPassUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var typed strings.Builder
		for _, part := range rapid.SliceOf(rapid.SampledFrom([]string{"a", "\r", "\x03", "\x1b", "\x1b[B", "\x1b[", "\x1bO", "é", "\x9b", "\x1b]", "\a", "~", "\x1b[2"})).Draw(t, "typed") {
			typed.WriteString(part)
		}
		want, all := typed.String(), typed.String()
		var s stream
		var out string
		for len(all) > 0 {
			n := rapid.IntRange(1, len(all)).Draw(t, "read")
			part, _ := reads(&s, all[:n])
			out, all = out+part, all[n:]
			if rapid.Bool().Draw(t, "pause") && s.wait() > 0 {
				s.expire()
			}
		}
		s.expire()
		part, _ := reads(&s)
		if strings.ReplaceAll(out+part, escKey, "\x1b") != want {
			t.Fatalf("%q became %q", want, out+part)
		}
	})
}

func TestAPasteWithoutAnEndIsClosedAndKeysWorkAgain(t *testing.T) {
	for _, tail := range []string{"", "\x1b", "\x1b[20", "\x1b[201"} {
		var s stream
		if _, waits := reads(&s, pasteStart+"text"+tail); !waits {
			t.Error("it does not wait for the rest of a paste")
		}
		s.expire()
		out, waits := reads(&s)
		if out = pasteStart + out; !strings.HasSuffix(out, pasteEnd) || waits {
			t.Errorf("%q: %q", tail, out)
		}
		if out, _ := reads(&s, "q"); out != "q" {
			t.Errorf("a key is %q", out)
		}
	}
}

// On Windows SIGTERM arrives when the window is closed.
func TestTheSignalOfAClosedWindowEndsTheRun(t *testing.T) {
	s := &session{ending: make(chan struct{}), exit: func(int) {}}
	ends := make(chan os.Signal)
	go s.follow(ends, nil)
	ends <- syscall.SIGTERM
	<-s.ending
	if got := s.status.Load(); got != 128+15 {
		t.Errorf("it ends with %d", got)
	}
}

func TestARunEndsBeforeWindowsEndsTheProcess(t *testing.T) {
	if patience := 5 * time.Second; exitDeadline >= patience || quitTimeout+drainTimeout+writeTimeout >= exitDeadline {
		t.Error("an end by force takes too long")
	}
}
