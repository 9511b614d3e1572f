// Package links lists the payment links that were created here: the amount of each, its URL,
// and the payments made through it from here. Links whose creation is unresolved come first,
// and lead to their attempts.
package links

import (
	"context"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/nav"
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
	entries []journal.LinkRecord // unresolved ones first
	at      time.Time            // zero before it was read
}

// A Model is the screen. The list is read when the screen comes to the top, and on demand.
type Model struct {
	theme   *ui.Theme
	journal Journal
	scope   ui.Scope
	keys    keyMap
	w, h    int

	loadCall ui.Call[snapshot]
	snapshot snapshot
	shown    []journal.LinkRecord // those the filter leaves
	table    *ui.Table
	form     *ui.Form
	filter   *ui.TextField
	typing   bool
	problem  present.Problem
	notice   ui.Notice
}

var _ ui.Screen = (*Model)(nil)

// New is the screen.
func New(t *ui.Theme, b Journal) *Model {
	m := &Model{theme: t, journal: b, keys: newKeyMap()}
	m.table = ui.NewTable(t,
		ui.Column{Title: "Alias", Width: 14, Grow: true},
		ui.Column{Title: "Name", Width: 12, Grow: true},
		ui.Column{Title: "Amount", Width: 16, Right: true},
		ui.Column{Title: "Paid", Width: 5, Right: true},
		ui.Column{Title: "Created", Width: 16, Drop: 1},
		ui.Column{Title: "Last used", Width: 16, Drop: 2},
	)
	m.filter = ui.NewTextField(t, "Filter", "in alias, name, amount, URL or attempt ID", ui.Limit(80))
	m.form = ui.NewForm(t, m.filter)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return m.load()
}

// Resume is called when the screen is on top again.
func (m *Model) Resume() tea.Cmd { return m.load() }

// load reads the links.
func (m *Model) load() tea.Cmd {
	j := m.journal
	return m.loadCall.Ask(m.scope, func(ctx context.Context) (snapshot, error) {
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
		return s, err
	})
}

func (m *Model) loaded(a ui.Result[snapshot]) {
	if a.Err != nil {
		m.problem = present.Problem{
			What: "The links could not be read from the journal.", Next: "Press r to retry.", Detail: present.Plain(a.Err.Error()),
		}
	} else {
		m.snapshot, m.problem = a.Value, present.Problem{}
	}
	m.applyFilter()
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
	if a, ok := m.loadCall.Receive(msg); ok {
		m.loaded(a)
		return nil
	}
	k, pressed := msg.(tea.KeyPressMsg)
	if pressed {
		m.notice = ui.Notice{}
	}
	switch {
	case m.typing:
		return m.updateFilter(msg)
	case pressed && !m.table.Update(k):
		return m.key(k)
	}
	return nil
}

// updateFilter handles input while the filter is typed; the arrows move in the table.
func (m *Model) updateFilter(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case key.Matches(k, ui.Submit):
			m.typing = false
			m.layout()
			return nil
		case key.Matches(k, m.keys.move):
			m.table.Update(k)
			return nil
		}
	}
	before := m.filter.Value()
	if m.form.Update(msg); m.filter.Value() != before {
		m.applyFilter()
		m.table.Select(0)
	}
	return nil
}

// key handles a key of the list.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(k, m.keys.reload):
		return m.load()
	case key.Matches(k, m.keys.filter):
		m.typing = true
		m.layout()
		return nil
	case key.Matches(k, m.keys.open):
		return m.open()
	case key.Matches(k, m.keys.collect, m.keys.copyAddress):
		return m.use(k)
	}
	return nil
}

// selected is the link under the cursor.
func (m *Model) selected() (journal.LinkRecord, bool) {
	i := m.table.Selected()
	if i < 0 || i >= len(m.shown) {
		return journal.LinkRecord{}, false
	}
	return m.shown[i], true
}

// open shows the link for sharing, or the attempt to create it.
func (m *Model) open() tea.Cmd {
	switch l, ok := m.selected(); {
	case !ok:
		return m.notify("No link is selected.")
	case l.CreatedLink == nil:
		return nav.Open(nav.Attempt{ID: l.ID})
	default:
		return nav.Open(nav.Share{Link: *l.CreatedLink})
	}
}

// use collects through the selected link, or copies its URL.
func (m *Model) use(k tea.KeyPressMsg) tea.Cmd {
	l, ok := m.selected()
	switch {
	case !ok:
		return m.notify("No link is selected.")
	case l.CreatedLink == nil:
		return m.notify(present.NotKnown(journal.CreateLink) + " Press enter to resolve it.")
	case key.Matches(k, m.keys.collect):
		made := *l.CreatedLink
		return nav.Open(nav.Collect{Link: &made})
	case l.CreatedLink.Page.IsZero():
		return m.notify("This link has no URL that is safe to copy.")
	}
	m.notice.Text = "The URL was sent to your terminal's clipboard."
	return tea.SetClipboard(l.CreatedLink.Page.String())
}

// notify explains why a key did nothing.
func (m *Model) notify(text string) tea.Cmd {
	m.notice = ui.Notice{Tone: ui.ToneAct, Text: text}
	return nil
}

// Back clears the filter.
func (m *Model) Back() bool {
	if !m.typing && m.filter.Empty() {
		return false
	}
	m.typing = false
	m.filter.SetValue("")
	m.notice = ui.Notice{}
	m.applyFilter()
	return true
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.w, m.h = max(w, 0), max(h, 0)
	m.layout()
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Links" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.typing }

// Notice is the one line above the help bar.
func (m *Model) Notice() ui.Notice { return m.notice }
