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
	"github.com/charmbracelet/x/ansi"

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
		return tea.Raw(ansi.SetSystemClipboard("https://pay.example/ü"))
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

func bubble(t *testing.T, f func(t *testing.T, term *termtest.Terminal)) {
	synctest.Test(t, func(t *testing.T) { f(t, termtest.Open(t, &notebook{}, 40, 5)) })
}

func TestTypedTextIsOnTheScreen(t *testing.T) {
	bubble(t, func(t *testing.T, term *termtest.Terminal) {
		term.Type("Zoë 漢 12.50").Press("?", "space", "A")
		term.Sees("40×5", "typed Zoë 漢 12.50? A").WaitsUntilGone("paste")
		if got := term.Line("Zo"); got != "typed Zoë 漢 12.50? A" {
			t.Errorf("line %q", got)
		}
		if x, y, shown := term.Cursor(); x != 6+15 || y != 1 || !shown {
			t.Errorf("cursor at %d,%d shown %v", x, y, shown)
		}
	})
}

func TestKeysHaveTheirNames(t *testing.T) {
	bubble(t, func(t *testing.T, term *termtest.Terminal) {
		names := []string{"enter", "tab", "shift+tab", "esc", "up", "pgdown", "home", "ctrl+u", "alt+x"}
		term.Press(names...).Sees("enter tab shift+tab esc up pgdown home c")
		term.Resize(80, 5).Sees(strings.Join(names, " "))
	})
}

func TestAPasteIsOneMessage(t *testing.T) {
	bubble(t, func(t *testing.T, term *termtest.Terminal) { term.Paste("4242\n").Sees(`paste "4242\n"`) })
}

func TestTimePassesAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, term *termtest.Terminal) {
		term.Press("f2").Wait(4 * time.Minute).WaitsUntilGone("rang")
		term.Wait(time.Minute).Sees("rang")
		if term.Bells() != 1 {
			t.Errorf("the bell rang %d times", term.Bells())
		}
	})
}

func TestTheProgramReceivesAResize(t *testing.T) {
	bubble(t, func(t *testing.T, term *termtest.Terminal) {
		term.Resize(20, 3).Sees("20×3")
		term.Resize(0, 0).Resize(120, 40).Sees("120×40")
	})
}

func TestCellsHaveStyles(t *testing.T) {
	bubble(t, func(t *testing.T, term *termtest.Terminal) {
		c := term.Cell(0, 1)
		if c.Content != "t" || c.Style.Fg != ansi.Green || c.Style.Attrs == 0 {
			t.Errorf("cell %+v", c)
		}
		if c := term.Cell(400, 1); c.Content != "" {
			t.Errorf("a cell outside the screen: %+v", c)
		}
	})
}

func TestCopiedTextIsRecorded(t *testing.T) {
	bubble(t, func(t *testing.T, term *termtest.Terminal) {
		if got := term.Press("f1").Copied(); got != "https://pay.example/ü" {
			t.Errorf("copied %q", got)
		}
	})
}

func TestEveryByteIsRecorded(t *testing.T) {
	bubble(t, func(t *testing.T, term *termtest.Terminal) {
		term.Paste("canary").Press("ctrl+c")
		if !bytes.Contains(term.Bytes(), []byte("\x1b[?1049h")) || !bytes.Contains(term.Bytes(), []byte("canary")) {
			t.Errorf("bytes %q", term.Bytes())
		}
	})
}

func TestTheEndOfTheProgramIsReported(t *testing.T) {
	bubble(t, func(t *testing.T, term *termtest.Terminal) {
		if term.Ended() || !term.AltScreen() {
			t.Error("ended by itself")
		}
		if err := term.Press("ctrl+c").Done(); err != nil || !term.Ended() || term.AltScreen() {
			t.Errorf("error %v, ended %v, alternate screen %v", err, term.Ended(), term.AltScreen())
		}
	})
	bubble(t, func(t *testing.T, term *termtest.Terminal) {
		if err := term.Quit(); err != nil {
			t.Error(err)
		}
	})
}

func TestAPanicIsAnErrorOfTheProgram(t *testing.T) {
	bubble(t, func(t *testing.T, term *termtest.Terminal) {
		if err := term.Press("f3").Done(); !errors.Is(err, tea.ErrProgramPanic) {
			t.Errorf("error %v", err)
		}
	})
}

// A recorder records a failure instead of ending the test.
type recorder struct {
	testing.TB
	failed string
}

func (q *recorder) Helper() {}
func (q *recorder) Fatalf(format string, args ...any) {
	q.failed = fmt.Sprintf(format, args...)
	panic(q)
}

func TestAFailureShowsTheScreen(t *testing.T) {
	if flag.Lookup("update").Value.String() == "true" {
		t.Skip("goldens do not fail while they are written")
	}
	for name, claim := range map[string]func(term *termtest.Terminal){
		`not on the screen: "absent"`:  func(term *termtest.Terminal) { term.Sees("absent") },
		`on the screen: "hello"`:       func(term *termtest.Terminal) { term.WaitsUntilGone("hello") },
		`not on the screen: "nowhere"`: func(term *termtest.Terminal) { term.Line("nowhere") },
		`the program did not end`:      func(term *termtest.Terminal) { term.Done() },
		`the screen differs from`:      func(term *termtest.Terminal) { term.Golden("notebook") },
		`no golden file`:               func(term *termtest.Terminal) { term.Golden("never-written") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := &recorder{TB: t}
				term := termtest.Open(q, &notebook{}, 40, 5).Type("hello, you")
				defer func() {
					if recover() != any(q) || !strings.Contains(q.failed, name) || !strings.Contains(q.failed, "│typed hello, you") {
						t.Errorf("it failed with %q", q.failed)
					}
				}()
				claim(term)
			})
		})
	}
}

func TestGoldensHoldTheScreen(t *testing.T) {
	bubble(t, func(t *testing.T, term *termtest.Terminal) { term.Type("Zoë 漢").Press("enter").Golden("notebook") })
}
