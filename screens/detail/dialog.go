package detail

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// An Asks describes what a [Dialog] asks for.
type Asks struct {
	Title  string
	Help   []string
	Head   func(w int) []string        // above the form; nil for nothing
	Under  func(w int) []string        // below it; nil for nothing
	Beside func(w, h int) []string     // beside it in a wide window, and else below it; nil for nothing
	Busy   func(w int) []string        // says what is under way, in place of the form; nil, or no lines, for nothing
	Update func(tea.Msg) ui.FormResult // in place of that of the form; nil for that
	Submit func() tea.Cmd
}

// A Dialog is a form over a screen, or a screen of its own. It stays until what it asks for was done, or it is left.
type Dialog struct {
	ui.Body
	Form *ui.Form
	of   Asks
}

// NewDialog makes a dialog of fields. submit names what its enter does.
func NewDialog(t *ui.Theme, of Asks, submit string, fields ...ui.Field) Dialog {
	d := Dialog{Body: ui.Body{Theme: t}, Form: ui.NewForm(t, fields...), of: of}
	d.Form.SubmitLabel(submit)
	return d
}

func (d *Dialog) busy() []string {
	if d.of.Busy == nil {
		return nil
	}
	return d.of.Busy(d.W)
}

// Update implements [ui.Screen].
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	if len(d.busy()) > 0 {
		return nil
	}
	if _, pressed := msg.(tea.KeyPressMsg); pressed {
		d.EndNews()
	}
	update := d.Form.Update
	if d.of.Update != nil {
		update = d.of.Update
	}
	if update(msg) != ui.Submitted {
		return nil
	}
	return d.of.Submit()
}

// least returns the lines that the head leaves to what is below it.
func (d *Dialog) least(w int, busy []string) int {
	if len(busy) > 0 {
		return len(busy)
	}
	lines := min(d.Form.Height(), leastForm)
	if d.of.Under != nil {
		lines += len(d.of.Under(w))
	}
	return lines
}

// View implements [ui.Screen].
func (d *Dialog) View() (string, *tea.Cursor) {
	var head []string
	w, right, busy := d.W, 0, d.busy()
	split := d.of.Beside != nil && d.W >= present.SplitFrom && len(busy) == 0
	if split {
		w, right = present.SplitWidths(d.W)
	}
	if d.of.Head != nil {
		head = d.of.Head(w)
		head = slices.Clip(head[:min(len(head), max(d.H-d.least(w, busy), 0))])
	}
	if len(busy) > 0 {
		return ui.Lines(d.W, d.H, append(head, busy...)...), nil
	}
	text, cursor := ui.Below(w, d.H, head, d.form)
	switch room := d.H - strings.Count(text, "\n") - 2; {
	case split:
		text = d.Theme.Beside(w, d.H, strings.Split(text, "\n"), d.of.Beside(right, d.H))
	case d.of.Beside != nil && room >= leastForm:
		text = ui.Lines(d.W, d.H, append([]string{text, ""}, d.of.Beside(w, room)...)...)
	}
	return text, cursor
}

// leastForm are the lines that a form keeps above what is under it, which may be a problem: a field must be visible.
const leastForm = 6

// form draws the form, and what is under it.
func (d *Dialog) form(w, h int) (string, *tea.Cursor) {
	var under []string
	if d.of.Under != nil {
		under = d.of.Under(w)
	}
	under = under[:min(len(under), max(h-min(d.Form.Height(), leastForm), 0))]
	body, cursor := d.Form.View(w, max(min(h-len(under), d.Form.Height()), 0))
	return ui.Lines(w, h, append(strings.Split(body, "\n"), under...)...), cursor
}

// Title implements [ui.Screen].
func (d *Dialog) Title() string { return d.of.Title }

// Typing implements [ui.Screen].
func (d *Dialog) Typing() bool { return len(d.busy()) == 0 && d.Form.Typing() }

// Keys implements [ui.Screen].
func (d *Dialog) Keys() []key.Binding {
	if len(d.busy()) > 0 {
		return nil
	}
	return d.Form.Keys()
}

// Explain is the text of the help page.
func (d *Dialog) Explain() []string { return d.of.Help }

// Work is what a dialog does in many steps, with how far it is: rows that are written, or events that are sent. Cancelling it does not
// drop the call: the dialog still says how it ended, since it may have been complete by then.
type Work[T any] struct {
	ui.Call[T]
	Done      int // steps, as of the last second
	Cancelled bool
	stop      context.CancelFunc
}

// Begin does the work in the background until its context ends, which it does when the screen is left too. It tells how many steps
// it has done.
func (w *Work[T]) Begin(s ui.Scope, ended func(ui.Result[T]) tea.Cmd, do func(ctx context.Context, told func(n int)) (T, error)) tea.Cmd {
	ctx, stop := context.WithCancel(context.Background())
	w.stop, w.Cancelled, w.Done = stop, false, 0
	done := new(atomic.Int64)
	look := func() { w.Done = int(done.Load()) }
	return w.Then(ended).Timed(ui.NoLimit, look).Ask(s, func(screen context.Context) (T, error) {
		defer stop()
		defer context.AfterFunc(screen, stop)()
		return do(ctx, func(n int) { done.Store(int64(n)) })
	})
}

// Cancel stops the work.
func (w *Work[T]) Cancel() {
	w.Cancelled = true
	w.stop()
}

// A Question is asked over a screen before something is done.
type Question struct {
	ui.Question
	Title   string                     // of its own screen
	Head    func(w int) []present.Line // above it; nil for none
	Beside  func(w, h int) []string    // in a wide window; nil for nothing
	Help    []string
	Command []string // that does the same
	Do      func() tea.Cmd
	Alone   bool // only the question is left after a yes
}

// Ask asks a question over the screen with a body. After a yes all parts of that screen are left.
func Ask(b *ui.Body, q Question) tea.Cmd {
	do, leave := q.Do, nav.PopParts
	if q.Alone {
		leave = nav.Pop
	}
	q.Do = func() tea.Cmd { return tea.Batch(do(), leave) }
	return nav.Open(nav.Over{Screen: NewAsked(b, q)})
}

// An Asked is the screen of a question.
type Asked struct {
	*Model
	q Question
}

// NewAsked asks a question. After a yes it stays until it is left.
func NewAsked(b *ui.Body, q Question) *Asked {
	if q.Head == nil {
		q.Head = func(int) []present.Line { return nil }
	}
	return &Asked{New(b, Of{Title: q.Title, Help: q.Help, Left: b.EndNews}), q}
}

// Init implements [ui.Screen]. The scope of the body belongs to the screen that it is a part of: the question has its own.
func (a *Asked) Init(s ui.Scope) tea.Cmd {
	a.asking = &asking{ui.NewConfirm(a.Theme, a.q.Question), a.q.Head, a.q.Beside, a.q.Do}
	return a.asking.Init(s)
}

// Command implements [ui.Commander].
func (a *Asked) Command() []string { return a.q.Command }

// CopyReference is the key that copies a reference, if it is safe wherever it is pasted.
func (m *Model) CopyReference(r api.Reference) ui.Command {
	return ui.Command{
		Key: ui.Bind("y", "copy ref."), On: true, Why: present.WhyNotCopied("reference", r.String()),
		Do: func() tea.Cmd { return m.Copy("reference", string(r)) },
	}
}

// Pin is the key that pins a payment to Home, or unpins it.
func (m *Model) Pin(pinned nav.Pinned, r api.Reference) ui.Command {
	why := ""
	if r == "" {
		why = "Only a payment whose reference is known can be pinned."
	}
	return ui.Command{Key: pinned.Key(r), On: true, Why: why, Do: func() tea.Cmd { return pinned.Toggle(r) }}
}
