package transactions

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	labelWidth = 12
	maxLines   = 20_000 // of an object; the client accepts no response of that many
)

// A detail is one row, as it was when it was opened.
type detail struct {
	row    api.Row
	facts  []string
	object []string // the raw object, in lines of the width
	top    int
	w, h   int
}

func (d *detail) resize(t *ui.Theme, w, h int) {
	d.w, d.h = w, h
	d.facts = d.factLines(t)
	d.object = nil
	if w > 2 {
		d.object = d.row.Object.Block(w-2, maxLines)
	}
	d.scroll(0)
}

// factLines are above the object.
func (d *detail) factLines(t *ui.Theme) []string {
	r := d.row
	room := max(d.w-labelWidth, 1)
	row := func(label, value string) string {
		return ui.Fit(t.Muted.Render(ui.Fit(label, labelWidth))+value, d.w)
	}
	lines := []string{
		row("Status", t.Mark(present.Tone(r.Status), word(r.Status))),
		row("Raw status", r.Status.Text.Line(room)),
		row("Amount", d.amount()),
		row("Raw amount", r.Raw.Line(max(room-12, 1))+" minor units"),
		row("Currency", r.Currency.Line(room)),
		row("ID", r.ID.Line(room)),
	}
	return append(lines, ui.Wrap(d.aboutID(), d.w)...)
}

func (d *detail) amount() string {
	if d.row.Known {
		return d.row.Amount.String()
	}
	return "unknown in major units: the currency or the number cannot be read exactly"
}

// aboutID says whether the ID may be a reference: the specification does not.
func (d *detail) aboutID() string {
	if _, ok := d.reference(); ok {
		return "This ID may not be a payment reference; press l to check it as one."
	}
	return "This ID cannot be a payment reference."
}

func (d *detail) reference() (api.Reference, bool) {
	r, err := api.ParseReference(d.row.ID.Line(0))
	return r, err == nil && r != ""
}

// copyable is the ID when it is safe to copy.
func (d *detail) copyable() (string, bool) {
	id := d.row.ID.Line(0)
	return id, present.Copyable(id)
}

// visible is how many lines of the object fit.
func (d *detail) visible() int { return max(d.h-len(d.facts)-1, 0) }

func (d *detail) scroll(by int) {
	d.top = max(min(d.top+by, len(d.object)-d.visible()), 0)
}

func (d *detail) view(t *ui.Theme) string {
	last := min(d.top+d.visible(), len(d.object))
	lines := append(slices.Clone(d.facts), t.Muted.Render(d.position(last)))
	gutter := t.Muted.Render("│ ")
	for _, l := range d.object[d.top:last] {
		lines = append(lines, gutter+l)
	}
	return ui.Lines(d.w, d.h, lines...)
}

// position is which lines of the object are visible.
func (d *detail) position(last int) string {
	return fmt.Sprintf("Raw object, lines %d–%d of %d", min(d.top+1, last), last, len(d.object))
}

// open shows the selected row. A row without an ID has nothing to tell it from others.
func (m *Model) open() tea.Cmd {
	i := m.table.Selected()
	if i < 0 || i >= len(m.rows) {
		return m.notify("No row is selected.")
	}
	if m.rows[i].ID.Empty() {
		return m.notify("This row has no ID and cannot be opened.")
	}
	m.detail = &detail{row: m.rows[i]}
	m.detail.resize(m.theme, m.w, m.h)
	return nil
}

// detailKey handles a key while a row is open.
func (m *Model) detailKey(k tea.KeyPressMsg) tea.Cmd {
	d := m.detail
	page := max(d.visible()-1, 1)
	switch k.String() {
	case "up", "k":
		d.scroll(-1)
	case "down", "j":
		d.scroll(1)
	case "pgup":
		d.scroll(-page)
	case "pgdown", "space":
		d.scroll(page)
	case "home", "g":
		d.scroll(-len(d.object))
	case "end", "G":
		d.scroll(len(d.object))
	case "c":
		return m.copyID()
	case "l":
		return m.checkID()
	}
	return nil
}

func (m *Model) copyID() tea.Cmd {
	id, ok := m.detail.copyable()
	if !ok {
		return m.notify("Cannot copy this ID: it is too long or has unusual characters.")
	}
	m.notify("The ID was sent to your terminal's clipboard.")
	return tea.SetClipboard(id)
}

func (m *Model) checkID() tea.Cmd {
	r, ok := m.detail.reference()
	if !ok {
		return m.notify("This ID cannot be a payment reference.")
	}
	return nav.Open(nav.Payment{Reference: r})
}
