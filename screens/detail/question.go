package detail

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Question is asked over a screen before something is done.
type Question struct {
	ui.Question
	Title   string                     // of its own screen
	Head    func(w int) []present.Line // above it; nil for none
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
	a.asking = &asking{ui.NewConfirm(a.Theme, a.q.Question), a.q.Head, a.q.Do}
	return a.asking.Init(s)
}

// Command implements [ui.Commander].
func (a *Asked) Command() []string { return a.q.Command }

// CopyReference is the key that copies a reference, if it is safe wherever it is pasted.
func (m *Model) CopyReference(r api.Reference) ui.Command {
	return ui.Command{
		Key: ui.Bind("y", "copy reference"), On: true, Why: present.WhyNotCopied("reference", r.String()),
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
