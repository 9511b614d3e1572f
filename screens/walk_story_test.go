package screens_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
)

// strayed is what somebody might press who does not look, besides enter and letters.
var strayed = []tea.KeyPressMsg{
	{Code: tea.KeyTab}, {Code: tea.KeyTab, Mod: tea.ModShift}, {Code: tea.KeyDown}, {Code: tea.KeyUp}, {Code: tea.KeyRight}, {Code: tea.KeyLeft},
	{Code: tea.KeyEscape}, {Code: tea.KeySpace, Text: " "}, {Code: tea.KeyBackspace}, {Code: tea.KeyF1}, {Code: tea.KeyPgDown},
	{Code: 's', Mod: tea.ModCtrl}, {Code: 'l', Mod: tea.ModCtrl}, {Code: 't', Mod: tea.ModCtrl}, {Code: tea.KeyF3}, {Code: 'r', Mod: tea.ModCtrl},
}

// A walker presses keys. Without figures it can type no amount, and no currency for want of
// capitals.
type walker struct {
	*rand.Rand
	figures bool
}

func (w walker) step() tea.Msg {
	letter := rune('a' + w.IntN(26))
	switch n := w.IntN(100); {
	case n < 40:
		return tea.KeyPressMsg{Code: tea.KeyEnter, IsRepeat: w.IntN(4) == 0}
	case n < 65:
		return strayed[w.IntN(len(strayed))]
	case n < 67:
		return tea.PasteMsg{Content: "shop\n"}
	case n < 73:
		letter = 'y'
	case n < 83 && w.figures:
		letter = rune('0' + w.IntN(10))
	}
	if letter == 'q' { // it would end the walk on home
		letter = 'z'
	}
	return tea.KeyPressMsg{Code: letter, Text: string(letter)}
}

// walk presses up to 500 keys, some at once and some after a thought, and now and then
// looks at the frame. It returns the titles of the screens that it saw then.
func walk(c *consoletest.Console, seed uint64, figures bool) (titles []string) {
	c.T.Helper()
	w := walker{rand.New(rand.NewPCG(seed, 77)), figures}
	for i := range 1 + w.IntN(500) {
		c.Send(w.step())
		if w.IntN(3) == 0 {
			time.Sleep(time.Duration(w.IntN(900)) * time.Millisecond)
		}
		if i%20 == 0 {
			if c.Wait(0); !strings.Contains(c.Screen(), "▐▲ LIVE▌") || !strings.Contains(c.Screen(), "127.0.0.1:8099") {
				c.T.Fatalf("walk %d has a frame that does not say where it is:\n%s", seed, c.Boxed())
			}
			titles = append(titles, title(c))
		}
	}
	c.Wait(2 * time.Second) // for what is on its way
	return titles
}

// walks returns how many walks there are: 200, of which a usual run takes four.
func walks() uint64 {
	if long {
		return 200
	}
	return 4
}

func TestNoWalkOnALiveProfilePostsWithoutTheUnlock(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and one thing after the other: it looks for no races")
	}
	seen := map[string]int{}
	for seed := range walks() {
		consoletest.Run(t, func(c *consoletest.Console) {
			for _, name := range walk(c, seed, true) {
				seen[name]++
			}
			if posts := c.Wire.Posts(); len(posts) != 0 {
				t.Errorf("walk %d posted %q", seed, posts)
			}
		}, consoletest.Live(), consoletest.Size(60, 18), consoletest.As(func(p *keystore.Profile) { p.AllowCardEntry = true }))
	}
	if len(seen) < 6 {
		t.Errorf("the walks saw %v alone", seen)
	}
}

// title is the title of the screen.
func title(c *consoletest.Console) string {
	head, _, _ := strings.Cut(c.Screen(), "\n")
	trail, _, _ := strings.Cut(strings.TrimSpace(head), "  ")
	return trail
}

func TestNoWalkThatIsUnlockedSendsWithoutTheTypedAmountOrACardAtAll(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and one thing after the other: it looks for no races")
	}
	for seed := range walks() {
		consoletest.Run(t, func(c *consoletest.Console) {
			unlocked(c)
			if seed%2 == 0 { // it begins in the middle of the way
				linked(c)
				c.Sees("Type 120.00")
			} else {
				c.Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter").Sees("These channels accept")
			}
			walk(c, seed, false)
			for _, path := range []string{"/payment-link", "/initiate", "/finalize"} {
				if n := c.Wire.PostsTo(path); n != 0 {
					t.Errorf("walk %d posted %d times to %s", seed, n, path)
				}
			}
		}, consoletest.Live())
	}
}
