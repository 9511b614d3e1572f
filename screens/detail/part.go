package detail

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Part is a screen that stands over another one, whose body it has: its size, its scope and its news are those.
type Part struct{ *ui.Body }

// Init implements [ui.Screen]: the scope is that of the whole.
func (Part) Init(ui.Scope) tea.Cmd { return nil }

// Back ends the news: what is below has none.
func (p Part) Back() bool {
	p.EndNews()
	return false
}

// A Question is asked over a screen before something is done.
type Question struct {
	ui.Question
	Title   string               // of its own screen
	Head    func(w int) []string // above it; nil for none
	Help    []string
	Command []string // that does the same
	Do      func() tea.Cmd
}

// Ask asks a question over the screen with a body. After a yes all parts of that screen are left.
func Ask(b *ui.Body, q Question) tea.Cmd {
	return nav.Open(nav.Over{Screen: &asked{Part{b}, q, ui.NewConfirm(b.Theme, q.Question)}})
}

type asked struct {
	Part
	q       Question
	confirm *ui.Confirm
}

func (a *asked) Init(s ui.Scope) tea.Cmd { return a.confirm.Init(s) }

func (a *asked) Update(msg tea.Msg) tea.Cmd {
	return a.confirm.Answer(msg, func() tea.Cmd { return tea.Batch(a.q.Do(), nav.PopParts) }, func() tea.Cmd { return nav.Pop })
}

func (a *asked) View() (string, *tea.Cursor) {
	var head []string
	if a.q.Head != nil {
		head = a.q.Head(a.W)
	}
	return a.Under(head, a.confirm.View)
}

func (a *asked) Title() string       { return a.q.Title }
func (a *asked) Keys() []key.Binding { return a.confirm.Keys() }
func (a *asked) Typing() bool        { return a.confirm.Typing() }
func (a *asked) Explain() []string   { return a.q.Help }
func (a *asked) Command() []string   { return a.q.Command }

// CopyReference is the key that copies a reference, if it is safe wherever it is pasted.
func (m *Model) CopyReference(r api.Reference) ui.Command {
	return ui.Command{
		Key: ui.Bind("y", "copy reference"), On: true, Why: present.WhyNotCopied("reference", r.String()),
		Do: func() tea.Cmd { return m.Copy("reference", string(r)) },
	}
}

// A Pinboard tells which payments are pinned to home.
type Pinboard interface{ IsPinned(api.Reference) bool }

// Pin is the key that pins a payment to home, or unpins it.
func (m *Model) Pin(b Pinboard, r api.Reference) ui.Command {
	pinned, does, why := b.IsPinned(r), "pin", ""
	if pinned {
		does = "unpin"
	}
	if r == "" {
		why = "Only a payment whose reference is known can be pinned."
	}
	return ui.Command{Key: ui.Bind("p", does), On: true, Why: why, Do: func() tea.Cmd { return nav.TogglePin(pinned, r) }}
}
