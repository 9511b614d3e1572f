package ui

import (
	"context"
	"errors"
	"image/color"
	"math"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

const secret = "4242424242424242"

// A fakeScreen has a scope and collects the replies that are delivered to it.
type fakeScreen struct {
	Screen
	scope   Scope
	work    Work
	replies chan tea.Msg
}

func newFakeScreen(t *testing.T) *fakeScreen {
	d := &fakeScreen{replies: make(chan tea.Msg, 10)}
	d.scope = NewScope(t.Context(), &d.work, &Clock{}, d)
	return d
}

// receive returns the result in msg if it counts for c.
func receive[T any](c *Call[T], msg tea.Msg) (Result[T], bool) {
	o, is := msg.(outcome)
	if !is || o.task != &c.task || !o.counts() {
		return Result[T]{}, false
	}
	v, _ := o.value.(T)
	return Result[T]{v, o.err}, true
}

// run runs a command as the program would and delivers its reply.
func (d *fakeScreen) run(t *testing.T, cmd tea.Cmd) {
	t.Helper()
	if cmd == nil {
		t.Fatal("there is no command to run")
	}
	go func() {
		if r, ok := cmd().(tea.BatchMsg)[0]().(Reply); ok && r.To == Screen(d) {
			d.replies <- r.Msg
		}
	}()
}

// after returns work that takes d and stops with its context.
func after(d time.Duration, word string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		select {
		case <-time.After(d):
			return word, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

func TestOnlyTheLatestResultCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFakeScreen(t)
		var c Call[string]
		d.run(t, c.Ask(d.scope, after(3*time.Second, "first")))
		d.run(t, c.Ask(d.scope, func(context.Context) (string, error) { // ignores its context
			time.Sleep(2 * time.Second)
			return "second", nil
		}))
		d.run(t, c.Ask(d.scope, after(4*time.Second, "third")))
		var accepted []string
		for range 3 {
			if a, ok := receive(&c, <-d.replies); ok {
				accepted = append(accepted, a.Value)
			}
		}
		if strings.Join(accepted, " ") != "third" || c.Pending() {
			t.Errorf("accepted %q, pending %v", accepted, c.Pending())
		}
	})
}

func TestACommitRefusesToStartTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFakeScreen(t)
		var c Call[string]
		times := 0
		work := func(context.Context) (string, error) {
			times++
			time.Sleep(time.Second)
			return "paid", nil
		}
		d.run(t, c.Commit(d.scope, time.Minute, work))
		c.Drop() // must not drop a commit
		if c.Commit(d.scope, time.Minute, work) != nil || c.Ask(d.scope, work) != nil {
			t.Error("a second start was not refused")
		}
		if a, ok := receive(&c, <-d.replies); !ok || a.Value != "paid" || times != 1 {
			t.Errorf("result %+v, %v; the work was done %d times", a, ok, times)
		}
		d.run(t, c.Commit(d.scope, time.Minute, work)) // the first one has ended
		<-d.replies
	})
}

func TestWorkIsBusyFromCommitToResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFakeScreen(t)
		var a, b Call[string]
		cmd := a.Commit(d.scope, time.Minute, after(5*time.Second, "a"))
		if !d.work.Busy() {
			t.Error("work is not counted before its command runs")
		}
		d.run(t, cmd)
		d.run(t, b.Commit(d.scope, time.Minute, after(20*time.Second, "b")))
		short, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		if d.work.Wait(short) {
			t.Error("work ended while a commit was in progress")
		}
		start := time.Now()
		if !d.work.Wait(t.Context()) || time.Since(start) != 10*time.Second || d.work.Busy() {
			t.Errorf("waited %v, still busy %v", time.Since(start), d.work.Busy())
		}
		if !d.work.Wait(t.Context()) {
			t.Error("waiting for nothing did not succeed")
		}
	})
}

func TestAPanicIsAnErrorWithoutItsValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFakeScreen(t)
		var c Call[string]
		d.run(t, c.Commit(d.scope, time.Minute, func(context.Context) (string, error) { panic(secret) }))
		a, ok := receive(&c, <-d.replies)
		if !ok || !errors.Is(a.Err, ErrPanicked) || !strings.Contains(a.Err.Error(), "string") {
			t.Fatalf("result %+v, %v", a, ok)
		}
		if strings.Contains(a.Err.Error(), secret) {
			t.Errorf("the error contains the panic value: %v", a.Err)
		}
		if d.work.Busy() {
			t.Error("Work is still busy after a panic")
		}
	})
}

// luminance returns the relative luminance of WCAG 2, from 0 to 1.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	part := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*part(r) + 0.7152*part(g) + 0.0722*part(b)
}

// contrast is WCAG 2's, from 1 to 21.
func contrast(c, on color.Color) float64 {
	a, b := luminance(c), luminance(on)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// The sixteen colours as terminals mix them by default: black to white, then the bright ones.
var mixes = map[string][16]uint32{
	"xterm": {
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
		0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	},
	"VGA": {
		0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa,
		0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff,
	},
	"Windows": {
		0x0c0c0c, 0xc50f1f, 0x13a10e, 0xc19c00, 0x0037da, 0x881798, 0x3a96dd, 0xcccccc,
		0x767676, 0xe74856, 0x16c60c, 0xf9f1a5, 0x3b78ff, 0xb4009e, 0x61d6d6, 0xf2f2f2,
	},
}

// mixed is a colour as a terminal shows it.
func mixed(c color.Color, mix [16]uint32) color.Color {
	basic, ok := c.(ansi.BasicColor)
	if !ok {
		return c
	}
	rgb := mix[basic]
	return color.RGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 255}
}

// drawn are the styles of a theme that have a colour.
func drawn(t *Theme) map[string]Style {
	styles := map[string]Style{"accent": t.Accent, "error": t.Error, "muted": t.Muted}
	for tone := ToneGood; int(tone) < len(toneGlyphs); tone++ {
		styles[t.glyph(tone)] = t.tones[tone]
	}
	for name, s := range styles {
		if _, none := s.GetForeground().(lipgloss.NoColor); none {
			delete(styles, name)
		}
	}
	return styles
}

func TestEveryColourCanBeReadOnItsBackground(t *testing.T) {
	for _, sixteen := range []bool{false, true} {
		for _, b := range []Background{AnyBackground, Light, Dark} {
			theme := NewTheme(false)
			if sixteen {
				theme.Sixteen()
			}
			least, on := 4.5, map[Background][]ansi.BasicColor{Light: {ansi.BrightWhite}, Dark: {ansi.Black}}[b]
			if b == AnyBackground {
				least, on = 3, []ansi.BasicColor{ansi.BrightWhite, ansi.Black}
			}
			for name, s := range drawn(theme.On(b)) {
				for terminal, mix := range mixes {
					for _, ground := range on {
						least := least
						if s.GetForeground() == lipgloss.BrightMagenta && terminal == "Windows" { // always bold, behind a glyph: none of its magentas has more on black
							least = 3
						}
						if c := contrast(mixed(s.GetForeground(), mix), mixed(ground, mix)); c < least {
							t.Errorf("%q, sixteen %v, %s: %s has a contrast of %.2f", b, sixteen, terminal, name, c)
						}
					}
				}
			}
			if !theme.Accent.GetBold() || !theme.Error.GetBold() {
				t.Errorf("%q: bold text lost its weight", b)
			}
		}
	}
}

// What must be done, what failed and what is waited for differ before anybody has read a word.
func TestStatesDifferInSixteenColours(t *testing.T) {
	for _, b := range []Background{AnyBackground, Light, Dark} {
		theme, seen := NewTheme(false).Sixteen().On(b), map[string]Tone{}
		for _, tone := range []Tone{ToneGood, ToneBad, ToneWait, ToneAct, ToneUnknown} {
			look := theme.tones[tone].Render("x")
			if other, twice := seen[look]; twice {
				t.Errorf("%q: tones %d and %d look the same: %q", b, other, tone, look)
			}
			seen[look] = tone
		}
	}
}

// themes returns every theme.
func themes() map[string]*Theme {
	return map[string]*Theme{
		"usual": NewTheme(false), "ASCII": NewTheme(true), "light": NewTheme(false).On(Light), "dark": NewTheme(false).On(Dark),
		"high contrast": NewTheme(false).HighContrast(), "high contrast on light": NewTheme(true).On(Light).HighContrast(),
	}
}

// bare returns a drawing without colours and styles.
func bare(t *Theme, s string) string { return ansi.Strip(t.Text(s)) }

func TestTheFocusIsVisibleWithoutColours(t *testing.T) {
	for name, theme := range themes() {
		form := NewForm(theme, NewTextField(theme, "Name", ""), NewPANField(theme, "Card", ""), NewChoiceField(theme, "Paid", "", "once", "often"))
		table := NewTable(theme, Column{Title: "Name", Width: 10})
		table.SetRows(3, func(int) []Cell { return []Cell{{Text: "same"}} })
		table.Resize(40, 10)
		confirm := NewConfirm(theme, Question{Title: "Charge?", Yes: "Charge", No: "Go back"})
		confirm.Init(NewScope(t.Context(), &Work{}, &Clock{}, nil))
		confirm.armed = true
		for what, w := range map[string]struct {
			key  rune
			n    int
			draw func() string
			send func(tea.KeyPressMsg)
		}{
			"a field":   {tea.KeyTab, 3, func() string { s, _ := form.View(60, 20); return s }, func(k tea.KeyPressMsg) { form.Update(k) }},
			"a row":     {tea.KeyDown, 3, table.View, func(k tea.KeyPressMsg) { table.Update(k) }},
			"an answer": {tea.KeyRight, 2, func() string { s, _ := confirm.View(60, 20); return s }, func(k tea.KeyPressMsg) { confirm.Answer(k, nil, nil) }},
		} {
			seen := map[string]bool{}
			for range w.n {
				seen[regexp.MustCompile(`(?m) +$`).ReplaceAllString(bare(theme, w.draw()), "")] = true
				w.send(tea.KeyPressMsg{Code: w.key})
			}
			if len(seen) != w.n {
				t.Errorf("%s: %s in focus looks like another: %v", name, what, seen)
			}
		}
	}
}

func TestHighContrastHasNothingFaintAndNoColour(t *testing.T) {
	codes := regexp.MustCompile(`\x1b\[([0-9;]*)m`)
	for _, theme := range []*Theme{NewTheme(false).HighContrast(), NewTheme(false).On(Dark).HighContrast()} {
		drawn := theme.Muted.Render("m") + theme.Strong.Render("s") + theme.Accent.Render("a") + theme.Error.Render("e")
		for tone := range toneGlyphs {
			drawn += theme.Mark(Tone(tone), "w")
		}
		for _, m := range codes.FindAllStringSubmatch(drawn, -1) {
			for code := range strings.SplitSeq(m[1], ";") {
				if code != "" && code != "1" && code != "4" {
					t.Errorf("%q sets %s", m[0], code)
				}
			}
		}
		if theme.Accent.Render("x") == theme.Strong.Render("x") || theme.Muted.Render("x") != "x" {
			t.Error("the accent does not differ from bold text, or muted text has a style")
		}
	}
}
