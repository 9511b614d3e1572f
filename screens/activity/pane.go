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
func (m *Model) listWidth() int {
	if m.options.Team {
		return 78
	}
	return 76
}

// A pane is the attempt that is shown beside the list, or below it, with its history. Both are read first and shown at once:
// what was shown before stays until then.
type pane struct {
	attemptDetail
	some bool
	call ui.Call[[]journal.Event]
}

// newTable makes the table and lays it out with the pane.
func (m *Model) newTable() {
	m.list.table = ui.NewTable(m.Theme, columns(m.filter.everywhere(), m.options.Team)...)
	m.list.table.Grouped(m.group, m.sameGroup)
	if m.panes == nil {
		m.panes = ui.NewPanes(m.Theme, m.list.table, m.listWidth())
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
	return m.pane.attempt, m.pane.some && m.hasPane() && m.list.window.Count > 0
}

// readPane reads the history of the attempt that the pane is to show, which may have changed since it was read.
func (m *Model) readPane() tea.Cmd {
	a, read := m.list.window.Row(m.panes.Row())
	if !read || !m.hasPane() {
		return nil
	}
	j := m.options.Journal
	return m.pane.call.Then(func(r ui.Result[[]journal.Event]) tea.Cmd {
		m.pane.attemptDetail, m.pane.some = attemptDetail{a, r.Value}, true // the list says what is wrong with the journal
		return nil
	}).Ask(m.Scope, func(ctx context.Context) ([]journal.Event, error) { return j.Timeline(ctx, a.ID) })
}

// paneLines are what there is to say of an attempt.
func (m *Model) paneLines(_, w, h int) []string {
	a, read := m.inPane()
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

// beside is an attempt beside the list, with the keys for it at the foot, where they stay. The history gets the lines
// between.
func (m *Model) beside(a journal.Attempt, w, h int) []string {
	lines := append([]string{m.Theme.Rule("Attempt "+present.Plain(string(a.ID)), "", w)}, m.about(a, w)...)
	always, also := m.attemptCommands()
	next := append(append(ui.Commands{{Key: ui.Bind("enter", "open it whole"), On: true}}, always...), also...)
	foot := h - 1 - len(next)
	lines = append(lines, present.History(m.Theme, m.pane.events, !a.Mismatch.IsZero(), w, foot-len(lines)-1)...)
	for len(lines) < foot {
		lines = append(lines, "")
	}
	return append(append(lines, m.Theme.Rule("Do next", "", w)), next.Lines(m.Theme, labelWidth, w)...)
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
	if room := h - len(lines); room > 0 && len(meaning) > room { // the rest is in its details
		last := ui.Wrap(meaning[room-1], max(w-2, 1))[0]
		meaning = append(meaning[:room-1], last+" …")
	}
	return append(lines, meaning...)
}

// railLine is the end of the history on one line: the latest events that have room.
func (m *Model) railLine(a journal.Attempt, w int) (line string) {
	const joint = " ─ "
	for _, l := range slices.Backward(journal.Lines(m.pane.events)) {
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
