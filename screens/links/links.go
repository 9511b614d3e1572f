// Package links is the book of the links that were created from here: what each asks for,
// where it is paid, and what was paid through it from here. A creation without an answer
// stands in it too, on top, and leads to its attempt.
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

// A Book is what this screen asks of the journal, about the place the console is at.
type Book interface {
	// Links are the links that were created, newest first.
	Links(context.Context) ([]journal.LinkRecord, error)
	// Unfinished are the attempts nobody knows about, newest first, and more.
	Unfinished(context.Context) ([]journal.Attempt, error)
}

// A sheet is what the journal had at a time.
type sheet struct {
	entries []journal.LinkRecord // creations without an answer first
	at      time.Time            // zero before it was read
}

// A Model is the screen. What it lists is read when it is opened, and on demand.
type Model struct {
	theme *ui.Theme
	book  Book
	scope ui.Scope
	keys  keyMap
	w, h  int

	read    ui.Call[sheet]
	sheet   sheet
	shown   []journal.LinkRecord // those the filter leaves
	table   *ui.Table
	form    *ui.Form
	filter  *ui.TextField
	typing  bool
	trouble present.Problem
	notice  ui.Notice
}

var _ ui.Screen = (*Model)(nil)

// New is the link book.
func New(t *ui.Theme, b Book) *Model {
	m := &Model{theme: t, book: b, keys: newKeyMap()}
	m.table = ui.NewTable(t,
		ui.Column{Title: "Alias", Width: 14, Grow: true},
		ui.Column{Title: "Name", Width: 12, Grow: true},
		ui.Column{Title: "Amount", Width: 16, Right: true},
		ui.Column{Title: "Paid", Width: 5, Right: true},
		ui.Column{Title: "Created", Width: 16, Drop: 1},
		ui.Column{Title: "Last used", Width: 16, Drop: 2},
	)
	m.filter = ui.NewTextField(t, "Filter", "in alias, name, amount, address or attempt id", ui.Limit(80))
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

// load reads the book.
func (m *Model) load() tea.Cmd {
	book := m.book
	return m.read.Ask(m.scope, func(ctx context.Context) (sheet, error) {
		links, err := book.Links(ctx)
		if err != nil {
			return sheet{}, err
		}
		open, err := book.Unfinished(ctx)
		s := sheet{at: time.Now()}
		for _, a := range open {
			if a.Kind == journal.CreateLink && a.IsUnresolved() {
				s.entries = append(s.entries, journal.LinkRecord{Attempt: a})
			}
		}
		s.entries = append(s.entries, links...)
		return s, err
	})
}

func (m *Model) loaded(a ui.Result[sheet]) {
	if a.Err != nil {
		m.trouble = present.Problem{
			What: "The links could not be read from the journal.", Next: "r reads them again.", Detail: clean(a.Err.Error()),
		}
	} else {
		m.sheet, m.trouble = a.Value, present.Problem{}
	}
	m.fill()
}

// fill puts what the filter leaves into the table.
func (m *Model) fill() {
	text := strings.ToLower(m.filter.Value())
	m.shown = nil
	for _, l := range m.sheet.entries {
		if strings.Contains(searchable(l), text) {
			m.shown = append(m.shown, l)
		}
	}
	m.table.SetRows(len(m.shown), func(i int) []ui.Cell { return m.cells(m.shown[i]) })
	m.lay()
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.read.Receive(msg); ok {
		m.loaded(a)
		return nil
	}
	k, pressed := msg.(tea.KeyPressMsg)
	if pressed {
		m.notice = ui.Notice{}
	}
	switch {
	case m.typing:
		return m.typed(msg)
	case pressed && !m.table.Update(k):
		return m.key(k)
	}
	return nil
}

// typed takes what is typed into the filter, and moves meanwhile.
func (m *Model) typed(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case key.Matches(k, ui.Submit):
			m.typing = false
			m.lay()
			return nil
		case key.Matches(k, m.keys.move):
			m.table.Update(k)
			return nil
		}
	}
	before := m.filter.Value()
	if m.form.Update(msg); m.filter.Value() != before {
		m.fill()
		m.table.Select(0)
	}
	return nil
}

// key takes a key of the list.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(k, m.keys.again):
		return m.load()
	case key.Matches(k, m.keys.filter):
		m.typing = true
		m.lay()
		return nil
	case key.Matches(k, m.keys.open):
		return m.open()
	case key.Matches(k, m.keys.collect, m.keys.copyAddress):
		return m.use(k)
	}
	return nil
}

// selected is the entry under the mark.
func (m *Model) selected() (journal.LinkRecord, bool) {
	i := m.table.Selected()
	if i < 0 || i >= len(m.shown) {
		return journal.LinkRecord{}, false
	}
	return m.shown[i], true
}

// open shows the share card of a link, or the attempt to create one.
func (m *Model) open() tea.Cmd {
	switch l, ok := m.selected(); {
	case !ok:
		return m.say("There is no link to open.")
	case l.CreatedLink == nil:
		return nav.Open(nav.Attempt{ID: l.ID})
	default:
		return nav.Open(nav.Share{Link: *l.CreatedLink})
	}
}

// use collects with the selected link, or copies its address.
func (m *Model) use(k tea.KeyPressMsg) tea.Cmd {
	l, ok := m.selected()
	switch {
	case !ok:
		return m.say("There is no link to do that with.")
	case l.CreatedLink == nil:
		return m.say("Nobody knows whether this link was created: enter shows what can be done.")
	case key.Matches(k, m.keys.collect):
		made := *l.CreatedLink
		return nav.Open(nav.Collect{Link: &made})
	case l.CreatedLink.Page.IsZero():
		return m.say("An address that cannot be trusted is not copied.")
	}
	m.notice.Text = "The address was sent to your terminal's clipboard."
	return tea.SetClipboard(l.CreatedLink.Page.String())
}

// say is why a key did nothing.
func (m *Model) say(words string) tea.Cmd {
	m.notice = ui.Notice{Tone: ui.ToneAct, Text: words}
	return nil
}

// Back ends the filter.
func (m *Model) Back() bool {
	if !m.typing && m.filter.Empty() {
		return false
	}
	m.typing = false
	m.filter.SetValue("")
	m.notice = ui.Notice{}
	m.fill()
	return true
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.w, m.h = max(w, 0), max(h, 0)
	m.lay()
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Links" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.typing }

// Notice is the one line above the help bar.
func (m *Model) Notice() ui.Notice { return m.notice }
