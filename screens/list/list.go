// Package list is the screen of many things: rows in columns, found by a query, and a pane about the marked one beside them
// or below.
//
// An [Of] describes what is listed: a screen fills it in, and embeds the [Model] of it. rows.go reads the rows a window at a
// time, groups them by day and waits for new ones, query.go finds some of them, row.go has what is
// done with one, and view.go draws. A column is added where the columns of the rows are, in package report, and nowhere else.
package list

import (
	"cmp"
	"context"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/query"
	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// An Of describes what is listed. Its functions are called on the event loop and do no I/O; those that Read, More, Choices and
// Wait return run in the background. Such a function may return what is to be done on the event loop with what it has read.
type Of[R any] struct {
	Title     string
	One, Many string // the words for a row, and for rows: "link", "links"
	Columns   func() []report.Column[R]
	ID        func(R) string // the same row stays marked when the rows are read again
	Read      func(Want[R]) Reading[R]
	Problem   func(error) present.Problem // nil for its own words

	Language func(today func() query.DayNumber) *query.Language // nil for a list without a search
	Example  string                                             // of a query, while none is typed
	Query    string                                             // to begin with; it is left with the screen
	Facets   []*ui.Facet                                        // one with the name of a field shows and writes the query's term of it
	Faceted  func() bool                                        // reports whether the facets are offered now; nil for always
	Main     int                                                // how many keys stand before those of the facets; 0 for three
	Choices  Background                                         // of the facets; nil for those that do not change

	// Head replaces the number of rows and when they were read, above the rows; nil keeps these. The list adds to its first line, which
	// has first cells for that reason.
	Head  func(w, first int) []string
	Under func(w int) []string // lines under those; nil for none
	Foot  func(w int) []string // lines below the rows, where these begin; nil for none
	Words func() string        // counts the rows; nil for [Model.CountWords]
	Says  func() string        // is drawn behind the number of rows; nil for nothing
	None  func() (words string, k key.Binding)
	// Obstacle says why nothing can be listed yet, with the key that may change that; nil for a problem of Read alone.
	Obstacle func(w int) ([]string, key.Binding)
	Day      func(R) time.Time
	DayNote  func(day time.Time) string

	Report func(r R, lines int) report.Report // is in the pane, with so many lines of a text at most
	Pane   func(r R, w, h int) []string       // in place of the report; nil for that
	Below  func() int                         // returns how many lines the pane has also in a window too small for a preview; nil for none
	More   func(R) Background                 // reads what the pane says of a row besides; nil for nothing

	Commands func() ui.Commands
	Listed   func() tea.Cmd       // is called when rows were read; nil for nothing
	Beyond   func(by int) tea.Cmd // a key goes on from the last row, or back from the first; nil for nothing
	Wait     func() Background    // returns once there may be other rows; nil for a list that does not follow
}

// A Background runs in the background, and returns what is done on the event loop after it; nil for nothing.
type Background func(context.Context) (func(), error)

// A Model is the screen.
type Model[R any] struct {
	ui.Body
	of     Of[R]
	table  *ui.Table
	panes  *ui.Panes
	result string // of what was done last, until the next key
	doubt  string // what speaks against it
	// newsInside is set while these, or a problem, stand in place of the preview.
	newsInside bool

	*finder
	before  *R     // was marked before anything was typed
	base    string // the part of the query that esc leaves
	choices ui.Call[func()]

	rows      Rows[R]
	read      asked  // what they were read for
	requested [2]int // the first row requested, and the one after the last
	seek      string // the ID of the row to be marked as soon as it is read; "" for the one that is
	near      *R     // the row to stay at, whose number is not known: the search was cleared
	back      string // the ID of the row that was marked before the search, which was cleared
	begin     bool   // the rows on their way are others
	first     bool   // the first of them is marked
	stale     bool   // other rows are to be read
	problem   present.Problem
	call      ui.Call[reading[R]]

	opened *R // on a screen of its own; nil for none
	detail *detail.Model

	pane *R // is shown; the row and what More reads of it are shown at once
	more ui.Call[func()]

	follows bool // the newest row stays marked
	halted  bool // the last key for a row ended that
	stopped int  // the number of rows when that ended
	covered bool // another screen is on top
	waiting ui.Call[func()]
}

// New is the screen.
func New[R any](t *ui.Theme, of Of[R]) *Model[R] {
	table := ui.NewTable(t)
	m := &Model[R]{Body: ui.Body{Theme: t}, of: of, table: table, panes: ui.NewPanes(t, table), base: of.Query, follows: of.Wait != nil}
	m.panes.OnFollow(m.readMore)
	if of.Day != nil {
		table.Grouped(m.group, m.sameGroup)
	}
	var language *query.Language
	if of.Language != nil {
		language = of.Language(func() query.DayNumber { return query.DayOf(m.Scope.Now().Local()) })
	}
	m.finder = newFinder(t, language, of.Example, of.Facets)
	return m
}

// Init implements [ui.Screen]. A list that was left is as it was, with the rows there are now.
func (m *Model[R]) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	m.waiting.Drop() // with the scope before
	if m.typedQuery() == "" {
		m.setQuery(m.base)
	}
	m.fill()
	if m.follows {
		return m.Refresh()
	}
	return m.Stay()
}

// Resume implements [ui.Resumer]: the rows may have changed meanwhile.
func (m *Model[R]) Resume() tea.Cmd {
	m.covered = false
	return m.Refresh()
}

// Pause implements [ui.Pauser]: nothing is waited for while another screen is on top.
func (m *Model[R]) Pause() {
	m.covered = true
	m.waiting.Drop()
}

// Changed is called when the rows were changed, by whomever. The results of a search stay as they are: "as of" says when they
// were found.
func (m *Model[R]) Changed() tea.Cmd {
	switch {
	case m.Searched():
		return nil
	case m.call.Pending():
		m.stale = true // what is being read may be from before the change
		return nil
	}
	return m.Refresh()
}

// Update implements [ui.Screen].
func (m *Model[R]) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		m.endNews()
	case ui.Interrupted:
		if m.stale {
			return m.Refresh()
		}
	case again:
		if m.covered {
			return nil
		}
		return m.Refresh()
	}
	if m.Typing() {
		return m.typed(msg)
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	if by := m.table.Beyond(k); by != 0 && m.of.Beyond != nil {
		return m.of.Beyond(by)
	}
	if cmd, used := m.panes.Update(m.Scope, k); used {
		m.seek = ""
		m.Stop()
		switch {
		case m.rows.Count > 0:
			return tea.Batch(cmd, m.readAhead())
		case m.barren():
			return nil
		}
		return tooEarly
	}
	if m.faceted() {
		if changed, used := m.facets.Update(k); used {
			return m.chose(changed)
		}
	}
	return m.Press(k, m.of.Commands())
}

// barren reports whether there are no rows, and none are on their way.
func (m *Model[R]) barren() bool {
	words, _ := m.of.None()
	return m.rows.Complete && !m.rows.Searching && !m.Reading() && (words != "" || !m.read.query.Empty())
}

// tooEarly does nothing: a key that moves was pressed before there are rows, by a person who types ahead. To say that it does nothing
// would be wrong a moment later.
func tooEarly() tea.Msg { return nil }

func (m *Model[R]) endNews() {
	m.News = ui.Notice{}
	if m.result != "" {
		m.Tell("", "")
	}
}

// Tell says what was done, such as where a file is, until the next key: below the rows, or in place of the preview. A doubt says what
// speaks against it, "" for nothing.
func (m *Model[R]) Tell(result, doubt string) {
	m.result, m.doubt = result, doubt
	m.Layout()
}

// Back implements [ui.Backer]: it goes from a facet to the list, or clears the search. The rows are read again with the message that
// follows, and the marked row stays marked.
func (m *Model[R]) Back() bool {
	switch {
	case m.facets.Focused() != nil:
		m.facets.Leave()
	case m.Typing() || m.typedQuery() != m.base:
		m.stale = m.typedQuery() != m.base
		if m.stale {
			m.stayNear()
		}
		m.search.Clear()
		m.setQuery(m.base)
	default:
		return false
	}
	m.News, m.result = ui.Notice{}, ""
	m.Layout()
	return true
}

// stayNear stays at the marked row, whatever its number is then, or at the one before the search.
func (m *Model[R]) stayNear() {
	if m.before != nil {
		m.near, m.back = m.before, m.of.ID(*m.before)
	}
	if r, some := m.Selected(); some {
		m.near = &r
	}
}

// Resized implements [ui.Resizer]: a larger window has room for a pane, and for more rows.
func (m *Model[R]) Resized() tea.Cmd { return tea.Batch(m.readAhead(), m.readMore()) }

// Title implements [ui.Screen].
func (m *Model[R]) Title() string { return m.of.Title }

// Typing implements [ui.Screen].
func (m *Model[R]) Typing() bool { return m.search != nil && m.search.Typing }

// Keys implements [ui.Screen]. The facets stand behind the main keys; while one has the focus enter goes back to the list.
func (m *Model[R]) Keys() []key.Binding {
	if m.Typing() {
		return m.search.Keys()
	}
	keys := m.of.Commands().Keys()
	if m.faceted() {
		keys = withFacets(keys, m.facets, cmp.Or(m.of.Main, 3))
	}
	if m.rows.Count > 0 {
		keys = append(keys, m.panes.Keys()...)
	}
	if m.typedQuery() == m.base { // esc leaves
		return keys
	}
	return m.search.Arrange(keys)
}

// withFacets puts the keys of the fields above a list behind its main ones. While a field has the focus they come first, and enter is
// its own.
func withFacets(keys []key.Binding, facets *ui.Facets, main int) []key.Binding {
	if facets.Focused() == nil {
		return slices.Insert(keys, min(main, len(keys)), facets.Keys()...)
	}
	return append(facets.Keys(), slices.DeleteFunc(keys, func(b key.Binding) bool { return b.Help().Key == "enter" })...)
}
