// Package screentest tests one screen alone, in the console's chrome on an emulated terminal. The
// messages by which the screen requests something of the console, such as navigation, are recorded
// and not carried out. The tests in its folder are those of several screens and of packages present and report, in one program:
// each program of tests links everything that the console is made of.
//
//	synctest.Test(t, func(t *testing.T) {
//		c := screentest.Open(t, links.NewForm(screentest.Theme, fake, place, ""), 80, 24)
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

	"paydesk/api/statefile"
	"paydesk/screens/nav"
	"paydesk/ui"
	"paydesk/ui/termtest"
)

// Theme is the theme of the screens under test.
var Theme = ui.NewTheme(false)

// A Console is a console with one screen.
type Console struct {
	termtest.Driver[*Console]
	t    testing.TB
	root *root
}

func init() {
	time.Local = time.UTC        // screens show local time
	statefile.Nameless().Close() // before a bubble of fake time begins
}

// Open shows a screen in a window of w×h. Call it in the synctest bubble in which the screen was
// created.
func Open(t testing.TB, s ui.Screen, w, h int) *Console {
	t.Helper()
	return open(t, &root{screen: s}, w, h)
}

// OpenBare shows a screen without the chrome in a body of w×h, so that a golden is the body alone.
// Below it are that many lines, of which the last is the screen's notice.
func OpenBare(t testing.TB, s ui.Screen, w, h, below int) *Console {
	t.Helper()
	return open(t, &root{screen: s, bare: true, spare: below}, w, h+below)
}

func open(t testing.TB, r *root, w, h int) *Console {
	t.Helper()
	r.ctx, r.leave = context.WithCancel(t.Context())
	t.Cleanup(r.leave)
	r.table = ReadKeyTable(t)
	t.Cleanup(func() {
		for differs := range r.untabled {
			t.Error(differs)
		}
	})
	c := &Console{t: t, root: r}
	c.Driver = termtest.Drive(t, r, w, h, c)
	return c
}

// Went fails the test unless the screen has sent the console exactly these requests since the last
// call of Went.
func (c *Console) Went(want ...tea.Msg) *Console {
	c.t.Helper()
	var got []tea.Msg
	c.OnLoop(func() { got, c.root.requests = c.root.requests, nil })
	// With the types of the routes. Of a key only that it is one: it is not printed.
	if w, g := fmt.Sprintf("%#v", want), fmt.Sprintf("%#v", got); w != g && len(want)+len(got) > 0 {
		c.t.Fatalf("other requests to the console:\nwant %s\ngot  %s\n%s", w, g, c.Boxed())
	}
	return c
}

// Busy reports whether a commit is in progress.
func (c *Console) Busy() bool { return c.root.work.Busy() }

// LastRequest returns the last request that the screen has sent the console, nil for none.
func (c *Console) LastRequest() tea.Msg {
	var last tea.Msg
	c.OnLoop(func() {
		if n := len(c.root.requests); n > 0 {
			last = c.root.requests[n-1]
		}
	})
	return last
}

// Leave pops the screen, even if it gives a reason to stay.
func (c *Console) Leave() *Console {
	c.OnLoop(c.root.pop)
	return c.Wait(0)
}

// OnLoop calls a function on the event loop, where the screen may be used.
func (c *Console) OnLoop(do func()) {
	c.t.Helper()
	c.Send(loopFunc(do))
}

// A loopFunc is a message that is called on the event loop.
type loopFunc func()

// Idle fails the test if anything is written to the terminal within d.
func (c *Console) Idle(d time.Duration) *Console {
	c.t.Helper()
	before := len(c.Bytes())
	if c.Wait(d); len(c.Bytes()) != before {
		c.t.Errorf("%d bytes were written while idle", len(c.Bytes())-before)
	}
	return c
}

// NeverShowed fails the test if one of the texts was ever written to the terminal.
func (c *Console) NeverShowed(secrets ...string) *Console {
	c.t.Helper()
	for _, s := range secrets {
		if strings.Contains(string(c.Bytes()), s) {
			c.t.Errorf("a secret that starts with %q was written to the terminal", s[:min(4, len(s))])
		}
	}
	return c
}

// Fits fails the test if the screen in its present state draws outside of a body of any size: see
// [termtest.Oversteps].
func (c *Console) Fits() *Console {
	c.t.Helper()
	var failure string
	c.OnLoop(func() { failure = c.root.sweep() })
	if failure != "" {
		c.t.Fatal(failure)
	}
	return c
}

// HelpBarFits fails the test if the first five keys of the screen do not fit a help bar of 78 cells.
func (c *Console) HelpBarFits() *Console {
	c.t.Helper()
	used, n := 0, 0
	var keys []key.Binding
	c.OnLoop(func() { keys = c.root.screen.Keys() })
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

// A root is the part of the console that one screen needs.
type root struct {
	ui.Clock
	screen   ui.Screen   // on top
	below    []ui.Screen // it is a part of: [nav.Over]
	ctx      context.Context
	leave    context.CancelFunc
	work     ui.Work
	requests []tea.Msg
	left     bool
	hint     string // why the screen is not left
	w, h     int
	bare     bool // draws no chrome
	spare    int  // lines below a bare body

	table    KeyTable
	untabled map[string]bool // the differences of the screen's keys from the table
}

// bodySize is the size of the screen.
func (r *root) bodySize() (w, h int) {
	if r.bare {
		return r.w, r.h - r.spare
	}
	return ui.BodySize(r.w, r.h)
}

// sweep draws the screen in every class of size and returns the first failure.
func (r *root) sweep() string {
	defer func() { r.screen.Resize(r.bodySize()) }()
	return termtest.Oversteps(func(w, h int) (string, *tea.Cursor) {
		r.screen.Resize(w, h)
		return r.screen.View()
	})
}

// pop ends the screen as the console does when it is left.
func (r *root) pop() {
	r.left = true
	r.leave()
}

func (r *root) Init() tea.Cmd { return r.screen.Init(ui.NewScope(r.ctx, &r.work, &r.Clock, r.screen)) }

func (r *root) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		r.w, r.h = msg.Width, msg.Height
		r.screen.Resize(r.bodySize())
		if s, ok := r.screen.(ui.Resizer); ok {
			return r, s.Resized()
		}
	case nav.Push:
		if over, is := msg.To.(nav.Over); is {
			r.below, r.screen = append(r.below, r.screen), over.Screen
			r.screen.Resize(r.bodySize())
			return r, r.Init()
		}
		r.requests = append(r.requests, msg)
	case nav.Pin:
		if r.requests = append(r.requests, msg); msg.Leave {
			r.pop()
		}
	case nav.Back:
		if n := len(r.below) - 1; n >= 0 {
			if msg.Parts {
				n = 0
			}
			r.screen, r.below = r.below[n], r.below[:n]
			r.screen.Resize(r.bodySize())
			return r, r.screen.Update(ui.Interrupted{})
		}
		r.requests = append(r.requests, msg)
		r.pop()
	case nav.Replace, nav.Restart, nav.Connect, nav.Rekey:
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
		return r, msg.Deliver()
	case tea.KeyPressMsg:
		return r, r.key(msg)
	case tea.PasteMsg:
		return r, r.screen.Update(msg)
	}
	return r, nil
}

// key handles esc as the console does and passes other keys on.
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

// checkKeys compares the keys of the screen, in the state that is drawn, with the table.
func (r *root) checkKeys() {
	for _, differs := range r.table.AgainstKeys(r.screen.Keys()) {
		if r.untabled == nil {
			r.untabled = map[string]bool{}
		}
		r.untabled[differs] = true
	}
}

func (r *root) View() tea.View {
	r.checkKeys()
	if r.bare {
		return r.bareView()
	}
	f := ui.Frame{
		Theme: Theme, Environment: "TEST", Host: "payments.example", KeySource: "keyring …0042",
		Trail: r.trail(), Keys: r.screen.Keys(),
	}
	if !ui.Lists(f.Keys, "esc") {
		f.Keys = append(f.Keys, ui.Back)
	}
	f.Notice = r.notice()
	if whole := f.Fill(r.w, r.h, r.screen); whole != "" {
		v := tea.NewView(whole)
		v.AltScreen = true
		return v
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

// trail is the titles of the screens.
func (r *root) trail() (trail []string) {
	for _, s := range append(slices.Clone(r.below), r.screen) {
		trail = append(trail, s.Title())
	}
	return trail
}

// notice returns what the console shows below the screen.
func (r *root) notice() ui.Notice {
	if r.hint != "" {
		return ui.Notice{Tone: ui.ToneAct, Text: r.hint}
	}
	if n, ok := r.screen.(interface{ Notice() ui.Notice }); ok {
		return n.Notice()
	}
	return ui.Notice{}
}

func (r *root) bareView() tea.View {
	body, cursor := r.screen.View()
	if r.spare > 0 {
		_, h := r.bodySize()
		body += strings.Repeat("\n", max(h-1-strings.Count(body, "\n"), 0)+r.spare) + r.notice().Text
	}
	v := tea.NewView(body)
	v.AltScreen, v.Cursor = true, cursor
	return v
}

// Green counts the cells in the colour of success.
func (c *Console) Green() int {
	n, good := 0, Theme.Colour(ui.ToneGood)
	for y := range len(strings.Split(c.Screen(), "\n")) {
		for x := range 200 {
			if cell := c.Cell(x, y); cell.Style.Fg == good {
				n++
			}
		}
	}
	return n
}
