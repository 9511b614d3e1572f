//go:build !windows

package terminal

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"pgregory.net/rapid"
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

// drawing is a canvas that has taken an xterm of 80×24 and shows a picture on it.
func drawing(p picture, change func(*modes)) (*canvas, modes) {
	c := &canvas{environ: []string{"TERM=xterm-256color"}, queries: ansi.RequestPrimaryDeviceAttributes}
	c.take()
	m := modes{w: 80, h: 24, profile: colorprofile.ANSI}
	change(&m)
	c.frame(p, m)
	return c, m
}

func asBefore(*modes) {}

func synchronized(m *modes) { m.synchronized = true }

func withCursor(content string) picture {
	return picture{content: content, cursor: cursor{placed: true, shown: true, x: 2, style: 2}}
}

func TestWhereTheTerminalCanAFrameAppearsAtOnce(t *testing.T) {
	c, m := drawing(withCursor("before"), synchronized)
	got := string(c.frame(withCursor("after"), m))
	if !strings.HasPrefix(got, "\x1b[?2026h") || !strings.HasSuffix(got, "\x1b[?2026l") || strings.Contains(got, "\x1b[?25") {
		t.Errorf("a change is written as %q", got)
	}
	if again := c.frame(withCursor("after"), m); len(again) > 0 {
		t.Errorf("no change is written as %q", again)
	}
	titled := withCursor("after")
	titled.title = "paydesk"
	if got := string(c.frame(titled, m)); got != pushTitle+"\x1b]2;paydesk\a" {
		t.Errorf("a title alone is written as %q", got)
	}
	titled.cursor.x = 40
	if got := string(c.frame(titled, m)); !strings.HasPrefix(got, "\x1b[?2026h") || strings.Contains(got, "after") {
		t.Errorf("a move of the cursor is written as %q", got)
	}
}

func TestElsewhereTheCursorIsHiddenWhileItFlies(t *testing.T) {
	c, m := drawing(withCursor("before"), asBefore)
	got := string(c.frame(withCursor("after"), m))
	if !strings.HasPrefix(got, "\x1b[?25l") || !strings.HasSuffix(got, "\x1b[?25h") || strings.Contains(got, "2026") {
		t.Errorf("a change is written as %q", got)
	}
	if got := string(c.frame(picture{content: "after"}, m)); !strings.Contains(got, "\x1b[?25l") || strings.Contains(got, "\x1b[?25h") {
		t.Errorf("a picture without a cursor is written as %q", got)
	}
	if got := string(c.frame(withCursor("more"), m)); !strings.HasSuffix(got, "\x1b[?25h") || strings.Contains(got, "\x1b[?25l") {
		t.Errorf("a cursor that appears is written as %q", got)
	}
}

// A title of its own, the shape of its cursor and the way it measures characters are set back.
func TestATerminalIsLeftAsItWas(t *testing.T) {
	c, _ := drawing(picture{}, asBefore)
	plain := c.leave()
	for _, reset := range []string{"\x1b[>4m", "\x1b[<1u", "\x1b[?2004l", "\x1b[?7h", "\x1b[m\x1b[H\x1b[J\x1b[?1049l\x1b[?25h"} {
		if !strings.Contains(plain, reset) {
			t.Errorf("it is left with %q, without %q", plain, reset)
		}
	}
	for name, set := range map[string]struct {
		picture
		change       func(*modes)
		sets, resets string
	}{
		"a title":            {picture{title: "paydesk"}, asBefore, "\x1b[22;2t\x1b]2;paydesk\a", "\x1b]2;\a\x1b[23;2t"},
		"a bar for a cursor": {picture{cursor: cursor{placed: true, shown: true, style: 6}}, asBefore, "\x1b[6 q", "\x1b[0 q"},
		"a hyperlink":        {picture{content: linkTo("https://a.example/a;b", "here")}, asBefore, "\x1b]8;id=paydesk;https://a.example/a;b\ahere\x1b]8;;\a", "\x1b]8;;\a"},
		"whole characters":   {picture{}, func(m *modes) { m.graphemes++ }, "\x1b[?2027h", "\x1b[?2027l"},
	} {
		c, m := drawing(picture{}, asBefore)
		set.change(&m)
		if got := string(c.frame(set.picture, m)); !strings.Contains(got, set.sets) {
			t.Errorf("%s is set with %q", name, got)
		}
		if left := c.leave(); !strings.Contains(left, set.resets) || !strings.HasSuffix(left, leaveView) {
			t.Errorf("after %s it is left with %q", name, left)
		}
		if strings.Contains(plain, set.resets) {
			t.Errorf("without %s it is left with %q", name, plain)
		}
	}
}

func linkTo(url, text string) string { return "\x1b]8;id=paydesk;" + url + "\a" + text + "\x1b]8;;\a" }

// What is drawn after a link, in the same frame or the next, does not lead to it, and a link that changes still leads where it did.
func TestAHyperlinkIsThatOfItsCellsAlone(t *testing.T) {
	c, m := drawing(picture{content: "before"}, asBefore)
	term := vt.NewEmulator(80, 24)
	show := func(content string) {
		t.Helper()
		if _, err := term.Write(c.frame(picture{content: content}, m)); err != nil {
			t.Fatal(err)
		}
	}
	const one, other = "https://a.example/?redirect=true", "https://a.example/?redirect=false"
	for i, url := range []string{one, one, other, one, "", one} {
		word := strings.Repeat(string(rune('a'+i)), 4)
		link := word
		if url != "" {
			link = linkTo(url, word)
		}
		show("title\n" + link + "\n" + link)
		for x := range 6 {
			want := ""
			if x < len(word) {
				want = url
			}
			for y := 1; y <= 2; y++ {
				if got := term.CellAt(x, y).Link.URL; got != want {
					t.Errorf("frame %d: cell %d of line %d leads to %q, not %q", i, x, y, got, want)
				}
			}
		}
		if got := term.CellAt(0, 0).Link.URL; got != "" {
			t.Errorf("frame %d: the title leads to %q", i, got)
		}
	}
}

// What a service says may stand in a title.
func TestATitleCannotEndItsSequence(t *testing.T) {
	c, m := drawing(picture{}, asBefore)
	p := pictureOf(tea.View{WindowTitle: "a\ab\x1b]0;c\u009cd\x9be\u202ef"})
	if got := string(c.frame(p, m)); got != pushTitle+"\x1b]2;ab]0;cd\ufffdef\a" {
		t.Errorf("written is %q", got)
	}
}

func TestABareTerminalIsAskedAndSentNothingThatItDoesNotKnow(t *testing.T) {
	for name, bare := range map[string]bool{"linux": true, "linux-16color": true, "vt100": true, "vt220": true, "ansi": true, "xterm-16color": false} {
		getenv := func(variable string) string { return map[string]string{"TERM": name}[variable] }
		c := &canvas{environ: []string{"TERM=" + name}, queries: queries(getenv, true), bare: Bare(name)}
		sent := string(c.take()) + string(c.frame(picture{content: "a\n\n\n" + strings.Repeat(" ", 40) + "b", title: "paydesk"}, modes{w: 80, h: 24})) + c.leave()
		for _, code := range []string{"\x1b[>", "\x1b[<", "\x1b[?u", "\x1b]", "$p"} {
			if strings.Contains(sent, code) == bare {
				t.Errorf("%s is sent %q", name, sent)
			}
		}
		if !strings.Contains(sent, ansi.RequestPrimaryDeviceAttributes) {
			t.Errorf("%s is not asked for what every terminal answers: %q", name, sent)
		}
	}
}

// Lines are rewritten, moved, styled and emptied: whatever was drawn before, a picture is drawn as on an
// empty screen.
func TestAfterAnyPicturesTheScreenIsTheLastOne(t *testing.T) {
	const w, h = 12, 14
	line := rapid.SampledFrom([]string{"", "", "a", "bb", "\x1b[1ma\x1b[m", "\x1b[38;5;28mccc\x1b[m", "漢字 d", "e  f", "    g", strings.Repeat("x", w)})
	pictures := rapid.SliceOfN(rapid.SliceOfN(line, 0, h+1), 1, 6)
	rapid.Check(t, func(t *rapid.T) {
		drawn := vt.NewEmulator(w, h)
		c := &canvas{environ: []string{"TERM=xterm-256color"}}
		show := func(c *canvas, on *vt.Emulator, p picture) {
			_, _ = on.Write(c.frame(p, modes{w: w, h: h, profile: colorprofile.ANSI256}))
		}
		_, _ = drawn.Write(c.take())
		var before []string
		for _, lines := range pictures.Draw(t, "pictures") {
			if at := rapid.IntRange(-3, 3).Draw(t, "moved by"); at > 0 && at < len(before) {
				lines = append(slices.Clone(before[at:]), lines...)
			} else if at < 0 {
				lines = append(slices.Clone(lines[:min(-at, len(lines))]), before...)
			}
			before = lines
			p := picture{content: strings.Join(lines, "\n")}
			show(c, drawn, p)
			once, fresh := vt.NewEmulator(w, h), &canvas{environ: c.environ}
			_, _ = once.Write(fresh.take())
			show(fresh, once, p)
			for y := range h {
				for x := range w {
					if is, want := drawn.CellAt(x, y), once.CellAt(x, y); !is.Equal(want) {
						t.Fatalf("column %d of line %d is %+v, not %+v", x, y, is, want)
					}
				}
			}
		}
	})
}
