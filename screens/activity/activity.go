// Package activity lists every attempt in the journal, newest first: what was sent, its
// outcome, and who sent it.
//
// A window of rows around the selected one is read at a time (rows.go), so that a journal of
// any size opens at once. filter.go chooses the rows, words.go words them, and pane.go
// has beside them what is known of one. check.go asks the service about the payments in the window. export.go writes the filtered rows to a file, and purge.go
// deletes old attempts. The screen reads and writes the journal and files by calls; it changes
// nothing at the service.
package activity

import (
	"context"
	"iter"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/query"
	"paydesk/api/watch"
	"paydesk/ui"
)

// A Journal is read and purged by this screen.
type Journal interface {
	Find(ctx context.Context, f journal.Filter, s journal.Search, from, n int) (journal.Page[ledger.Attempt], error)
	Each(ctx context.Context, f journal.Filter) iter.Seq2[ledger.Attempt, error]
	Choices(ctx context.Context) (journal.Choices, error)
	Timeline(ctx context.Context, id ledger.ID) ([]ledger.Event, error)
	PurgePreview(ctx context.Context, before time.Time) (journal.PurgeResult, error)
	Purge(ctx context.Context, before time.Time) (journal.PurgeResult, error)
}

// Options of New.
type Options struct {
	Journal      Journal
	Off          bool                      // the journal of this profile is off: it is in memory
	Team         bool                      // the journal is that of several people: each row has the host of its operator
	Here         func() ledger.Destination // where the console is connected
	ExportFolder func() string             // the default folder for files; it may read the file system
	Retention    time.Duration             // default age of a purge; 0 is 90 days
	// Check requests the status of payments once; nil where nothing can be asked.
	Check func(context.Context, []api.Reference) ([]watch.State, error)
	// Pinned reports whether a payment is pinned to Home; nil for none.
	Pinned func(api.Reference) bool
	// Again holds what an attempt sent, without its card, for one that is collected again.
	Again func(ledger.Attempt) api.Initiation
}

// A Model is the screen.
type Model struct {
	ui.Body
	options Options
	result  string // of the last file or purge, until the next key

	list       list
	panes      *ui.Panes
	pane       pane
	checkCall  ui.Call[[]watch.State]
	filter     filter
	folder     string // where files are written
	folderCall ui.Call[string]
	purge      *purgeForm
}

// New is the screen.
func New(t *ui.Theme, o Options) *Model {
	if o.Retention <= 0 {
		o.Retention = 90 * 24 * time.Hour
	}
	m := &Model{Body: ui.Body{Theme: t}, options: o}
	m.filter = newFilter(t, o.Here, func() query.DayNumber { return query.DayOf(m.Scope.Now().Local()) })
	m.newTable()
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return tea.Batch(m.readAround(0), m.readChoices(), m.loadFolder())
}

// loadFolder asks for the default folder, in the background because it reads the file system.
// Until it is known, and where it is not, the field for it is empty.
func (m *Model) loadFolder() tea.Cmd {
	folder := m.options.ExportFolder
	if folder == nil {
		return nil
	}
	return m.folderCall.Then(func(a ui.Result[string]) tea.Cmd {
		m.folder = a.Value
		return nil
	}).Ask(m.Scope, func(context.Context) (string, error) { return folder(), nil })
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		m.News, m.result = ui.Notice{}, ""
		m.layout()
	case ui.Interrupted:
		if m.list.stale {
			return m.refresh()
		}
	}
	switch {
	case m.purge != nil:
		return m.updatePurge(msg)
	case m.filter.text.Typing:
		return m.updateFilter(msg)
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
		return nil
	}
	if cmd, used := m.panes.Update(m.Scope, k); used {
		return tea.Batch(cmd, m.follow())
	}
	if changed, used := m.filter.facets.Update(k); used {
		return m.chose(changed)
	}
	return m.commands().Press(k)
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layout()
}

// Resume is called when the screen is on top again: the rows may have changed since.
func (m *Model) Resume() tea.Cmd {
	m.list.stale = true // reloaded with the next key
	return nil
}

// Changed is called when a colleague changed the journal. The results of a search stay as they are: "as of" says when
// they were found.
func (m *Model) Changed() tea.Cmd {
	switch {
	case m.filter.active():
		return nil
	case m.list.call.Pending():
		m.list.stale = true // what is being read may be from before the change
		return nil
	}
	return m.refresh()
}

// Title implements [ui.Screen].
func (m *Model) Title() string {
	switch {
	case m.purge != nil:
		return ui.Inside("Activity", "Purge")
	}
	return "Activity"
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool {
	switch {
	case m.purge != nil:
		return m.purge.typing()
	}
	return m.filter.text.Typing
}

// WhyStay returns why the screen cannot be left now.
func (m *Model) WhyStay() string {
	if m.purge != nil && m.purge.done.Pending() {
		return "Deleting attempts; this takes a moment."
	}
	return ""
}

// Back closes what is open over the list, or goes from a facet to the list, then clears the filter.
func (m *Model) Back() bool {
	switch {
	case m.purge != nil:
		m.closePurge()
	case m.filter.facets.Focused() != nil:
		m.filter.facets.Leave()
	case m.filter.active():
		m.clearFilter()
	default:
		return false
	}
	m.News, m.result = ui.Notice{}, ""
	m.layout()
	return true
}
