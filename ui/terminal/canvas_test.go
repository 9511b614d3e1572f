//go:build !windows

package terminal

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"pgregory.net/rapid"
)

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
