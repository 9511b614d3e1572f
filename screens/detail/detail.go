// Package detail is the screen of one thing, whole: an attempt, a payment, an event, a row of the list, the diagnostic bundle. It
// shows a report, or a text, below a head that stays; its keys act on the thing. [FileForm] writes it to a file,
// and [Raw] shows what the service answered about it.
//
// Over any screen stand a short list, which is a [Chooser], a form, which is a [Dialog], and a question ([Ask]).
package detail

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// An Of is the thing. Its functions are called in the width that there is, that of its head before that of its report.
type Of struct {
	Title    string
	Head     func(w int) []string    // stays above the rest; nil for none
	Report   func() report.Report    // what is known of it; nil for a text
	Beside   func(w, h int) []string // beside a report in a wide window, below its history; nil for none
	Code     func() ui.Whole         // beside a report, or in the whole window; nil for none
	Lines    func(w int) []string    // the text, which may be long
	Commands func() ui.Commands
	Help     []string
	Left     func() // is called when it is left; nil for nothing
}

// A Model is the screen. Another embeds it for what it has of its own, or opens it over itself: its news and its size are then those of
// the screen that it is a part of. Of a report what has no room is left out, the least needed first, until a person opens it whole
// and scrolls; a text always scrolls. Who shows a text lays it out again ([Model.Layout]) when it has changed.
type Model struct {
	*ui.Body
	of     Of
	open   bool // a report is shown whole
	filled bool // the code has the whole window
	low    bool // the head scrolls too: it leaves too little room for the lines
	scroll ui.Scroll
	asking *asking // nil where nothing is asked
}

// An asking is a question in place of the rest.
type asking struct {
	*ui.Confirm
	above  func(w int) []present.Line
	beside func(w, h int) []string // in a wide window; nil for nothing
	do     func() tea.Cmd
}

// draw draws the question below what stands above it.
func (a *asking) draw(t *ui.Theme, w, h int) (text string, cursor *tea.Cursor) {
	left, right := w, 0
	if a.beside != nil && w >= present.SplitFrom {
		left, right = present.SplitWidths(w)
	}
	text, cursor = ui.Below(left, h, present.FitHeight(h-a.Height(left), a.above(left)), a.View)
	if right > 0 {
		text = t.Beside(left, h, strings.Split(text, "\n"), a.beside(right, h))
	}
	return text, cursor
}

// behind sets how many keys stand before those that show more.
const behind = 3

// leastLines counts the lines that the head must leave room for, to stay.
const leastLines = 4

// New makes the screen, with the body of the screen that it is a part of, or its own.
func New(b *ui.Body, of Of) *Model {
	m := &Model{Body: b, of: of}
	if of.Lines != nil {
		m.Layout()
	}
	return m
}

// Ask asks something in place of the rest, below lines: a yes does it, and a no leaves the screen. It stays until [Model.Answered].
func (m *Model) Ask(q ui.Question, above func(w int) []present.Line, do func() tea.Cmd) tea.Cmd {
	m.asking = &asking{ui.NewConfirm(m.Theme, q), above, nil, do}
	return m.asking.Init(m.Scope)
}

// Answered shows the rest again.
func (m *Model) Answered() { m.asking = nil }

// Asks reports whether something is asked.
func (m *Model) Asks() bool { return m.asking != nil }

// Open is the command that opens it over the screen that it is a part of.
func (m *Model) Open() tea.Cmd { return nav.Open(nav.Over{Screen: m}) }

// Init implements [ui.Screen], for a part of another screen: the whole has set the scope.
func (m *Model) Init(ui.Scope) tea.Cmd { return nil }

// Save asks where to write a file, and says where it went.
func (m *Model) Save(file File) tea.Cmd {
	return OpenFile(m.Theme, file, func(w Written) {
		const words = "Written to "
		m.Notify(words + present.PathEnd(w.Path, m.W-len(words)))
	})
}

// Less shows a report as far as it has room.
func (m *Model) Less() { m.open, m.filled, m.scroll = false, false, ui.Scroll{} }

// Layout gives the lines the room that the head and their position leave.
func (m *Model) Layout() {
	if m.W < 1 {
		return
	}
	head, lines := m.head(), m.lines()
	h := m.H - len(head)
	if m.low = len(head) > 0 && h < leastLines; m.low {
		h, lines = m.H, append(head, lines...)
	}
	if len(lines) > h && h > 1 {
		h--
	}
	m.scroll.Show(m.W, h, lines)
}

// lines returns the whole report, or the text.
func (m *Model) lines() []string {
	if m.of.Report != nil {
		return m.of.Report().Whole(m.Theme, m.W, 0)
	}
	return m.of.Lines(m.W)
}

func (m *Model) head() []string {
	if m.of.Head == nil {
		return nil
	}
	return m.of.Head(m.W)
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	if m.of.Lines != nil {
		m.Layout()
	}
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if m.asking != nil {
		return m.asking.Answer(msg, m.asking.do, func() tea.Cmd { return nav.Pop })
	}
	if k, pressed := msg.(tea.KeyPressMsg); pressed {
		m.EndNews()
		if m.turn(k) {
			return nil
		}
	}
	return m.Press(msg, m.of.Commands())
}

// turn takes the key that opens and closes a report, and those that scroll, which open it where something is left out. Space scrolls
// where no command has it.
func (m *Model) turn(k tea.KeyPressMsg) bool {
	switch {
	case k.String() == "space" && key.Matches(k, m.of.Commands().Keys()...):
		return false
	case m.of.Report == nil:
		return m.scroll.Update(k)
	}
	opens := k.String() == "z"
	switch full := m.open || m.leftOut() > 0; {
	case opens && m.of.Code != nil && !m.open:
		m.toggleCode()
		return true
	case opens && !full:
		m.Notify("Everything is on the screen already.")
		return true
	case opens:
		was := m.open
		m.Less()
		m.open = !was
		return true
	case !full:
		return false
	}
	m.Layout()
	scrolled := m.scroll.Update(k)
	m.open = m.open || scrolled
	return scrolled
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.W < 1 || m.H < 1 {
		return "", nil
	}
	if m.asking != nil {
		return m.asking.draw(m.Theme, m.W, m.H)
	}
	if m.of.Report != nil && !m.open {
		head := m.head()
		return ui.Lines(m.W, m.H, append(head, m.page(m.of.Report(), max(m.H-len(head), 0))...)...), nil
	}
	if m.open {
		m.Layout()
	}
	var lines []string
	if !m.low {
		lines = m.head()
	}
	if lines = append(lines, strings.Split(m.scroll.View(), "\n")...); m.scroll.Overflows() {
		lines = append(lines, m.Theme.Muted.Render(m.scroll.Position()))
	}
	return ui.Lines(m.W, m.H, lines...), nil
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return m.of.Title }

// Keys implements [ui.Screen]: behind the main ones those that show more, which once a report is open come before all others.
func (m *Model) Keys() []key.Binding {
	if m.asking != nil {
		return m.asking.Keys()
	}
	keys := m.of.Commands().Keys()
	switch {
	case m.open:
		m.Layout()
		return slices.Concat([]key.Binding{m.scroll.Keys(), ui.Bind("z", "less")}, keys)
	case m.of.Report == nil:
		return slices.Insert(keys, min(behind, len(keys)), m.scroll.Keys())
	}
	var more key.Binding
	at := behind
	switch whole, fills := m.Whole(); {
	case fills:
		more, at = ui.Bind("z", "less"), 0
	case m.of.Code != nil:
		more, at = ui.Bind("z", "QR code"), 1+slices.IndexFunc(keys, func(b key.Binding) bool { return b.Help().Key == "y" })
		more.SetEnabled(!whole.Code.IsZero() && whole.TooSmall(m.W, m.H) == "")
	default:
		n := m.leftOut()
		more = ui.Bind("z", present.Thousands(n)+" more")
		more.SetEnabled(n > 0)
	}
	return slices.Insert(keys, min(at, len(keys)), more)
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.asking != nil && m.asking.Typing() }

// Explain is the text of the help page.
func (m *Model) Explain() []string { return m.of.Help }

// Back closes a report or a code that is open whole, or notes that the screen is left.
func (m *Model) Back() bool {
	if m.open || m.filled {
		m.Less()
		return true
	}
	if m.of.Left != nil {
		m.of.Left()
	}
	return false
}
