package termtest_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

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

func (n *notebook) Init() tea.Cmd { return nil }

func (n *notebook) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		n.w, n.h = msg.Width, msg.Height
	case tea.PasteMsg:
		n.log = append(n.log, fmt.Sprintf("paste %q", msg.Content))
	case tea.KeyPressMsg:
		switch {
		case msg.String() == "ctrl+c":
			return n, tea.Quit
		case msg.Text != "":
			n.typed += msg.Text
		default:
			n.log = append(n.log, msg.String())
		}
	}
	return n, nil
}

func (n *notebook) View() tea.View {
	v := tea.NewView(fmt.Sprintf("%d×%d\n\x1b[1;32mtyped\x1b[m %s\n%s", n.w, n.h, n.typed, strings.Join(n.log, " ")))
	v.AltScreen = true
	v.Cursor = tea.NewCursor(6+ansi.StringWidth(n.typed), 1)
	return v
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
