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
	Kind string // "here" for an action of the screen, "console" for another, "profile"; what a screen is for, how a payment stands
	Tone ui.Tone
	Key  string // that does the same without the palette; "" for none
	Do   func() tea.Cmd
}

// A palette is the list of everything that can be opened or done from where the person is: typed
// letters find an entry, and its key stands beside it, so that people learn it. It stands over the screen that it was opened on.
type palette struct {
	ui.Body
	app     *App
	on      ui.Screen // that it was opened on
	entries []paletteEntry
	found   []int // indexes in entries, the best first
	text    *ui.Search
	table   *ui.Table
	reading ui.Call[paletteRead]
}

const (
	keyWidth   = 8
	leastNames = 28
	kindWidth  = 19
	aboutWidth = 28
)

// newPalette lists what there is, and more once that was read.
func newPalette(a *App) *palette {
	t := a.env.Theme
	m := &palette{Body: ui.Body{Theme: t}, app: a, on: a.top()}
	m.entries = append(m.actions(), m.screens()...)
	m.text = ui.NewSearch(t, "Go to", "a screen, a key's action, a profile or a reference")
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
	m.table.SetColumns(ui.Column{Width: keyWidth}, ui.Column{Width: 20, Full: names}, ui.Column{Width: kindWidth, Full: aboutWidth, Quiet: true})
}

// Init implements [ui.Screen].
func (m *palette) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.reading.Then(m.add).Ask(s, m.read())
}

// add lists more entries, after the others. What is marked stays marked while nothing was typed.
func (m *palette) add(a ui.Result[paletteRead]) tea.Cmd {
	m.entries = slices.Concat(m.entries, m.payments(a.Value.recent), m.profiles(a.Value.profiles))
	m.align()
	marked := m.table.Selected()
	if m.find(); m.text.Value() == "" {
		m.table.Select(marked)
	}
	return nil
}

// names and kinds are searched for the typed letters.
type (
	names []paletteEntry
	kinds []paletteEntry
)

func (n names) String(i int) string { return n[i].Name }
func (n names) Len() int            { return len(n) }
func (k kinds) String(i int) string { return k[i].Kind }
func (k kinds) Len() int            { return len(k) }

// find lists the entries that have every typed word in their name or as their kind, with its letters in their order, the best
// match first. The words may be in any order: people say "profile two" and read "two profile".
func (m *palette) find() {
	m.found = m.found[:0]
	for i := range m.entries {
		m.found = append(m.found, i)
	}
	scores := make([]int, len(m.entries))
	for _, word := range strings.Fields(m.text.Value()) {
		has := make([]bool, len(m.entries))
		for _, column := range []fuzzy.Source{names(m.entries), kinds(m.entries)} {
			for _, match := range fuzzy.FindFrom(word, column) {
				if !has[match.Index] {
					has[match.Index] = true
					scores[match.Index] += match.Score
				}
			}
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
)

// Update implements [ui.Screen].
func (m *palette) Update(msg tea.Msg) tea.Cmd {
	if k, pressed := msg.(tea.KeyPressMsg); pressed && key.Matches(k, choosePalette) {
		at, some := ui.Selected(m.table, m.found)
		if !some {
			return nil
		}
		chosen := m.entries[at]
		return func() tea.Msg { return then(func() tea.Cmd { return m.choose(chosen) }) }
	}
	if m.text.Update(msg, m.table) {
		m.find()
	}
	return nil
}

// Resize implements [ui.Screen].
func (m *palette) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layout()
}

const above = 3 // lines of the field, and of its error

func (m *palette) layout() { m.table.Resize(m.W, max(m.H-above, 0)) }

// View implements [ui.Screen]: the field above the list.
func (m *palette) View() (string, *tea.Cursor) {
	lines, cursor := m.text.View(nil, m.W, m.H)
	for len(lines) < above {
		lines = append(lines, "")
	}
	if len(m.found) == 0 {
		lines = append(lines, m.Theme.Muted.Render("Nothing matches. ctrl+u clears the field."))
	} else {
		lines = append(lines, m.table.View())
	}
	return ui.Lines(m.W, m.H, lines...), cursor
}

// Title implements [ui.Screen].
func (m *palette) Title() string { return "Go to" }

// Typing implements [ui.Screen].
func (m *palette) Typing() bool { return true }

// Explain is the text of the help page.
func (m *palette) Explain() []string {
	return []string{"A few letters find a screen, what a key does, a profile, or a payment by its reference. They may be in any order of words."}
}

// Keys implements [ui.Screen].
func (m *palette) Keys() []key.Binding {
	if len(m.found) == 0 {
		return nil
	}
	return []key.Binding{choosePalette, movePalette}
}
