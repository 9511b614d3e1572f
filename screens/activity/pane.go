package activity

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// listWidth is what the list needs beside a pane.
const listWidth = 76

// A pane is what was read about the attempt that is shown beside the list, or below it.
type pane struct {
	of     journal.ID
	events []journal.Event
	call   ui.Call[[]journal.Event]
}

// newTable makes the table and lays it out with the pane.
func (m *Model) newTable() {
	m.list.table = ui.NewTable(m.Theme, columns(m.filter.everywhere())...)
	m.list.table.Grouped(m.group)
	if m.panes == nil {
		m.panes = ui.NewPanes(m.Theme, m.list.table, listWidth)
		m.panes.OnFollow(m.readPane)
		return
	}
	m.panes.Of(m.list.table)
}

// hasPane reports whether there is room for more than the list.
func (m *Model) hasPane() bool {
	_, h := m.panes.PaneSize()
	return h > 0
}

// inPane is the attempt of the pane.
func (m *Model) inPane() (a journal.Attempt, some bool) {
	if !m.hasPane() {
		return a, false
	}
	return m.list.window.Row(m.panes.Row())
}

// readPane reads the timeline of the attempt in the pane, which may have changed since it was read.
func (m *Model) readPane() tea.Cmd {
	a, some := m.inPane()
	if !some {
		return nil
	}
	j, id := m.options.Journal, a.ID
	return m.pane.call.Then(func(r ui.Result[[]journal.Event]) tea.Cmd {
		if r.Err == nil { // the list says what is wrong with the journal
			m.pane.of, m.pane.events = id, r.Value
		}
		return nil
	}).Ask(m.Scope, func(ctx context.Context) ([]journal.Event, error) { return j.Timeline(ctx, id) })
}

// timeline is what has been read of the history of an attempt.
func (m *Model) timeline(a journal.Attempt) []journal.Event {
	if m.pane.of != a.ID {
		return nil
	}
	return m.pane.events
}

// paneLines are what there is to say of a row.
func (m *Model) paneLines(row, w, h int) []string {
	a, read := m.list.window.Row(row)
	switch news := m.newsLines(); {
	case m.panes.Beside() && read:
		return m.beside(a, w, h)
	case m.panes.Beside():
		return nil
	case news != nil:
		return append([]string{m.Theme.Rule("", "", w)}, news...)
	case !read:
		return []string{m.Theme.Rule("", "", w)}
	}
	return m.preview(a, w, h)
}

// beside is an attempt beside the list, down to the keys for it. The history gets the lines that these leave.
func (m *Model) beside(a journal.Attempt, w, h int) []string {
	lines := append([]string{m.Theme.Rule("Attempt "+present.Plain(string(a.ID)), "", w)}, m.about(a, w)...)
	next := m.next(w)
	if history := present.History(m.Theme, m.timeline(a), !a.Mismatch.IsZero(), w, h-len(lines)-len(next)-1); len(history) > 0 {
		lines = append(append(lines, history...), "")
	}
	return append(lines, next...)
}

// next are the keys for the attempt, with what they do.
func (m *Model) next(w int) []string {
	keys := append(ui.Commands{{Key: ui.Bind("enter", "open it whole"), On: true}}, m.attemptCommands()...)
	return append([]string{m.Theme.Rule("Do next", "", w)}, keys.Lines(m.Theme, labelWidth, w)...)
}

// preview is an attempt in the few lines below the list.
func (m *Model) preview(a journal.Attempt, w, h int) []string {
	status := present.AttemptCell(a, m.Scope.Now())
	chip := m.Theme.Chip(status.Tone, status.Text)
	var words []string
	if due := amount(a); due != "" {
		words = append(words, m.Theme.Strong.Render(due))
	}
	words = append(words, present.Action(a), strings.TrimSpace(by(a.By)))
	words = slices.DeleteFunc(words, func(s string) bool { return s == "" })
	for room := w - ansi.StringWidth(chip) - 2; len(words) > 1 && ansi.StringWidth(strings.Join(words, "  ")) > room; {
		words = words[:len(words)-1]
	}
	left := strings.Join(words, "  ")
	lines := []string{
		m.Theme.Rule(identifier(a), "enter: all of it", w),
		ui.Fit(left, max(w-ansi.StringWidth(chip), 0)) + chip,
	}
	meaning := ui.Wrap(m.meaning(a), w)
	if rail := m.railLine(a, w); rail != "" && len(meaning) < h-len(lines) {
		lines = append(lines, rail)
	}
	return append(lines, meaning...)
}

// railLine is the end of the history on one line: the latest events that have room.
func (m *Model) railLine(a journal.Attempt, w int) (line string) {
	const joint = " ─ "
	for _, l := range slices.Backward(journal.Lines(m.timeline(a))) {
		word, tone := present.Event(l.Event, !a.Mismatch.IsZero())
		one := "● " + m.Theme.Muted.Render(present.Clock(l.At.Local())) + " " + m.Theme.Mark(tone, word)
		if line != "" {
			one += m.Theme.Muted.Render(joint)
		}
		if ansi.StringWidth(one+line) > w {
			break
		}
		line = one + line
	}
	return line
}
