package links

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

const labels = 10 // cells of a label, with the blanks behind it

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.w < 1 || m.h < 1 {
		return "", nil
	}
	lines, cursor := m.head()
	if len(m.shown) > 0 {
		lines = append(lines, m.table.View(), "")
		lines = append(lines, m.card()...)
	}
	return ui.Lines(m.w, m.h, lines...), cursor
}

// head is how many there are, and the filter while there is one.
func (m *Model) head() ([]string, *tea.Cursor) {
	lines := []string{m.position()}
	lines = append(lines, m.trouble.Lines(m.theme, m.w)...)
	switch {
	case m.typing:
		body, cursor := m.form.View(m.w, max(min(2, m.h-len(lines)), 0))
		if cursor != nil {
			cursor.Y += len(lines)
		}
		return append(lines, body), cursor
	case !m.filter.Empty():
		lines = append(lines, m.theme.Muted.Render("Filter ")+m.filter.Value())
	}
	return append(lines, ""), nil
}

func (m *Model) position() string {
	if m.sheet.at.IsZero() {
		if !m.trouble.IsZero() {
			return "Nothing was read yet."
		}
		return "Reading the journal…"
	}
	n := len(m.sheet.entries)
	words := present.Thousands(n) + " links"
	switch {
	case n == 0:
		words = "No link was created from here yet."
	case n == 1:
		words = "1 link"
	}
	if !m.filter.Empty() {
		words = present.Thousands(len(m.shown)) + " of " + words
	}
	return words + m.theme.Muted.Render(" · as of "+present.Clock(m.sheet.at.Local()))
}

// lay gives the table what the rest leaves.
func (m *Model) lay() {
	lines, _ := m.head()
	head := strings.Count(strings.Join(lines, "\n"), "\n") + 1
	m.table.Resize(m.w, max(m.h-head-1-len(m.card()), 0))
}

// cells are an entry in the table.
func (m *Model) cells(l journal.LinkRecord) []ui.Cell {
	created := ui.Cell{Text: minute(l.At)}
	if l.CreatedLink == nil {
		return []ui.Cell{{Text: "NOBODY KNOWS", Tone: ui.ToneUnknown}, {}, {Text: amount(l)}, {}, created, {}}
	}
	return []ui.Cell{
		{Text: string(l.CreatedLink.Alias)}, {Text: l.CreatedLink.Name.Line(60)}, {Text: amount(l)}, {Text: paid(l)}, created, {Text: minute(l.LastUsed)},
	}
}

// card is the selected entry on five lines.
func (m *Model) card() []string {
	l, ok := m.selected()
	if !ok {
		return nil
	}
	if l.CreatedLink == nil {
		return []string{
			m.theme.Mark(ui.ToneUnknown, "Nobody knows whether this link was created."),
			m.row("Attempt", string(l.ID)),
			m.row("Sent", minute(l.At)+by(l.By)),
			m.row("Why", clean(l.Why)),
			"enter shows what can be done to find out.",
		}
	}
	address := l.CreatedLink.Page.String()
	if l.CreatedLink.Page.IsZero() {
		address = "none that can be trusted"
	}
	return []string{
		m.row("Address", address),
		m.row("Name", l.CreatedLink.Name.Line(0)),
		m.row("Asks for", amount(l)+" · can be paid "+present.Uses(*l.CreatedLink)),
		m.row("Created", minute(l.At)+by(l.By)+used(l)),
		m.row("Paid", through(l)),
	}
}

func (m *Model) row(label, value string) string {
	if strings.TrimSpace(value) == "" {
		value = "-"
	}
	return m.theme.Muted.Render(ui.Fit(label, labels)) + ui.Fit(value, max(m.w-labels, 0))
}

// amount is what a link asks for.
func amount(l journal.LinkRecord) string {
	switch {
	case l.CreatedLink == nil && l.Amount.Currency.IsZero():
		return "not known"
	case l.CreatedLink == nil:
		return l.Amount.String()
	case l.CreatedLink.AmountType == api.Dynamic && l.CreatedLink.HasAmount:
		return "any, in " + l.CreatedLink.Amount.Currency.Code()
	case l.CreatedLink.AmountType == api.Dynamic:
		return "any"
	case !l.CreatedLink.HasAmount:
		return "not known"
	}
	return l.CreatedLink.Amount.String()
}

// paid is how many payments through a link came through, of those that were taken.
func paid(l journal.LinkRecord) string {
	if l.Accepted == 0 {
		return "-"
	}
	return strconv.Itoa(l.Paid) + "/" + strconv.Itoa(l.Accepted)
}

// through is what was paid through a link from here, in words.
func through(l journal.LinkRecord) string {
	if l.Accepted == 0 {
		return "nothing from here yet"
	}
	words := present.Thousands(l.Paid) + " of " + present.Thousands(l.Accepted) + " payments from here are SUCCESSFUL"
	var totals []string
	for _, a := range l.Total {
		totals = append(totals, a.String())
	}
	if len(totals) > 0 {
		words = strings.Join(totals, ", ") + " · " + words
	}
	return words
}

func used(l journal.LinkRecord) string {
	if l.LastUsed.IsZero() {
		return ""
	}
	return " · last used " + minute(l.LastUsed)
}

// searchable is what the filter looks in.
func searchable(l journal.LinkRecord) string {
	parts := []string{string(l.ID), string(l.Link), amount(l), minute(l.At)}
	if l.CreatedLink != nil {
		parts = append(parts, string(l.CreatedLink.Alias), l.CreatedLink.Name.Line(0), l.CreatedLink.Page.String())
	} else {
		parts = append(parts, "nobody knows")
	}
	return strings.ToLower(strings.Join(parts, "\n"))
}

func by(o journal.Operator) string {
	if o.User == "" {
		return ""
	}
	return " by " + clean(o.User)
}

// minute is a time in the zone of the person looking; nothing for none.
func minute(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("2006-01-02 15:04")
}

// clean is text of the journal, which is a file that others can write.
func clean(s string) string { return api.Clean(s).Line(0) }
