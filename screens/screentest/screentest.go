// Package screentest shows one screen alone, in the console's chrome on an emulated terminal,
// so that the tests of a screen say what a person meets there. What the screen asks of
// the console is kept and not done.
//
//	synctest.Test(t, func(t *testing.T) {
//		c := screentest.Open(t, newlink.New(screentest.Theme, fake, place), 80, 24)
//		c.Fill("Name", "Dues").Press("ctrl+s")
//		c.Went(nav.Replace{To: nav.Share{Link: made}})
//	})
package screentest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"paydesk/screens/nav"
	"paydesk/ui"
	"paydesk/ui/termtest"
)

// Theme is the theme of every screen shown here.
var Theme = ui.NewTheme(false)

// pauseBetweenKeys is longer than a confirmation waits for quiet, and than an answer waits to stand
// alone.
const pauseBetweenKeys = 400 * time.Millisecond

// A Console has one screen.
type Console struct {
	*termtest.Terminal
	t    testing.TB
	root *root
}

func init() { time.Local = time.UTC } // times of day are shown in the zone of the person looking

// Open shows a screen in a window of w×h. It works in a synctest bubble only, in which the
// screen was made.
func Open(t testing.TB, s ui.Screen, w, h int) *Console {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	t.Cleanup(leave)
	r := &root{screen: s, ctx: ctx, leave: leave}
	return &Console{termtest.Open(t, r, w, h), t, r}
}

// Fill moves to the field with a label and types into it.
func (c *Console) Fill(label, text string) *Console {
	c.t.Helper()
	c.To(label).Type(text)
	return c
}

// Choose moves to the field with a label and to one of its words.
func (c *Console) Choose(label, word string) *Console {
	c.t.Helper()
	c.To(label)
	for range 12 {
		if line := c.Line("› " + label); strings.Contains(line, "(•) "+word) || strings.Contains(line, "‹ "+word+" ›") {
			return c
		}
		c.Press("right")
	}
	c.t.Fatalf("%q cannot be chosen for %q\n%s", word, label, c.Boxed())
	return c
}

// To puts the focus on the field with a label.
func (c *Console) To(label string) *Console {
	c.t.Helper()
	for range 24 {
		if c.Has("› " + label) {
			return c
		}
		c.Press("tab")
	}
	c.t.Fatalf("no field is called %q\n%s", label, c.Boxed())
	return c
}

// Slowly types text as a hand does that means it.
func (c *Console) Slowly(text string) *Console {
	c.t.Helper()
	c.Wait(pauseBetweenKeys)
	for _, r := range text {
		c.Type(string(r)).Wait(pauseBetweenKeys)
	}
	return c
}

// Yes answers the question on the screen, which must hold the words, after reading it.
func (c *Console) Yes(words string) *Console {
	c.t.Helper()
	c.Sees(words)
	return c.Slowly("y")
}

// Flood presses a key n times without any time passing.
func (c *Console) Flood(key string, n int) *Console {
	c.t.Helper()
	return c.Press(slices.Repeat([]string{key}, n)...)
}

// Went fails the test unless the screen asked the console for exactly this since it was
// last asked; without arguments, for nothing.
func (c *Console) Went(want ...tea.Msg) *Console {
	c.t.Helper()
	var got []tea.Msg
	c.onLoop(func() { got, c.root.requests = c.root.requests, nil })
	if diff := cmp.Diff(fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got)); diff != "" {
		c.t.Fatalf("it went elsewhere (-want +got):\n%s\n%s", diff, c.Boxed())
	}
	return c
}

// LastRequest is the last that the screen asked of the console, nil for nothing.
func (c *Console) LastRequest() tea.Msg {
	var last tea.Msg
	c.onLoop(func() {
		if n := len(c.root.requests); n > 0 {
			last = c.root.requests[n-1]
		}
	})
	return last
}

// Leave leaves the screen, whatever it says.
func (c *Console) Leave() *Console {
	c.onLoop(c.root.pop)
	return c.Wait(0)
}

// onLoop does something on the event loop, where the screen is used.
func (c *Console) onLoop(do func()) {
	c.t.Helper()
	c.Send(loopFunc(do))
}

// loopFunc is done on the event loop.
type loopFunc func()

// Busy reports whether something that must not be broken off is under way.
func (c *Console) Busy() bool { return c.root.work.Busy() }

// Idle fails the test when anything is written to the terminal within d.
func (c *Console) Idle(d time.Duration) *Console {
	c.t.Helper()
	before := len(c.Bytes())
	if c.Wait(d); len(c.Bytes()) != before {
		c.t.Errorf("%d bytes were written while nothing happened", len(c.Bytes())-before)
	}
	return c
}

// NeverShowed fails the test when one of the texts was ever written to the terminal.
func (c *Console) NeverShowed(secrets ...string) *Console {
	c.t.Helper()
	for _, s := range secrets {
		if strings.Contains(string(c.Bytes()), s) {
			c.t.Errorf("a secret was written to the terminal: it begins with %q", s[:min(4, len(s))])
		}
	}
	return c
}

// Fits fails the test when the screen, as it stands, oversteps a body between 0×0 and
// 130×45: every width in some heights, and every height in some widths.
func (c *Console) Fits() *Console {
	c.t.Helper()
	var wrong string
	c.onLoop(func() { wrong = c.root.sweep() })
	if wrong != "" {
		c.t.Fatal(wrong)
	}
	return c
}

func overstep(body string, cursor *tea.Cursor, w, h int) string {
	if n := strings.Count(body, "\n") + 1; body != "" && n > h {
		return fmt.Sprintf("it has %d lines", n)
	}
	for line := range strings.SplitSeq(body, "\n") {
		if n := ansi.StringWidth(line); n > w {
			return fmt.Sprintf("a line has %d cells", n)
		}
	}
	if cursor != nil && (cursor.X < 0 || cursor.Y < 0 || cursor.X >= w || cursor.Y >= h) {
		return fmt.Sprintf("the cursor is at %d,%d", cursor.X, cursor.Y)
	}
	return ""
}

// HelpBarFits fails the test when the first five keys of the screen do not fit a help bar of 78 cells.
func (c *Console) HelpBarFits() *Console {
	c.t.Helper()
	used, n := 0, 0
	var keys []key.Binding
	c.onLoop(func() { keys = c.root.screen.Keys() })
	for _, b := range keys {
		if b.Enabled() && n < 5 {
			used += ansi.StringWidth(b.Help().Key+" "+b.Help().Desc) + 3
			n++
		}
	}
	if used += len("? help"); used > 78 {
		c.t.Errorf("the first %d keys take %d cells of the help bar", n, used)
	}
	return c
}

// A root is the console around the screen, as far as one screen needs it.
type root struct {
	screen   ui.Screen
	ctx      context.Context
	leave    context.CancelFunc
	work     ui.Work
	requests []tea.Msg
	left     bool
	hint     string
	w, h     int
}

// sweep draws the screen in many sizes and says where it oversteps one.
func (r *root) sweep() string {
	defer func() { r.screen.Resize(ui.BodySize(r.w, r.h)) }()
	draw := func(w, h int) string {
		r.screen.Resize(w, h)
		body, cursor := r.screen.View()
		if err := overstep(body, cursor, w, h); err != "" {
			return fmt.Sprintf("in %d×%d %s:\n%s", w, h, err, body)
		}
		return ""
	}
	for w := range 131 {
		for _, h := range []int{0, 1, 2, 3, 6, 10, 14, 20, 36, 45} {
			if wrong := draw(w, h); wrong != "" {
				return wrong
			}
		}
	}
	for h := range 46 {
		for _, w := range []int{0, 1, 2, 13, 30, 58, 78, 97, 98, 118, 130} {
			if wrong := draw(w, h); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

// pop is what the console does to a screen that is left.
func (r *root) pop() {
	r.left = true
	r.leave()
}

func (r *root) Init() tea.Cmd { return r.screen.Init(ui.NewScope(r.ctx, &r.work, r.screen)) }

func (r *root) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		r.w, r.h = msg.Width, msg.Height
		r.screen.Resize(ui.BodySize(r.w, r.h))
	case nav.Push, nav.Unlocked, nav.Acknowledged:
		r.requests = append(r.requests, msg)
	case nav.Back, nav.Replace, nav.Restart, nav.Connect, nav.Rekey:
		r.requests = append(r.requests, msg)
		r.pop()
	case loopFunc:
		msg()
	}
	if r.left {
		return r, nil
	}
	switch msg := msg.(type) {
	case ui.Reply:
		return r, r.screen.Update(msg.Msg)
	case tea.KeyPressMsg:
		return r, r.key(msg)
	case tea.PasteMsg:
		return r, r.screen.Update(msg)
	}
	return r, nil
}

// key does with esc what the console does.
func (r *root) key(k tea.KeyPressMsg) tea.Cmd {
	r.hint = ""
	if k.String() != "esc" {
		return r.screen.Update(k)
	}
	if h, ok := r.screen.(ui.Leaver); ok && h.WhyStay() != "" {
		r.hint = h.WhyStay()
		return nil
	}
	if b, ok := r.screen.(interface{ Back() bool }); ok && b.Back() {
		return r.screen.Update(ui.Interrupted{})
	}
	return nav.Pop
}

func (r *root) View() tea.View {
	f := ui.Frame{
		Theme: Theme, Environment: "TEST", Host: "payments.example", KeySource: "keyring …0042",
		Title: r.screen.Title(), Keys: r.screen.Keys(),
	}
	if !slices.ContainsFunc(f.Keys, func(b key.Binding) bool { return slices.Contains(b.Keys(), "esc") }) {
		f.Keys = append(f.Keys, ui.Back)
	}
	if n, ok := r.screen.(interface{ Notice() ui.Notice }); ok {
		f.Notice = n.Notice()
	}
	if r.hint != "" {
		f.Notice = ui.Notice{Tone: ui.ToneAct, Text: r.hint}
	}
	body, cursor := r.screen.View()
	v := tea.NewView(f.Render(r.w, r.h, body))
	if v.AltScreen = true; cursor != nil && !ui.TooSmall(r.w, r.h) {
		cursor.X += ui.BodyX
		cursor.Y += ui.BodyY
		v.Cursor = cursor
	}
	return v
}

// Green counts the cells in the colour of success.
func (c *Console) Green() int {
	n := 0
	for y := range len(strings.Split(c.Screen(), "\n")) {
		for x := range 200 {
			if cell := c.Cell(x, y); cell.Style.Fg == ansi.Green {
				n++
			}
		}
	}
	return n
}
