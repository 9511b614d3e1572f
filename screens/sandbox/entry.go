package sandbox

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// An entry is a form over a list of the sandbox. What the sandbox does not take is said at its focused field.
type entry struct {
	detail.Dialog
	m    *Model
	call ui.Call[struct{}]
}

// openEntry asks for one line, with which something is done. under may be nil.
func (m *Model) openEntry(title string, f *ui.TextField, under func(w int) []string, words string, do func(context.Context, string) error) tea.Cmd {
	e := &entry{m: m}
	e.Dialog = detail.NewDialog(m.Theme, detail.Asks{Title: title, Help: help, Under: under, Submit: func() tea.Cmd {
		line := f.Value()
		return e.act(words, func(ctx context.Context) error { return do(ctx, line) })
	}}, "confirm", f)
	return nav.Open(nav.Over{Screen: e})
}

// act does what was entered, and leaves the form.
func (e *entry) act(words string, do func(context.Context) error) tea.Cmd {
	blamed := e.Form.Focused()
	return e.call.Then(func(a ui.Result[struct{}]) tea.Cmd {
		if a.Err != nil {
			e.Form.SetError(blamed, explain(a.Err))
			return nil
		}
		e.m.Notify(words)
		e.m.reading.Drop() // it may have been read before
		return tea.Batch(e.m.look(), nav.Pop)
	}).Ask(e.Scope, func(ctx context.Context) (struct{}, error) { return struct{}{}, do(ctx) })
}
