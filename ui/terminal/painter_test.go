//go:build !windows

package terminal

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/colorprofile"
)

// A line is a terminal that records when what arrived, and that may take its time.
type line struct {
	perByte time.Duration
	stuck   chan struct{} // nil for a line that is read

	mu     sync.Mutex
	writes []write
}

type write struct {
	at   time.Time
	text string
}

func (l *line) Write(p []byte) (int, error) {
	if l.stuck != nil {
		<-l.stuck
	}
	time.Sleep(l.perByte * time.Duration(len(p)))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writes = append(l.writes, write{time.Now(), string(p)})
	return len(p), nil
}

// since forgets what was written, and returns it.
func (l *line) since() []write {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.writes
	l.writes = nil
	return w
}

// painting runs a painter in a bubble. Its pictures are of the newest text, as a model's are.
func painting(t *testing.T, l *line, slow bool, f func(p *painter, show func(string))) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		newest := ""
		var p *painter
		draw := func() {
			mu.Lock()
			text := newest
			mu.Unlock()
			if p.ready() {
				p.show(picture{content: text})
			}
		}
		p = newPainter(l, &canvas{environ: []string{"TERM=xterm-256color"}}, modes{w: 80, h: 24, profile: colorprofile.ANSI}, slow, func() { go draw() })
		over := make(chan struct{})
		defer close(over)
		go p.run(over, func() {})
		p.start()
		synctest.Wait()
		f(p, func(text string) {
			mu.Lock()
			newest = text
			mu.Unlock()
			draw()
			synctest.Wait()
		})
	})
}

func TestTheFirstChangeIsDrawnAtOnceAndTheNextAfterAPause(t *testing.T) {
	l := &line{}
	painting(t, l, false, func(_ *painter, show func(string)) {
		time.Sleep(time.Second)
		l.since()
		begun := time.Now()
		for i := range 30 { // keys, a millisecond apart
			show(fmt.Sprintf("key %02d", i))
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		drawn := l.since()
		if len(drawn) == 0 || !drawn[0].at.Equal(begun) {
			t.Fatalf("the first change is not drawn at once: %v", drawn)
		}
		for i := 1; i < len(drawn); i++ {
			if gap := drawn[i].at.Sub(drawn[i-1].at); gap < frameGap {
				t.Errorf("frame %d is drawn %v after the one before", i, gap)
			}
		}
		last := drawn[len(drawn)-1]
		if late := last.at.Sub(begun.Add(29 * time.Millisecond)); late > frameGap || !strings.HasSuffix(last.text, "9") {
			t.Errorf("the last change is drawn %v late: %q", late, last.text)
		}
	})
}

func TestNothingIsWrittenWhenNothingChanged(t *testing.T) {
	l := &line{}
	painting(t, l, false, func(_ *painter, show func(string)) {
		show("the same")
		time.Sleep(time.Second)
		l.since()
		for range 5 {
			show("the same")
			time.Sleep(time.Second)
		}
		if drawn := l.since(); len(drawn) > 0 {
			t.Errorf("it writes %v", drawn)
		}
	})
}

func TestASlowLineIsSentNoMoreThanItCarries(t *testing.T) {
	l := &line{}
	painting(t, l, true, func(_ *painter, show func(string)) {
		time.Sleep(time.Second)
		l.since()
		for i := range 200 {
			show(strings.Repeat(fmt.Sprint(i%10), 1500))
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		drawn := l.since()
		for i := 1; i < len(drawn); i++ {
			before := drawn[i-1]
			if gap, least := drawn[i].at.Sub(before.at), time.Duration(len(before.text))*byteGap; gap < least {
				t.Errorf("frame %d is drawn %v after %d bytes", i, gap, len(before.text))
			}
		}
		if len(drawn) < 3 || !strings.Contains(drawn[len(drawn)-1].text, "9") {
			t.Errorf("%d frames", len(drawn))
		}
	})
}

func TestOnAFullLineTheNewestPictureWins(t *testing.T) {
	l := &line{perByte: time.Second / 960} // 9600 bit/s
	painting(t, l, true, func(_ *painter, show func(string)) {
		page := func(i int) string { // all of it differs from the one before
			var b strings.Builder
			for j := range 60 {
				fmt.Fprintf(&b, "%07d ", (i+1)*(j+1)*7919)
			}
			return b.String()
		}
		for i := range 100 {
			show(page(i))
			time.Sleep(10 * time.Millisecond)
		}
		ended := time.Now()
		time.Sleep(time.Minute)
		drawn := l.since()
		last := drawn[len(drawn)-1]
		if n := len(drawn); n > 20 {
			t.Errorf("%d frames are drawn", n)
		}
		if late := last.at.Sub(ended); late > 1500*time.Millisecond { // a frame that was begun, and this one
			t.Errorf("the newest picture is there after %v", late)
		}
	})
}

func TestForATerminalThatIsNotReadLittleIsKeptAndItIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &line{stuck: make(chan struct{})}
		p := newPainter(l, &canvas{environ: []string{"TERM=xterm"}}, modes{w: 80, h: 24}, false, func() {})
		over := make(chan struct{})
		go p.run(over, func() {})
		go p.start()
		synctest.Wait()
		for range 1000 {
			p.write(strings.Repeat("\a", 1000))
		}
		if n := len(p.raw); n > mostRaw {
			t.Errorf("%d bytes wait", n)
		}
		if err := p.stop(time.Second); err != errNotRead {
			t.Errorf("it was left: %v", err)
		}
		close(l.stuck)
		synctest.Wait()
		close(over)
	})
}

func TestWhatIsNoFrameIsWrittenBeforeTheNextFrameInItsOrder(t *testing.T) {
	l := &line{}
	painting(t, l, false, func(p *painter, show func(string)) {
		show("one")
		p.write("\x1b]52;c;MQ==\a")
		p.write("\a")
		show("two")
		time.Sleep(time.Second)
		var all bytes.Buffer
		for _, w := range l.since() {
			all.WriteString(w.text)
		}
		sent := all.String()
		first, copied, bell, second := strings.Index(sent, "one"), strings.Index(sent, "\x1b]52;c;MQ==\a"), strings.LastIndex(sent, "\a"), strings.Index(sent, "tw")
		if first < 0 || copied < first || bell < copied || second < bell {
			t.Errorf("written is %q", sent)
		}
	})
}

func TestTheTerminalIsLeftAsItWas(t *testing.T) {
	l := &line{}
	painting(t, l, false, func(p *painter, show func(string)) {
		taken := l.since()[0].text
		p.setModes(func(m *modes) { m.graphemes++ })
		show("something")
		time.Sleep(time.Second)
		l.since()
		if err := p.stop(0); err != nil {
			t.Fatal(err)
		}
		left := l.since()[0].text
		for set, reset := range map[string]string{"\x1b[?1049h": "\x1b[?1049l", "\x1b[?25l": "\x1b[?25h", "\x1b[?2004h": "\x1b[?2004l", "\x1b[>1u": "\x1b[<1u", "\x1b[>4;2m": "\x1b[>4m"} {
			if !strings.Contains(taken, set) || !strings.Contains(left, reset) {
				t.Errorf("%q: taken with %q, left with %q", set, taken, left)
			}
		}
		if !strings.Contains(left, "\x1b[?2027l") || !strings.HasSuffix(left, "\x1b[m\x1b[H\x1b[J\x1b[?1049l\x1b[?25h") {
			t.Errorf("left with %q", left)
		}
		show("while it is left")
		time.Sleep(time.Second)
		if w := l.since(); len(w) > 0 {
			t.Errorf("written while it was left: %v", w)
		}
		p.start()
		time.Sleep(time.Second)
		if w := l.since(); len(w) < 2 || !strings.Contains(w[1].text, "while it is left") {
			t.Errorf("drawn when it was taken again: %v", w)
		}
	})
}

func TestAfterAnAttemptToLeaveAStalledTerminalItIsDrawnAgain(t *testing.T) {
	l := &line{}
	painting(t, l, false, func(p *painter, show func(string)) {
		show("before")
		time.Sleep(time.Second)
		l.stuck = make(chan struct{})
		if err := p.stop(time.Second); err != errNotRead {
			t.Fatalf("it was left: %v", err)
		}
		close(l.stuck)
		p.start() // as [Program.Redraw] does
		time.Sleep(time.Second)
		l.since()
		show("afterwards")
		time.Sleep(time.Second)
		if w := l.since(); len(w) != 1 || !strings.Contains(w[0].text, "afterwards") {
			t.Errorf("written is %v", w)
		}
	})
}
