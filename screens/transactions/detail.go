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
	maxLines   = 20_000 // of an object; the client reads less than that
)

// A detail is one row, as it was when it was opened.
type detail struct {
	row    api.Row
	facts  []string
	object []string // the object as it came, at the present width
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

// factLines is what stands above the object.
func (d *detail) factLines(t *ui.Theme) []string {
	r := d.row
	room := max(d.w-labelWidth, 1)
	row := func(label, value string) string {
		return ui.Fit(t.Muted.Render(ui.Fit(label, labelWidth))+value, d.w)
	}
	lines := []string{
		row("Status", t.Mark(present.Tone(r.Status), word(r.Status))),
		row("As it came", r.Status.Text.Line(room)),
		row("Amount", d.amount()),
		row("As it came", r.Raw.Line(max(room-12, 1))+" minor units"),
		row("Currency", r.Currency.Line(room)),
		row("Id", r.ID.Line(room)),
	}
	return append(lines, ui.Wrap(d.aboutID(), d.w)...)
}

func (d *detail) amount() string {
	if d.row.Known {
		return d.row.Amount.String()
	}
	return "not known in major units: the currency or the number cannot be read exactly"
}

// aboutID says what an id is not said to be.
func (d *detail) aboutID() string {
	if _, ok := d.reference(); ok {
		return "The list does not say that this id is a payment reference; l tries it as one."
	}
	return "The list does not say that this id is a payment reference, and it cannot be one."
}

func (d *detail) reference() (api.Reference, bool) {
	r, err := api.ParseReference(d.row.ID.Line(0))
	return r, err == nil && r != ""
}

// copyable is the id when it is one that is safe to hand on.
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

// position is which lines of the object are in sight.
func (d *detail) position(last int) string {
	return fmt.Sprintf("The object as it came, lines %d–%d of %d", min(d.top+1, last), last, len(d.object))
}

// open shows the selected row. One without an id is not opened (R54).
func (m *Model) open() tea.Cmd {
	i := m.table.Selected()
	if i < 0 || i >= len(m.rows) {
		return m.say(ui.ToneNone, "There is no row to open.")
	}
	if m.rows[i].ID.Empty() {
		return m.say(ui.ToneNone, "This row has no id and is not opened.")
	}
	m.detail = &detail{row: m.rows[i]}
	m.detail.resize(m.theme, m.w, m.h)
	return nil
}

// detailKey takes a key while a row is open.
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
		return m.say(ui.ToneNone, "This id is not copied: it has more in it than letters, digits, _ and -.")
	}
	m.say(ui.ToneNone, "The id was sent to your terminal's clipboard.")
	return tea.SetClipboard(id)
}

func (m *Model) checkID() tea.Cmd {
	r, ok := m.detail.reference()
	if !ok {
		return m.say(ui.ToneNone, "This id cannot be a payment reference.")
	}
	return nav.Open(nav.Payment{Reference: r})
}
