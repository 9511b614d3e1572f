package changes

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/api/mirror"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

const amountWidth = 14

// mostRows are the rows of a group that are listed.
const mostRows = 10_000

// An opened group lists its rows.
type opened struct {
	group  mirror.Group
	all    []mirror.Change
	rows   *listing.Rows // of all, as they are now, or were where they are gone
	found  []int32       // of all, that the filter finds
	doubts doubts
	read   bool
	table  *ui.Table
	panes  *ui.Panes
	filter *ui.Filter
	call   ui.Call[rowsRead]
	again  ui.Call[doubts]
	search ui.Call[[]int32]
}

// rowsRead are the rows of a group as they were read.
type rowsRead struct {
	all    []mirror.Change
	rows   *listing.Rows
	doubts doubts
}

func rowColumns() []ui.Column {
	return []ui.Column{
		{Title: "Status", Width: 14},
		{Title: "Amount", Width: amountWidth, Right: true},
		{Title: "Cur", Width: 3},
		{Title: "ID", Width: 36, Drop: 1},
	}
}

// openGroup lists the rows of the marked group.
func (m *Model) openGroup() tea.Cmd {
	g, ok := ui.Selected(m.table, m.history.Groups)
	if !ok {
		return nil
	}
	table := ui.NewTable(m.Theme, rowColumns()...)
	o := &opened{
		group: g, table: table, panes: ui.NewPanes(m.Theme, table, listWidth),
		filter: ui.NewQuery(m.Theme, "Filter", "status, currency, amount or ID, as in gbp >100", present.ReadQuery(listing.Language())),
	}
	m.opened = o
	m.Resize(m.W, m.H)
	memory, known, h := m.options.Memory, m.options.Journal, m.history
	return o.call.Then(m.openedRead).Timed(ui.NoLimit, m.layout).Ask(m.Scope, func(ctx context.Context) (r rowsRead, err error) {
		if r.all, err = memory.Changes(ctx, h, []mirror.Group{g}, mostRows); err != nil {
			return r, err
		}
		rows := make([]api.Row, len(r.all))
		for i, c := range r.all {
			rows[i] = now(c)
		}
		r.rows, r.doubts = listing.Of(rows...), doubtsOf(ctx, known, r.all)
		return r, nil
	})
}

// closeGroup closes the open group, and shows what was kept meanwhile.
func (m *Model) closeGroup() {
	if m.opened == nil {
		return
	}
	m.opened.call.Drop()
	m.opened.search.Drop()
	m.opened.again.Drop()
	m.opened = nil
	if m.next != nil {
		m.history, m.next = *m.next, nil
		m.fill()
	}
}

func (m *Model) openedRead(a ui.Result[rowsRead]) tea.Cmd {
	o := m.opened
	if a.Err != nil {
		m.closeGroup()
		m.problem = present.MirrorProblem(a.Err)
		m.layout()
		return nil
	}
	o.all, o.rows, o.doubts, o.read = a.Value.all, a.Value.rows, a.Value.doubts, true
	return m.fillOpened()
}

// now is a row as it is, or as it was where it is gone.
func now(c mirror.Change) api.Row {
	if isGone(c) {
		return c.Was
	}
	return c.Is
}

// isGone reports whether a row is not in the list any more.
func isGone(c mirror.Change) bool { return !present.RowIsIn(c.Is) }

// fillOpened shows the rows that the filter finds.
func (m *Model) fillOpened() tea.Cmd {
	o := m.opened
	q, _ := listing.Language().Parse(o.filter.Value())
	if len(q.Terms) == 0 {
		o.search.Drop()
		all := make([]int32, len(o.all))
		for i := range all {
			all[i] = int32(i)
		}
		m.show(all)
		return nil
	}
	rows := o.rows
	return o.search.Then(func(a ui.Result[[]int32]) tea.Cmd {
		if a.Err == nil {
			m.show(a.Value)
		}
		return nil
	}).Ask(m.Scope, func(ctx context.Context) ([]int32, error) { return rows.Match(ctx, q, listing.Order{}) })
}

func (m *Model) show(found []int32) {
	o := m.opened
	o.found = found
	o.table.SetRows(len(found), func(i int) []ui.Cell {
		c := o.all[found[i]]
		return []ui.Cell{o.doubts.cell(c), {Text: number(now(c))}, {Text: now(c).Currency.Line(8)}, {Text: c.ID.Line(80)}}
	})
	m.layout()
}

// amount is an amount with its currency, or the raw number where it is not known.
func amount(r api.Row) string {
	if r.Known {
		return r.Amount.String()
	}
	return strings.TrimSpace(r.Raw.Line(24) + "* " + r.Currency.Line(8))
}

// number is an amount without its currency; "see details" where it would be cut, since a part of an amount would
// be another.
func number(r api.Row) string {
	text := r.Raw.Line(24) + "*"
	if r.Known {
		text = r.Amount.Grouped()
	}
	if ui.Width(text) > amountWidth {
		return "see details"
	}
	return text
}

// marked is the marked row.
func (m *Model) marked() (c mirror.Change, ok bool) {
	if i, is := ui.Selected(m.opened.table, m.opened.found); is {
		return m.opened.all[i], true
	}
	return c, false
}

func (m *Model) updateOpened(msg tea.Msg) tea.Cmd {
	o := m.opened
	k, pressed := msg.(tea.KeyPressMsg)
	switch {
	case o.filter.Typing:
		changed := o.filter.Update(msg, o.table)
		m.layout()
		if changed {
			return m.fillOpened()
		}
		return nil
	case !pressed:
		return nil
	}
	if follow, moved := o.panes.Update(m.Scope, k); moved {
		return follow
	}
	return m.openedCommands().Press(k)
}

// openedCommands are the keys of the rows.
func (m *Model) openedCommands() ui.Commands {
	c, ok := m.marked()
	ref, err := api.ParseReference(c.ID.Line(0))
	return ui.Commands{
		{Key: ui.Bind("/", "filter"), On: m.opened.read, Do: func() tea.Cmd {
			m.opened.filter.Typing = true
			m.layout()
			return nil
		}},
		{Key: ui.Bind("y", "copy ID"), On: ok && present.Copyable(c.ID.Line(0)), Do: func() tea.Cmd { return m.Copy("ID", c.ID.Line(0)) }},
		{Key: ui.Bind("l", "look up"), On: ok && err == nil, Do: func() tea.Cmd { return nav.Open(nav.Payment{Reference: ref}) }},
	}
}

func (m *Model) openedKeys() []key.Binding {
	if m.opened.filter.Typing {
		return m.opened.filter.Keys()
	}
	return m.opened.filter.Arrange(append(m.openedCommands().Keys(), m.opened.table.Keys()...))
}

func (m *Model) viewOpened() (string, *tea.Cursor) {
	o := m.opened
	w, h := o.panes.ListSize()
	lines, cursor := m.openedHead(w, h)
	switch {
	case o.table.Len() > 0:
		lines = append(lines, o.table.View())
	case o.read:
		lines = append(lines, m.Theme.Invite("No row of this group matches.", ui.ClearFilter, w, max(h-len(lines), 0))...)
	}
	return o.panes.View(ui.Lines(w, h, lines...), m.rowPane), cursor
}

// openedHead is what is above the rows.
func (m *Model) openedHead(w, h int) ([]string, *tea.Cursor) {
	o := m.opened
	lines := []string{indent + m.Theme.Strong.Render(m.groupTitle(o.group)) + m.Theme.Muted.Render(" · "+m.openedCount())}
	if !o.read {
		return append(lines, ui.Indented(m.Theme.WaitLines(o.call.Wait(), "Reading the rows", w-len(indent)))...), nil
	}
	if o.filter.Active() {
		lines, cursor := o.filter.View(lines, w, h)
		if !o.filter.Typing {
			lines[len(lines)-1] = indent + lines[len(lines)-1]
		}
		return append(append(lines, ui.Indented(m.unreadLines(w))...), ""), cursor
	}
	return append(append(lines, ui.Indented(m.unreadLines(w))...), ""), nil
}

// openedCount is how many rows are listed of how many.
func (m *Model) openedCount() string {
	o := m.opened
	switch {
	case !o.read || len(o.found) == o.group.Count:
		return present.Count(o.group.Count, "row", "rows")
	case len(o.all) < o.group.Count:
		return present.Thousands(len(o.found)) + " of the first " + present.Thousands(len(o.all)) + " of " + present.Count(o.group.Count, "row", "rows")
	}
	return present.Thousands(len(o.found)) + " of " + present.Count(o.group.Count, "row", "rows")
}

// rowPane is how a row changed, and when that was seen.
func (m *Model) rowPane(i, w, h int) []string {
	o := m.opened
	if i >= len(o.found) {
		return nil
	}
	c, in, at := o.all[o.found[i]], w-len(indent), m.Scope.Now().Local()
	const label = 8
	var facts []string
	if !o.doubts.about(c).IsZero() {
		facts = append(facts, m.Theme.FactLines("Here", "A status check differs: l shows how.", label, in)...)
	}
	if !o.panes.Beside() && w < listWidth {
		facts = append(facts, m.Theme.FactLines("ID", c.ID.Line(80), label, in)...)
	}
	facts = append(facts, m.Theme.FactLines("Seen", present.ChangeSeen(c, at), label, in)...)
	if o.panes.Beside() {
		facts = append(facts, m.Theme.FactLines("ID", c.ID.Line(80), label, in)...)
	}
	facts = append(facts, m.Theme.FactLines("Before", whole(c.Was), label, in)...)
	facts = append(facts, m.Theme.FactLines("Now", whole(c.Is), label, in)...)
	if h <= len(facts) {
		return ui.Indented(facts)
	}
	return append([]string{m.Theme.Rule("Transaction", "", w)}, ui.Indented(facts)...)
}

// whole is a row in words.
func whole(r api.Row) string {
	if !present.RowIsIn(r) {
		return "not in the list"
	}
	return present.Word(r.Status) + " · " + amount(r)
}

func (m *Model) layoutOpened() {
	o := m.opened
	o.panes.Resize(m.W, m.H)
	o.panes.Least(0)
	if m.W < listWidth {
		o.panes.Least(2)
	}
	w, h := o.panes.ListSize()
	lines, _ := m.openedHead(w, h)
	o.table.Resize(w, max(h-len(lines), 0))
}
