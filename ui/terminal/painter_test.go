//go:build !windows

package terminal

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
)

// A line is a terminal that records when what arrived.
type line struct {
	stuck chan struct{} // nil for a line that is read

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
			mu.Lock() // as on an event loop, one after the other
			defer mu.Unlock()
			if p.ready() {
				p.show(picture{content: newest})
			}
		}
		p = newPainter(l, &canvas{environ: []string{"TERM=xterm-256color"}}, modes{w: 80, h: 24, profile: colorprofile.ANSI}, slow, func() { go draw() })
		over := make(chan struct{})
		defer func() {
			close(over)
			<-p.gone
		}()
		go p.run(over, func() {})
		p.take()
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

// A key is held down on a slow line, each repetition of which changes much of the screen.
func TestOnASlowLineAKeyWaitsForNoScreenButForWhatTheLineIsBehind(t *testing.T) {
	l := &line{}
	painting(t, l, true, func(p *painter, show func(string)) {
		time.Sleep(time.Second)
		l.since()
		begun, sent := time.Now(), 0
		for i := range 60 {
			p.hurry()
			show(strings.Repeat(strings.Repeat("ab"[i%2:i%2+1]+"-", 40)+"\n", 24))
			time.Sleep(33 * time.Millisecond)
		}
		drawn := l.since()
		if len(drawn) < 2 || len(drawn[0].text) < 1500 || !drawn[1].at.Equal(begun.Add(33*time.Millisecond)) {
			t.Errorf("the second key is drawn in %v", drawn[1:])
		}
		for _, w := range drawn {
			if ahead := time.Duration(sent)*byteGap - w.at.Sub(begun); ahead > headStart {
				t.Errorf("after %v the line is %v behind", w.at.Sub(begun), ahead)
			}
			sent += len(w.text)
		}
		show("nothing pressed")
		if w := l.since(); len(w) > 0 {
			t.Errorf("what no key has changed is not paced: %v", w)
		}
	})
}

// unread runs a painter in a bubble, on a terminal that is not read before it is let.
func unread(t *testing.T, f func(p *painter, read func() []write)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := &line{stuck: make(chan struct{})}
		p := newPainter(l, &canvas{environ: []string{"TERM=xterm"}}, modes{w: 80, h: 24}, false, func() {})
		over := make(chan struct{})
		go p.run(over, func() {})
		p.take() // does not wait for it
		synctest.Wait()
		f(p, func() []write {
			close(l.stuck)
			time.Sleep(time.Second)
			return l.since()
		})
		close(over)
		<-p.gone
	})
}

func TestForATerminalThatIsNotReadLittleIsKeptAndItIsNotWaitedFor(t *testing.T) {
	unread(t, func(p *painter, read func() []write) {
		for range 1000 {
			p.write(strings.Repeat("\a", 1000))
		}
		if n := len(p.raw); n > mostRaw {
			t.Errorf("%d bytes wait", n)
		}
		if err := p.leave(time.Second); err != errNotRead {
			t.Errorf("it was left: %v", err)
		}
		read()
	})
}

// The console says of each text that it was sent, and a person who sees that pastes the last one.
func TestTheNewestCopyReachesATerminalThatWasNotReadForLong(t *testing.T) {
	unread(t, func(p *painter, read func() []write) {
		sequence := func(text string) string { return "\x1b]52;c;" + strings.Repeat(text, mostRaw/3) + "\a" }
		newest := sequence("last")
		for _, text := range []string{"a", "b", "c", "d"} {
			p.write(sequence(text))
		}
		p.write(newest) // alone it is above the limit
		var sent strings.Builder
		for _, w := range read() {
			sent.WriteString(w.text)
		}
		if !strings.HasSuffix(sent.String(), newest) {
			t.Errorf("the newest of five copies is not among %d bytes", sent.Len())
		}
	})
}

// The keyboard modes are a stack: who leaves twice takes away those of the shell.
func TestATerminalIsTakenOnceAndLeftOnce(t *testing.T) {
	l := &line{}
	painting(t, l, false, func(p *painter, show func(string)) {
		for range 3 {
			p.take()
		}
		show("something")
		time.Sleep(time.Second)
		for range 3 {
			if err := p.leave(time.Second); err != nil {
				t.Fatal(err)
			}
		}
		var all strings.Builder
		for _, w := range l.since() {
			all.WriteString(w.text)
		}
		if taken, left := strings.Count(all.String(), "\x1b[>1u"), strings.Count(all.String(), "\x1b[<1u"); taken != 1 || left != 1 {
			t.Errorf("taken %d times, left %d times", taken, left)
		}
	})
}

func TestAPanicWhileDrawingLeavesTheTerminalAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, caught := &line{}, false
		p := newPainter(l, &canvas{environ: []string{"TERM=xterm"}}, modes{w: 80, h: 24}, false, func() {})
		go p.run(make(chan struct{}), func() { caught = recover() != nil })
		p.take()
		synctest.Wait()
		l.since()
		p.canvas.screen = nil
		p.show(picture{content: "panics"})
		<-p.gone
		if w := l.since(); !caught || len(w) != 1 || w[0].text != leaveModes+leaveView {
			t.Errorf("caught %v, written %v", caught, w)
		}
		begun := time.Now()
		if err := p.leave(time.Minute); err != nil || time.Since(begun) > 0 {
			t.Errorf("leaving it afterwards takes %v: %v", time.Since(begun), err)
		}
		p.take() // nor does anything wait for it
	})
}

// reading is a model that reads what its first frame shows.
type reading struct{ loading, coloured bool }

func (r *reading) Init() tea.Cmd { return nil }

func (r *reading) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case tea.BackgroundColorMsg:
		r.coloured = true
	case string:
		r.loading = false
	}
	return r, nil
}

func (r *reading) View() tea.View {
	return tea.NewView(fmt.Sprintf("read %v, coloured %v", !r.loading, r.coloured))
}

func TestTheFirstFrameWaitsForColoursAndDataAndNotForLong(t *testing.T) {
	const soon, never = answerHold / 2, time.Hour
	for _, c := range []struct {
		answers, read, drawn time.Duration
		slow                 bool
		has                  string
	}{
		{answers: soon, read: never, drawn: soon, has: "read false, coloured true"},
		{answers: never, read: soon, drawn: answerHold, has: "read true, coloured false"},
		{answers: never, read: never, drawn: answerHold, has: "read false, coloured false"},
		{answers: never, read: soon, drawn: soon, slow: true, has: "read true, coloured false"},
		{answers: never, read: never, drawn: loadHold, slow: true, has: "read false, coloured false"},
	} {
		synctest.Test(t, func(t *testing.T) {
			l, m, begun := &line{}, &reading{loading: true}, time.Now()
			p := NewProgram(m, Options{
				Out: l, Environ: []string{"TERM=xterm-256color"}, Width: 80, Height: 24, AskBackground: true, Slow: c.slow,
				Loading: func() bool { return m.loading },
			})
			go p.Run()
			synctest.Wait()
			l.since()
			time.AfterFunc(c.answers, func() {
				p.Send(tea.BackgroundColorMsg{})
				p.Send(uv.PrimaryDeviceAttributesEvent{})
			})
			time.AfterFunc(c.read, func() { p.Send("read") })
			time.Sleep(max(answerHold, loadHold))
			synctest.Wait()
			if w := l.since(); len(w) != 1 || !strings.Contains(w[0].text, c.has) || !w[0].at.Equal(begun.Add(c.drawn)) {
				t.Errorf("%+v: drawn is %v", c, w)
			}
			p.Kill()
			time.Sleep(never)
		})
	}
}
