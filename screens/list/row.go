package list

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/ui"
)

// On is a key for the marked row, or for the one that is open. why returns why it does nothing to a row; nil is for one that always does.
// Which keys are in the bar follows the row in the pane: the bar stays as it is while the mark moves. What is done with a row ends the
// following, so that going back leads to the same place.
func (m *Model[R]) On(k key.Binding, why func(R) string, do func(R) tea.Cmd) ui.Command {
	no := func(r R) string {
		if why == nil {
			return ""
		}
		return why(r)
	}
	r, known := m.Shown()
	return ui.Command{Key: k, On: m.rows.Count > 0 && (!known || no(r) == ""), Do: func() tea.Cmd {
		r, some := m.Selected()
		if m.opened != nil {
			r, some = *m.opened, true
		}
		if !some {
			return m.Notify("No " + m.of.One + " is selected.")
		}
		m.halted = m.follows
		m.Stop()
		if words := no(r); words != "" {
			return m.Notify(words)
		}
		return do(r)
	}}
}

// wholeText is more lines than any text of a row has.
const wholeText = 20_000

// Open shows a row on a screen of its own, whose keys are for it: all of its report, unless it is given another.
func (m *Model[R]) Open(r R, of detail.Of) tea.Cmd {
	left := of.Left
	of.Left = func() {
		if m.opened, m.detail = nil, nil; left != nil {
			left()
		}
	}
	if of.Report == nil {
		of.Lines = func(w int) []string {
			h := m.H
			if of.Head != nil {
				h -= len(of.Head(w))
			}
			return m.of.Report(r, wholeText).Whole(m.Theme, w, h)
		}
	}
	m.opened, m.detail = &r, detail.New(&m.Body, of)
	return tea.Batch(m.readMore(), m.detail.Open())
}

// Opened is the row on a screen of its own.
func (m *Model[R]) Opened() (r R, is bool) {
	if m.opened == nil {
		return r, false
	}
	return *m.opened, true
}

// Renew shows the row that is open as it is now.
func (m *Model[R]) Renew(r R) {
	*m.opened = r
	m.detail.Layout()
}

// Selected is the marked row, if it has been read.
func (m *Model[R]) Selected() (R, bool) { return m.rows.Row(m.table.Selected()) }

// Seek marks the row with an ID as soon as it has been read, unless a person moves first.
func (m *Model[R]) Seek(id string) { m.seek = id }

// SeekMarked seeks the marked row in the rows that come in place of these, or the one that is sought still.
func (m *Model[R]) SeekMarked() {
	if r, some := m.Selected(); some && m.seek == "" {
		m.seek = m.of.ID(r)
	}
}

// Sought is the ID of the row that is sought; "" for none.
func (m *Model[R]) Sought() string { return m.seek }

// Shown is the row that is open, or the one in the pane, if there is one.
func (m *Model[R]) Shown() (r R, some bool) {
	if m.opened != nil {
		return *m.opened, true
	}
	return m.inPane()
}

func (m *Model[R]) inPane() (r R, some bool) {
	switch _, h := m.panes.PaneSize(); {
	case h == 0 || m.rows.Count == 0:
		return r, false
	case m.of.More == nil:
		return m.rows.Row(m.panes.Row())
	case m.pane == nil:
		return r, false
	}
	return *m.pane, true
}

// Save asks where to write a file of the rows, and says where it went, and what speaks against it.
func (m *Model[R]) Save(file detail.File) tea.Cmd {
	file.Search = m.Meaning()
	return detail.OpenFile(m.Theme, file, func(w detail.Written) {
		words := "Written to "
		if file.End == "" {
			words = present.Count(w.Rows, "row was", "rows were") + " written to "
		}
		m.Tell(words+present.Plain(w.Path), w.Note)
	})
}

// CopyName copies what names a row, such as its "reference". A name is one word: any other may be more than a name where it is
// pasted.
func (m *Model[R]) CopyName(what, name string) tea.Cmd {
	if why := present.WhyNotCopied(what, name); why != "" {
		return m.Notify(why)
	}
	return m.Copy(what, name)
}
