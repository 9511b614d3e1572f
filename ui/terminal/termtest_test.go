package terminal_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/sandbox/faulttest"
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

// notSent are the classes of the corpus in which every string contains something that a terminal
// obeys or does not show, and that the renderer never sends.
var notSent = []string{"osc-other", "osc-title", "osc8", "dcs-apc-pm-sos", "c1-utf8", "c1-raw", "invalid-utf8"}

func TestTheGrammarRejectsAttacks(t *testing.T) {
	seen := map[string]bool{}
	for _, h := range faulttest.Texts(notSent...) {
		seen[h.Class] = true
		if len(termtest.Breaches([]byte(h.Text))) == 0 {
			t.Errorf("%s/%s passes: %q", h.Class, h.Name, h.Text)
		}
	}
	if len(seen) != len(notSent) {
		t.Errorf("the corpus has only the classes %v", seen)
	}
}

func TestTheGrammarAcceptsTheRenderersOutput(t *testing.T) {
	for _, in := range []string{
		"\x1b[?1049h\x1b[c\x1b[?2026$p\x1b[?u\x1b[>4;2m\x1b[>1u\x1b[?5W", "\x1b[1;32mAda\x1b[m\x1b[K\r\n\x1b[3;4H\x1bM", "\x1b[?7l漢\x1b[?7h", "\x1b]8;id=paydesk;https://x/a;b\ax\x1b]8;;\a", "Ẹ́kọ̀ Ọ̀ṣun 漢", "\x1b]52;c;YQ==\a",
		"\x1b[22;2t\x1b]2;paydesk · TEST · Ẹ́kọ̀\a", "\x1b]2;\a\x1b[23;2t", "\x1b]11;?\a",
		"\x1b]9;paydesk: Payment PAY-7K3: SUCCESSFUL (TEST)\a", "\x1b]777;notify;paydesk;3 payments have settled.\a",
	} {
		if found := termtest.Breaches([]byte(in)); len(found) > 0 {
			t.Errorf("%q: %q", in, found)
		}
	}
	for _, out := range []string{
		"\x1b]0;title\a", "\x1b]8;;https://x\x1b\\", "\x1b]8;id=paydesk;javascript:alert(1)\a", "\x1b]8;id=paydesk;https://x/\u202e\a", "\x1b]8;id=x;https://x\a", "\x1b]8;id=paydeskx;https://x\a", "\x1b]8;id=paydesk;\a", "\x1b[?1000h", "\x1b[>c", "\x1b[6n", "\x1b[5i", "\x1b[2", "\x1b", "\x1bc", "\x1b(0", "\x9b2J",
		"\u0085", "\u202e", "\u200b", "\x00", "\x7f", "\x0e", "\x1b]52;p;YQ==\a", "\x1b[" + strings.Repeat("1;", 32) + "1m", "\x1b[22;0t",
		"\x1b]2;title\a", "\x1b]2;paydesk \u202e\a", "\x1b]2;paydesk \x9b\a", "\x1b]11;#000000\a", "\x1b[21t", "\x1b]52;c;\u202e\a",
		"\x1b]9;4;1;50\a", "\x1b]9;Payment\a", "\x1b]9;paydesk: Ada\u0301\a", "\x1b]777;notify;other;text\a", "\x1b]777;notify;paydesk;a;b\a",
		"\x1b]777;precmd\a", "\x1b]99;;hello\a", "\x1b]9;paydesk: " + strings.Repeat("x", 121) + "\a", "\x1bPtmux;\x1b\x1b]9;paydesk: x\a\x1b\\",
	} {
		if len(termtest.Breaches([]byte(out))) == 0 {
			t.Errorf("%q passes", out)
		}
	}
}

func TestBlinkingIsNoticed(t *testing.T) {
	for sent, blinks := range map[string]bool{
		"\x1b[5m": true, "\x1b[1;6;31m": true, "\x1b[5 q": true, "\x1b[1 q": true,
		"\x1b[2 q\x1b[0 q": false, "\x1b[38;5;5m": false, "\x1b[48;2;5;6;5;1m": false, "\x1b[35m": false, "\x1b[5H": false,
	} {
		if termtest.Blinks([]byte(sent)) != blinks {
			t.Errorf("%q: %v", sent, !blinks)
		}
	}
}
