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
	in   paletteGroup
	Name string
	Kind string // what a screen is for, how a payment stands
	Tone ui.Tone
	Key  string // that does the same without the palette; "" for none
	Do   func() tea.Cmd
}

// A paletteGroup is what entries are listed under as long as nothing is typed, in this order.
type paletteGroup uint8

const (
	paletteHere paletteGroup = iota
	palettePayments
	paletteScreens
	paletteConsole
	paletteProfiles
)

func (g paletteGroup) String() string {
	return [...]string{"On this screen", "Payments", "Screens", "Console", "Profiles"}[g]
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
	keyWidth    = 8
	nameWidth   = 28
	aboutWidth  = 29
	statusWidth = 20
)

// newPalette lists what there is, and more once that was read.
func newPalette(a *App) *palette {
	t := a.env.Theme
	m := &palette{Body: ui.Body{Theme: t}, app: a, on: a.top()}
	m.entries = append(m.actions(), m.screens()...)
	m.text = ui.NewSearch(t, "Go to", "a screen, a key's action, a profile or a reference")
	m.text.Typing = true
	m.table = ui.NewTable(t, ui.Column{Width: keyWidth}, ui.Column{Width: 20, Full: nameWidth}, ui.Column{Width: 19, Full: aboutWidth, Quiet: true})
	m.table.Grouped(m.group, func(i int) bool {
		return i > 0 && (m.text.Value() != "" || m.entries[m.found[i]].in == m.entries[m.found[i-1]].in)
	})
	m.table.Apart(true)
	m.find()
	return m
}

// group returns what a row is listed under: of what was typed for, the best is first, whatever it is.
func (m *palette) group(i int) (title, note string) {
	if m.text.Value() != "" {
		return "Found", fmt.Sprintf("%d of %d", len(m.found), len(m.entries))
	}
	return m.entries[m.found[i]].in.String(), ""
}

// Init implements [ui.Screen].
func (m *palette) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.reading.Then(m.add).Ask(s, m.read())
}

// add lists more entries. What is marked stays marked while nothing was typed.
func (m *palette) add(a ui.Result[paletteRead]) tea.Cmd {
	m.entries = slices.Concat(m.entries, m.payments(a.Value.recent), m.profiles(a.Value.profiles))
	marked, some := ui.Selected(m.table, m.found)
	if m.find(); some && m.text.Value() == "" {
		m.table.Select(slices.Index(m.found, marked))
	}
	return nil
}

// find lists the entries that have every typed word in their name or as their kind, with its letters in their order, the best
// match first. The words may be in any order: people say "profile two" and read "two profile".
func (m *palette) find() {
	m.found = m.found[:0]
	var names, kinds []string
	for i, e := range m.entries {
		m.found, names, kinds = append(m.found, i), append(names, e.Name), append(kinds, e.Kind)
	}
	scores := make([]int, len(m.entries))
	for _, word := range strings.Fields(m.text.Value()) {
		has := make([]bool, len(m.entries))
		for _, column := range [][]string{names, kinds} {
			for _, match := range fuzzy.Find(word, column) {
				if !has[match.Index] {
					has[match.Index] = true
					scores[match.Index] += match.Score
				}
			}
		}
		m.found = slices.DeleteFunc(m.found, func(i int) bool { return !has[i] })
	}
	slices.SortStableFunc(m.found, func(a, b int) int {
		if m.text.Value() == "" {
			return cmp.Compare(m.entries[a].in, m.entries[b].in)
		}
		return cmp.Compare(scores[b], scores[a])
	})
	m.table.SetRows(len(m.found), m.row)
	m.table.Select(0)
	m.layout()
}

// row draws an entry, a payment as home does.
func (m *palette) row(i int) []ui.Cell {
	e := m.entries[m.found[i]]
	if e.in == palettePayments {
		return []ui.Cell{{Text: ui.Fit(m.Theme.Mark(e.Tone, e.Kind), statusWidth) + e.Name, Wide: true}}
	}
	return []ui.Cell{{Text: m.Theme.Strong.Render(e.Key)}, {Text: e.Name}, {Text: e.Kind}}
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
