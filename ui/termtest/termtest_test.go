package termtest_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	// Its golden package defines -update too: both must live in one test program.
	_ "github.com/charmbracelet/x/exp/teatest/v2"

	"paydesk/ui/termtest"
)

// A notebook shows what reached it.
type notebook struct {
	w, h  int
	log   []string
	typed string
}

type rang struct{}

func (n *notebook) Init() tea.Cmd { return nil }

func (n *notebook) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		n.w, n.h = msg.Width, msg.Height
	case tea.PasteMsg:
		n.log = append(n.log, fmt.Sprintf("paste %q", msg.Content))
	case rang:
		n.log = append(n.log, "rang")
		return n, tea.Raw("\a")
	case tea.KeyPressMsg:
		return n, n.key(msg)
	}
	return n, nil
}

func (n *notebook) key(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "ctrl+c":
		return tea.Quit
	case "f1":
		return tea.SetClipboard("https://pay.example/ü")
	case "f2":
		return func() tea.Msg {
			time.Sleep(5 * time.Minute)
			return rang{}
		}
	case "f3":
		panic("f3")
	default:
		if k.Text != "" {
			n.typed += k.Text
		} else {
			n.log = append(n.log, k.String())
		}
		return nil
	}
}

func (n *notebook) View() tea.View {
	v := tea.NewView(fmt.Sprintf("%d×%d\n\x1b[1;32mtyped\x1b[m %s\n%s", n.w, n.h, n.typed, strings.Join(n.log, " ")))
	v.AltScreen = true
	v.Cursor = tea.NewCursor(6+ansi.StringWidth(n.typed), 1)
	return v
}

func bubble(t *testing.T, f func(t *testing.T, g *termtest.Terminal)) {
	synctest.Test(t, func(t *testing.T) { f(t, termtest.Open(t, &notebook{}, 40, 5)) })
}

func TestWhatIsTypedIsOnTheScreen(t *testing.T) {
	bubble(t, func(t *testing.T, g *termtest.Terminal) {
		g.Type("Zoë 漢 12.50").Press("?", "space", "A")
		g.Sees("40×5", "typed Zoë 漢 12.50? A").SeesNot("paste")
		if got := g.Line("Zo"); got != "typed Zoë 漢 12.50? A" {
			t.Errorf("line %q", got)
		}
		if x, y, shown := g.Cursor(); x != 6+15 || y != 1 || !shown {
			t.Errorf("cursor at %d,%d shown %v", x, y, shown)
		}
	})
}

func TestKeysHaveTheirNames(t *testing.T) {
	bubble(t, func(t *testing.T, g *termtest.Terminal) {
		names := []string{"enter", "tab", "shift+tab", "esc", "up", "pgdown", "home", "ctrl+u", "alt+x"}
		g.Press(names...).Sees("enter tab shift+tab esc up pgdown home c")
		g.Resize(80, 5).Sees(strings.Join(names, " "))
	})
}

func TestAPasteIsOneMessage(t *testing.T) {
	bubble(t, func(t *testing.T, g *termtest.Terminal) { g.Paste("4242\n").Sees(`paste "4242\n"`) })
}

func TestTimePassesAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, g *termtest.Terminal) {
		g.Press("f2").Wait(4 * time.Minute).SeesNot("rang")
		g.Wait(time.Minute).Sees("rang")
		if g.Bells() != 1 {
			t.Errorf("the bell rang %d times", g.Bells())
		}
	})
}

func TestResizingTellsTheProgram(t *testing.T) {
	bubble(t, func(t *testing.T, g *termtest.Terminal) {
		g.Resize(20, 3).Sees("20×3")
		g.Resize(0, 0).Resize(120, 40).Sees("120×40")
	})
}

func TestCellsHaveStyles(t *testing.T) {
	bubble(t, func(t *testing.T, g *termtest.Terminal) {
		c := g.Cell(0, 1)
		if c.Content != "t" || c.Style.Fg != ansi.Green || c.Style.Attrs == 0 {
			t.Errorf("cell %+v", c)
		}
		if c := g.Cell(400, 1); c.Content != "" {
			t.Errorf("a cell outside the screen: %+v", c)
		}
	})
}

func TestATerminalWithoutColoursGetsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := termtest.Open(t, &notebook{}, 40, 5, termtest.Colours(colorprofile.ASCII))
		if c := g.Cell(0, 1); c.Content != "t" || c.Style.Fg != nil || c.Style.Attrs == 0 {
			t.Errorf("cell %+v", c)
		}
	})
}

func TestWhatIsCopiedIsKept(t *testing.T) {
	bubble(t, func(t *testing.T, g *termtest.Terminal) {
		if got := g.Press("f1").Copied(); got != "https://pay.example/ü" {
			t.Errorf("copied %q", got)
		}
	})
}

func TestEveryByteIsKept(t *testing.T) {
	bubble(t, func(t *testing.T, g *termtest.Terminal) {
		g.Type("canary").Press("ctrl+c")
		if !bytes.Contains(g.Bytes(), []byte("\x1b[?1049h")) || !bytes.Contains(g.Bytes(), []byte("canary")) {
			t.Errorf("bytes %q", g.Bytes())
		}
	})
}

func TestEndingIsSeen(t *testing.T) {
	bubble(t, func(t *testing.T, g *termtest.Terminal) {
		if g.Ended() || !g.AltScreen() {
			t.Error("ended before it was told to")
		}
		if err := g.Press("ctrl+c").Done(); err != nil || !g.Ended() || g.AltScreen() {
			t.Errorf("error %v, ended %v, alternate screen %v", err, g.Ended(), g.AltScreen())
		}
	})
	bubble(t, func(t *testing.T, g *termtest.Terminal) {
		if err := g.Quit(); err != nil {
			t.Error(err)
		}
	})
}

func TestAPanicIsAnErrorOfTheProgram(t *testing.T) {
	bubble(t, func(t *testing.T, g *termtest.Terminal) {
		if err := g.Press("f3").Done(); !errors.Is(err, tea.ErrProgramPanic) {
			t.Errorf("error %v", err)
		}
	})
}

// A quiet test records what it is told instead of ending.
type quiet struct {
	testing.TB
	failed string
}

func (q *quiet) Helper() {}
func (q *quiet) Fatalf(format string, args ...any) {
	q.failed = fmt.Sprintf(format, args...)
	panic(q)
}

func TestAFailureShowsTheScreen(t *testing.T) {
	if flag.Lookup("update").Value.String() == "true" {
		t.Skip("goldens do not fail while they are written")
	}
	for name, claim := range map[string]func(g *termtest.Terminal){
		`does not see "absent"`:      func(g *termtest.Terminal) { g.Sees("absent") },
		`sees "hello"`:               func(g *termtest.Terminal) { g.SeesNot("hello") },
		`sees no line with "absent"`: func(g *termtest.Terminal) { g.Line("absent") },
		`the program does not end`:   func(g *termtest.Terminal) { g.Done() },
		`the screen is not that of`:  func(g *termtest.Terminal) { g.Golden("notebook") },
		`no golden to compare with`:  func(g *termtest.Terminal) { g.Golden("never-written") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := &quiet{TB: t}
				g := termtest.Open(q, &notebook{}, 40, 5).Type("hello, you")
				defer func() {
					if recover() != any(q) || !strings.Contains(q.failed, name) || !strings.Contains(q.failed, "│typed hello, you") {
						t.Errorf("it said %q", q.failed)
					}
				}()
				claim(g)
			})
		})
	}
}

func TestGoldensHoldTheScreen(t *testing.T) {
	bubble(t, func(t *testing.T, g *termtest.Terminal) { g.Type("Zoë 漢").Press("enter").Golden("notebook") })
}
