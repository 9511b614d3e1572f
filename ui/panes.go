package ui

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Where there is room, a pane beside a list describes its marked row, or a preview below it does.
const (
	besideFrom   = 110 - bodyMargins // cells of a body
	previewFrom  = 24 - chromeLines  // lines of a body
	previewLines = 4
	leastList    = 78  // cells of a list beside a pane, the same on every screen
	mostList     = 90  // a row's last column stands near its first
	sharedFrom   = 158 // cells of a body from which the list and the pane share the rest
	followAfter  = 120 * time.Millisecond
	divider      = " │ "
	dividerCells = 3
)

// Panes lay out the list of a screen and the pane about its marked row: side by side with one line between them, one
// below the other, or the list alone. A pane follows the mark a moment after the last key, so that a key that is
// held down writes the mark and nothing else.
type Panes struct {
	theme *Theme
	list  *Table
	below int // lines below the list also where there is no room for a preview
	w, h  int

	followed func() tea.Cmd // called when the pane shows another row; may be nil

	skip    int // lines of the pane above those that are shown
	skipped int // the row of which these are

	still   Lull
	waiting bool
	held    int // the row that the pane shows while it is waiting
	changes int // of the list, when it was held
}

// NewPanes is for a list.
func NewPanes(t *Theme, list *Table) *Panes { return &Panes{theme: t, list: list} }

// Below gives the pane at least so many lines below the list where it is not beside it, also in a window too small for a preview: for
// what nothing else shows.
func (p *Panes) Below(lines int) { p.below = lines }

// OnFollow sets what is done when the mark rests, and the pane has followed it, such as reading more about its row.
func (p *Panes) OnFollow(do func() tea.Cmd) { p.followed = do }

// Resize sets the size of the body. The list gets the size that [Panes.ListSize] returns; whoever draws it
// resizes it, less the lines above it.
func (p *Panes) Resize(w, h int) { p.w, p.h = max(w, 0), max(h, 0) }

// Beside reports whether the pane is beside the list; it is below it otherwise, if there is one.
func (p *Panes) Beside() bool { return p.w >= besideFrom }

// ListSize is the size that the list has, with what belongs to it.
func (p *Panes) ListSize() (w, h int) {
	if p.Beside() {
		return min(max(leastList, leastList+(p.w-sharedFrom)/2), mostList), p.h
	}
	below := p.below
	if p.h >= previewFrom {
		below = max(below, previewLines)
	}
	return p.w, min(max(p.h-below, p.h/2, 1), p.h)
}

// PaneSize is the size of the pane or preview, 0×0 where there is none.
func (p *Panes) PaneSize() (w, h int) {
	lw, lh := p.ListSize()
	switch {
	case p.Beside():
		return p.w - lw - dividerCells, p.h
	case lh < p.h:
		return p.w, p.h - lh
	}
	return 0, 0
}

// Update moves the mark, as [Table.Update] does. With the command the pane follows. No terminal scrolls the left half of
// its lines: beside a pane a list that is left by one row moves on by half a window, since each scroll draws all of it.
func (p *Panes) Update(s Scope, msg tea.Msg) (tea.Cmd, bool) {
	if p.scroll(msg) {
		return nil, true
	}
	was, top := p.list.Selected(), p.list.Top()
	used := p.list.Update(msg)
	if !used || p.list.Selected() == was {
		return nil, used
	}
	if by := p.list.Selected() - was; p.Beside() && p.list.Top() != top && by*by == 1 {
		p.list.Centre()
	}
	return p.Moved(s, was), true
}

// paneKeys scroll a pane that is beside its list.
var paneKeys = Bind("shift+↑/shift+↓", "scroll the panel", "shift+up", "shift+down")

// Keys lists the bindings that move the mark, and those that scroll the pane.
func (p *Panes) Keys() []key.Binding {
	keys, scrolls := p.list.Keys(), paneKeys
	scrolls.SetEnabled(p.Beside() && len(keys) > 0)
	return append(keys, scrolls)
}

// scroll takes the keys that scroll the pane, by half of it.
func (p *Panes) scroll(msg tea.Msg) bool {
	k, pressed := msg.(tea.KeyPressMsg)
	if !pressed || !p.Beside() || !key.Matches(k, paneKeys) {
		return false
	}
	by := max(p.h/2, 1)
	if k.String() == "shift+up" {
		by = -by
	}
	p.skip = max(p.skip+by, 0)
	return true
}

// Top shows the pane from its first line, for a screen that puts something else into it.
func (p *Panes) Top() { p.skip = 0 }

// scrolled is a pane that is beside its list, without the lines that were scrolled past. What has no room in it is there once it is.
func (p *Panes) scrolled(pane func(row, w, h int) []string, w, h int) []string {
	const tall = 400
	if p.skipped != p.Row() {
		p.skip, p.skipped = 0, p.Row()
	}
	if p.skip == 0 {
		return pane(p.Row(), w, h)
	}
	all := strings.Split(strings.TrimRight(strings.Join(pane(p.Row(), w, tall), "\n"), "\n "), "\n")
	if p.skip = min(p.skip, max(len(all)-h, 0)); p.skip == 0 {
		return pane(p.Row(), w, h)
	}
	return all[p.skip:]
}

// Moved holds the pane at the row that was marked before, for a list that was moved in by other means.
func (p *Panes) Moved(s Scope, was int) tea.Cmd {
	switch _, h := p.PaneSize(); {
	case h == 0:
		p.waiting = false
	case !p.waiting || p.changes != p.list.changes:
		p.held, p.changes, p.waiting = was, p.list.changes, true
	}
	if !p.waiting && p.followed == nil {
		return nil
	}
	return p.still.After(s, followAfter, follow{p})
}

// A follow lets a pane show the marked row.
type follow struct{ panes *Panes }

func (f follow) handle() tea.Cmd {
	if f.panes.waiting = false; f.panes.followed == nil {
		return nil
	}
	return f.panes.followed()
}

// Row is the row that the pane shows, -1 for none. Of rows that are new it is
// the marked one.
func (p *Panes) Row() int {
	if p.waiting && p.changes == p.list.changes && p.held < p.list.Len() {
		return p.held
	}
	return p.list.Selected()
}

// View draws the list and the pane, whose lines pane returns for the row of [Panes.Row] and a size.
func (p *Panes) View(list string, pane func(row, w, h int) []string) string {
	var beside []string
	switch w, h := p.PaneSize(); {
	case h == 0 || p.Row() < 0:
	case p.Beside():
		beside = p.scrolled(pane, w, h)
	default:
		beside = pane(p.Row(), w, h)
	}
	return p.join(list, beside)
}

// join draws the list and the lines of a pane.
func (p *Panes) join(list string, pane []string) string {
	lw, lh := p.ListSize()
	pw, ph := p.PaneSize()
	if p.w < 1 || ph == 0 {
		return Lines(p.w, p.h, list)
	}
	beside := strings.Split(Lines(pw, ph, pane...), "\n")
	lines := strings.Split(Lines(lw, lh, list), "\n")
	if !p.Beside() {
		return strings.Join(append(padded(lines, lh)[:lh], beside...), "\n")
	}
	return p.theme.Beside(lw, lh, lines, beside)
}

// Beside draws two columns of h lines with a line between them. The left one has w cells.
func (t *Theme) Beside(w, h int, left, right []string) string {
	between := t.Muted.Render(divider)
	lines := make([]string, max(h, 0))
	copy(lines, left)
	for i, line := range lines {
		lines[i] = Fit(StableWidth(line), w) + between
		if i < len(right) {
			lines[i] += right[i]
		}
	}
	return strings.Join(lines, "\n")
}

// Footed is a body of w×h cells with at most n lines at its foot, for which there must be room below the text of its left column, with
// two blank ones above, and the width of a table. Elsewhere it is the body as it was.
func Footed(body string, w, h, n int, foot func(w int) []string) string {
	const narrowest, apart = 60, 2
	lines := padded(strings.Split(body, "\n"), h)
	if n+apart > h || len(lines) > h {
		return body
	}
	left := w
	if last := lines[h-1]; strings.TrimSpace(last) != "" {
		left = len(last) - len(strings.TrimLeft(last, " ")) // the line between two columns runs to the last one
	}
	if left < min(narrowest, w) {
		return body
	}
	for _, line := range lines[h-n-apart:] {
		if len(strings.TrimLeft(line, " ")) > max(len(line)-left, 0) {
			return body
		}
	}
	drawn := foot(left)
	for i, line := range drawn {
		at := &lines[h-len(drawn)+i]
		*at = Fit(line, left) + (*at)[min(left, len(*at)):]
	}
	return strings.Join(lines, "\n")
}

// padded adds empty lines up to n.
func padded(lines []string, n int) []string {
	return append(lines, make([]string, max(n-len(lines), 0))...)
}
