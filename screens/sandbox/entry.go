package sandbox

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

// An entry is an input line or a form over the panel.
type entry struct {
	form    *ui.Form
	title   string
	line    bool                               // it is an input line
	blamed  func() ui.Field                    // gets the error of what is done
	do      func() func(context.Context) error // takes what was typed
	words   string                             // once it was taken; "" for none
	changed func()                             // after each key; nil for nothing
	preview func() (text, note, path string)   // what it makes, beside it in a wide window; nil for nothing
}

// openEntry asks for a line of text and does something with it.
func (m *Model) openEntry(f *ui.TextField, words string, do func(context.Context, string) error) tea.Cmd {
	m.entry = &entry{
		form: ui.NewForm(m.Theme, f), line: true, words: words,
		blamed: func() ui.Field { return f },
		do: func() func(context.Context) error {
			line := f.Value()
			return func(ctx context.Context) error { return do(ctx, line) }
		},
	}
	return nil
}

// updateEntry passes a key or a paste to the form.
func (m *Model) updateEntry(msg tea.Msg) tea.Cmd {
	e := m.entry
	result := e.form.Update(msg)
	if e.changed != nil {
		e.changed()
	}
	if result != ui.Submitted {
		return nil
	}
	return m.act(e.do(), func(err error) tea.Cmd {
		switch {
		case m.entry != e: // it was left
			return nil
		case err != nil:
			e.form.SetError(e.blamed(), explain(err))
			return nil
		}
		m.entry = nil
		if e.words == "" {
			return nil
		}
		return m.Notify(e.words)
	})
}

// height is the lines that the entry needs.
func (e *entry) height() int {
	if e.line {
		return entryLines
	}
	return e.form.Height()
}

// viewEntry draws the entry below other lines, or with what it makes beside it.
func (m *Model) viewEntry(lines []string) (string, *tea.Cursor) {
	e := m.entry
	if e.preview != nil && m.W >= present.SplitFrom {
		left, right := present.SplitWidths(m.W)
		text, cursor := ui.Below(left, m.H, []string{m.Theme.Rule(e.title, "", left)}, e.form.Fill)
		json, note, path := e.preview()
		return m.Theme.Beside(left, m.H, strings.Split(text, "\n"), present.Request(m.Theme, json, note, right, m.H, path)), cursor
	}
	if !e.line {
		return m.Under([]string{m.Theme.Rule(e.title, "", m.W)}, e.form.Fill)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return m.Under(lines, e.form.View)
}
