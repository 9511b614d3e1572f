package screens

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"paydesk/ui"
)

// A paletteEntry is something to open or to do.
type paletteEntry struct {
	Name string
	Kind string // "here" for an action of the screen, "console" for another, "screen", "profile"; how a payment stands
	Tone ui.Tone
	Key  string // that does the same without the palette; "" for none
}

// A palette is the list of everything that can be opened or done from where the person is: typed
// letters find an entry, and its key stands beside it, so that people learn it.
type palette struct {
	theme   *ui.Theme
	entries []paletteEntry
	found   []int // indexes in entries, the best first
	text    *ui.Search
	table   *ui.Table
	w, h    int
}

const (
	keyWidth   = 8
	leastNames = 28
	kindWidth  = 19
)

// newPalette lists entries.
func newPalette(t *ui.Theme, entries []paletteEntry) *palette {
	m := &palette{theme: t, entries: entries, text: ui.NewSearch(t, "Go to", "a screen, a key's action, a profile or a reference")}
	m.text.Typing = true
	m.table = ui.NewTable(t)
	m.table.Grouped(func(int) (title, note string) {
		return "What there is", fmt.Sprintf("%d of %d", len(m.found), len(m.entries))
	}, func(int) bool { return true })
	m.align()
	m.find()
	return m
}

// align puts the kinds behind the widest of all names, whatever is found.
func (m *palette) align() {
	names := leastNames
	for _, e := range m.entries {
		names = max(names, ui.Width(e.Name))
	}
	m.table.SetColumns(ui.Column{Width: keyWidth}, ui.Column{Width: 20, Full: names}, ui.Column{Width: kindWidth, Quiet: true})
}

// Add lists more entries, after the others. What is marked stays marked while nothing was typed.
func (m *palette) Add(more []paletteEntry) {
	m.entries = append(m.entries, more...)
	m.align()
	marked := m.table.Selected()
	if m.find(); m.text.Value() == "" {
		m.table.Select(marked)
	}
}

// names are searched for the typed letters.
type names []paletteEntry

func (n names) String(i int) string { return n[i].Name + " " + n[i].Kind }
func (n names) Len() int            { return len(n) }

// find lists the entries that have every typed word, each with its letters in their order, the best
// match first. The words may be in any order: people say "profile two" and read "two profile".
func (m *palette) find() {
	m.found = m.found[:0]
	for i := range m.entries {
		m.found = append(m.found, i)
	}
	scores := make([]int, len(m.entries))
	for _, word := range strings.Fields(m.text.Value()) {
		has := make([]bool, len(m.entries))
		for _, match := range fuzzy.FindFrom(word, names(m.entries)) {
			has[match.Index] = true
			scores[match.Index] += match.Score
		}
		m.found = slices.DeleteFunc(m.found, func(i int) bool { return !has[i] })
	}
	slices.SortStableFunc(m.found, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	m.table.SetRows(len(m.found), m.row)
	m.table.Select(0)
	m.layout()
}

func (m *palette) row(i int) []ui.Cell {
	e := m.entries[m.found[i]]
	return []ui.Cell{{Text: e.Key}, {Text: e.Name}, {Text: e.Kind, Tone: e.Tone}}
}

var (
	choosePalette = ui.Bind("enter", "go")
	movePalette   = ui.Bind("↑/↓", "move", "up", "down", "pgup", "pgdown")
	closePalette  = ui.Bind("esc", "close")
)

// Update takes a key or a paste. It returns the index of the entry that was chosen, -1 for none yet.
func (m *palette) Update(msg tea.Msg) int {
	if k, pressed := msg.(tea.KeyPressMsg); pressed && key.Matches(k, choosePalette) {
		if at, some := ui.Selected(m.table, m.found); some {
			return at
		}
		return -1
	}
	if m.text.Update(msg, m.table) {
		m.find()
	}
	return -1
}

// Text returns what was typed.
func (m *palette) Text() string { return m.text.Value() }

// Resize sets the size of the body.
func (m *palette) Resize(w, h int) {
	m.w, m.h = max(w, 0), max(h, 0)
	m.layout()
}

const above = 3 // lines of the field, and of its error

func (m *palette) layout() { m.table.Resize(m.w, max(m.h-above, 0)) }

// View draws the field above the list.
func (m *palette) View() (string, *tea.Cursor) {
	lines, cursor := m.text.View(nil, m.w, m.h)
	for len(lines) < above {
		lines = append(lines, "")
	}
	if len(m.found) == 0 {
		lines = append(lines, m.theme.Muted.Render("Nothing matches."))
	} else {
		lines = append(lines, m.table.View())
	}
	return ui.Lines(m.w, m.h, lines...), cursor
}

// Keys returns the bindings while it is open.
func (m *palette) Keys() []key.Binding {
	enter := choosePalette
	enter.SetEnabled(len(m.found) > 0)
	return []key.Binding{enter, movePalette, closePalette, ui.NoHelp}
}
