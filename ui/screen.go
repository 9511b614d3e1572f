package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A Screen is one full-body view of the console. Its methods run on the event loop, one at a time;
// only Update and the handlers of its calls change it. Embed [Body] for what most screens do alike.
type Screen interface {
	// Init is called once, when the screen is put on the stack.
	Init(Scope) tea.Cmd
	// Update receives keys and pastes while the screen is on top, and the timed messages
	// addressed to it wherever it is on the stack. Results go to what their [Call] says.
	Update(tea.Msg) tea.Cmd
	// Resize sets the size of the body, which may be 0×0.
	Resize(w, h int)
	// View draws the body within that size, without I/O and without reading a clock. The
	// cursor is relative to the body, nil for none.
	View() (string, *tea.Cursor)
	Title() string
	// Keys lists the bindings for the help bar and the help page; disabled ones are not shown.
	Keys() []key.Binding
	// Typing reports whether a text field has the focus; single-letter global keys are
	// then passed to the screen.
	Typing() bool
}

// The optional interfaces of a screen are the thirteen below; the root looks for no others.

// A Leaver is a screen that may have a reason not to be left now: WhyStay returns it as a
// sentence, "" when the screen may be left.
type Leaver interface{ WhyStay() string }

// A Backer is a screen with steps of its own to go back through before it is left. Back reports
// whether there was one.
type Backer interface{ Back() bool }

// A Noticer is a screen with one line of news, for the line above the help bar. EndNews is called when
// another screen is put over it: once that is left, the line is no news any more.
type Noticer interface {
	Notice() Notice
	EndNews()
}

// An Explainer is a screen with words on its help page. The first text, at most three lines of 80 cells, says what the
// screen is for, above its keys; the others follow them.
type Explainer interface{ Explain() []string }

// A Resumer is a screen that looks again when it is on top again.
type Resumer interface{ Resume() tea.Cmd }

// A Pauser is a screen that stops what it does by itself while another covers it, until it is on top
// again: see [Resumer].
type Pauser interface{ Pause() }

// A Resizer is a screen that asks for other things in a window of another size: Resized is called after its
// Resize, while it is on top.
type Resizer interface{ Resized() tea.Cmd }

// A Renewer is a screen that goes on, with another key, with what stopped because the service
// rejected the last one.
type Renewer interface{ Renewed() tea.Cmd }

// A Wiper is a screen with secrets to forget when the console is hidden or the screen is left; it keeps the rest.
type Wiper interface{ Wipe() }

// A Filler is a screen that may fill the window, without the chrome: Whole reports whether it does now, and
// with what. Where that has no room the screen is drawn as ever.
type Filler interface{ Whole() (Whole, bool) }

// A Holder is a screen that may hold what was typed, which is lost when it is left. Rooms are then
// opened over it.
type Holder interface{ Holds() bool }

// A Drafter is a screen with a form that the console keeps where esc leaves it. Draft reports whether it has text that was
// not sent. When its route is opened again it is put back on the stack: Init is called once more.
type Drafter interface{ Draft() bool }

// A Commander is a screen about what a command does too. Command is that command: the words after paydesk and
// the options of every command, without a secret; nil where there is none now.
type Commander interface{ Command() []string }

// Interrupted is sent to the screen on top when a key did not reach it: the chrome handled the
// key, the screen went back one step, or the window was too small. A pending confirmation must
// not be answered by the keys around it.
type Interrupted struct{}

// A Body is the part that most screens have alike: the theme, the scope, the size of the body
// and one line of news. Embed it and override what differs.
type Body struct {
	Theme *Theme
	Scope Scope
	W, H  int // cells
	News  Notice
}

// Init implements [Screen]: it keeps the scope.
func (b *Body) Init(s Scope) tea.Cmd {
	b.Scope = s
	return nil
}

// Resize implements [Screen].
func (b *Body) Resize(w, h int) { b.W, b.H = max(w, 0), max(h, 0) }

// Typing implements [Screen], for one without fields.
func (b *Body) Typing() bool { return false }

// Notice implements [Noticer].
func (b *Body) Notice() Notice { return b.News }

// EndNews implements [Noticer].
func (b *Body) EndNews() { b.News = Notice{} }

// Press does what the first of cs does that has msg as its key, or says why it does nothing. Any
// key ends the news of the one before it.
func (b *Body) Press(msg tea.Msg, cs Commands) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	b.EndNews()
	switch i := slices.IndexFunc(cs, func(c Command) bool { return key.Matches(k, c.Key) }); {
	case i < 0:
		return nil
	case cs[i].Why != "":
		return b.Warn(cs[i].Why)
	default:
		return cs[i].Do()
	}
}

// Notify shows a line of news, such as why a key did nothing. It returns no command, so that
// the case of a key can end with it.
func (b *Body) Notify(text string) tea.Cmd {
	b.News = Notice{Text: text}
	return nil
}

// Warn is [Body.Notify] with the mark of [ToneAct].
func (b *Body) Warn(text string) tea.Cmd {
	b.News = Notice{Tone: ToneAct, Text: text}
	return nil
}

// Copy sends text to the clipboard of the terminal; people call it by name, such as "URL".
func (b *Body) Copy(name, text string) tea.Cmd {
	b.Notify(b.Theme.Clipboard.Sent(name))
	return b.Theme.Clipboard.Send(text)
}

// Under draws a part that may have the cursor, such as a form, below lines of the body.
func (b *Body) Under(lines []string, part func(w, h int) (string, *tea.Cursor)) (string, *tea.Cursor) {
	return Below(b.W, b.H, lines, part)
}

// The most cells and lines of a stage.
const (
	stageW = 90
	stageH = 20
)

// A Staged is the body of a screen that has only some choices, or a few fields: it is no larger than that of a small window, and
// stands in the middle of a larger one, with a third of the empty lines above it.
type Staged struct {
	Body
	w, h int
}

// Resize implements [Screen].
func (s *Staged) Resize(w, h int) {
	s.w, s.h = max(w, 0), max(h, 0)
	s.Body.Resize(min(w, stageW), min(h, stageH))
}

// Place draws in the window what was drawn on the stage.
func (s *Staged) Place(view string, cursor *tea.Cursor) (string, *tea.Cursor) {
	left, above := (s.w-s.W)/2, (s.h-s.H)/3
	if left == 0 && above == 0 {
		return view, cursor
	}
	lines := make([]string, above, max(s.h, 1))
	for line := range strings.SplitSeq(view, "\n") {
		lines = append(lines, blanks(left)+line)
	}
	if cursor != nil {
		at := *cursor
		at.X, at.Y = at.X+left, at.Y+above
		cursor = &at
	}
	return Lines(s.w, s.h, lines...), cursor
}
