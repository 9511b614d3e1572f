// Package links lists the payment links that were created here: the amount of each, its URL,
// and the payments made through it from here. Links whose creation is unresolved come first,
// and lead to their attempts; then those that are not as they were asked for.
package links

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Journal holds the links of the destination that the console is connected to.
type Journal interface {
	// Links are the links that were created, newest first.
	Links(context.Context) ([]journal.LinkRecord, error)
	// Unfinished are the unresolved attempts and the payments in progress, newest first.
	Unfinished(context.Context) ([]journal.Attempt, error)
}

// A snapshot is what the journal had at a time.
type snapshot struct {
	entries []journal.LinkRecord // unresolved ones first, then those to read
	at      time.Time            // zero before it was read
}

// A Model is the screen. The list is read when the screen comes to the top, and on demand.
type Model struct {
	ui.Body
	journal  Journal
	loadCall ui.Call[snapshot]
	snapshot snapshot
	shown    []journal.LinkRecord // those the filter leaves
	table    *ui.Table
	filter   *ui.Filter
	problem  present.Problem
}

// New is the screen.
func New(t *ui.Theme, b Journal) *Model {
	return &Model{
		Body: ui.Body{Theme: t}, journal: b,
		filter: ui.NewFilter(t, "Filter", "in alias, name, amount, URL or attempt ID"),
		table: ui.NewTable(t,
			ui.Column{Title: "Alias", Width: 14, Grow: true},
			ui.Column{Title: "Name", Width: 12, Grow: true},
			ui.Column{Title: "Amount", Width: 16, Right: true},
			ui.Column{Title: "Paid", Width: 5, Right: true},
			ui.Column{Title: "Created", Width: 16, Drop: 1},
			ui.Column{Title: "Last used", Width: 16, Drop: 2},
		),
	}
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.load()
}

// Resume implements [ui.Resumer].
func (m *Model) Resume() tea.Cmd { return m.load() }

// load reads the links.
func (m *Model) load() tea.Cmd {
	j := m.journal
	return m.loadCall.Then(m.loaded).Ask(m.Scope, func(ctx context.Context) (snapshot, error) {
		links, err := j.Links(ctx)
		if err != nil {
			return snapshot{}, err
		}
		open, err := j.Unfinished(ctx)
		s := snapshot{at: time.Now()}
		for _, a := range open {
			if a.Kind == journal.CreateLink && a.IsUnresolved() {
				s.entries = append(s.entries, journal.LinkRecord{Attempt: a})
			}
		}
		s.entries = append(s.entries, links...)
		slices.SortStableFunc(s.entries, func(a, b journal.LinkRecord) int { return rank(a) - rank(b) })
		return s, err
	})
}

// rank is the place of a link in the list.
func rank(l journal.LinkRecord) int {
	switch {
	case l.CreatedLink == nil:
		return 0
	case l.MustBeRead():
		return 1
	}
	return 2
}

// loaded shows the links; those read before stay when the journal cannot be read.
func (m *Model) loaded(a ui.Result[snapshot]) tea.Cmd {
	if a.Err != nil {
		m.problem = present.JournalUnread("The links", a.Err)
	} else {
		m.snapshot, m.problem = a.Value, present.Problem{}
	}
	m.applyFilter()
	return nil
}

// applyFilter fills the table with the links that match the filter.
func (m *Model) applyFilter() {
	text := strings.ToLower(m.filter.Value())
	m.shown = nil
	for _, l := range m.snapshot.entries {
		if strings.Contains(searchable(l), text) {
			m.shown = append(m.shown, l)
		}
	}
	m.table.SetRows(len(m.shown), func(i int) []ui.Cell { return m.cells(m.shown[i]) })
	m.layout()
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	k, pressed := msg.(tea.KeyPressMsg)
	if pressed {
		m.News = ui.Notice{}
	}
	switch {
	case m.filter.Typing:
		if m.filter.Update(msg, m.table) {
			m.applyFilter()
			m.table.Select(0)
		}
		m.layout()
	case pressed && !m.table.Update(k):
		return m.commands().Press(k)
	}
	return nil
}

// Back clears the filter.
func (m *Model) Back() bool {
	if !m.filter.Active() {
		return false
	}
	m.filter.Clear()
	m.News = ui.Notice{}
	m.applyFilter()
	return true
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layout()
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Links" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.filter.Typing }
