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

const labelWidth = 10 // with the blanks after the label

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.w < 1 || m.h < 1 {
		return "", nil
	}
	lines, cursor := m.head()
	if len(m.shown) > 0 {
		lines = append(lines, m.table.View(), "")
		lines = append(lines, m.details()...)
	}
	return ui.Lines(m.w, m.h, lines...), cursor
}

// head is the number of links, any problem, and the filter while there is one.
func (m *Model) head() ([]string, *tea.Cursor) {
	lines := []string{m.position()}
	lines = append(lines, m.problem.Lines(m.theme, m.w)...)
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
	if m.snapshot.at.IsZero() {
		if !m.problem.IsZero() {
			return "Nothing loaded yet."
		}
		return "Reading the journal…"
	}
	n := len(m.snapshot.entries)
	words := present.Thousands(n) + " links"
	switch {
	case n == 0:
		words = "No links have been created here yet."
	case n == 1:
		words = "1 link"
	}
	if !m.filter.Empty() {
		words = present.Thousands(len(m.shown)) + " of " + words
	}
	return words + m.theme.Muted.Render(" · as of "+present.Clock(m.snapshot.at.Local()))
}

// layout gives the table the height that the rest leaves.
func (m *Model) layout() {
	lines, _ := m.head()
	head := strings.Count(strings.Join(lines, "\n"), "\n") + 1
	m.table.Resize(m.w, max(m.h-head-1-len(m.details()), 0))
}

// cells are one row of the table.
func (m *Model) cells(l journal.LinkRecord) []ui.Cell {
	created := ui.Cell{Text: minute(l.At)}
	if l.CreatedLink == nil {
		return []ui.Cell{{Text: present.Unresolved, Tone: ui.ToneUnknown}, {}, {Text: amount(l)}, {}, created, {}}
	}
	return []ui.Cell{
		{Text: string(l.CreatedLink.Alias)}, {Text: l.CreatedLink.Name.Line(60)}, {Text: amount(l)}, {Text: paidRatio(l)}, created, {Text: minute(l.LastUsed)},
	}
}

// details are the selected link on five lines.
func (m *Model) details() []string {
	l, ok := m.selected()
	if !ok {
		return nil
	}
	if l.CreatedLink == nil {
		return []string{
			m.theme.Mark(ui.ToneUnknown, present.NotKnown(journal.CreateLink)),
			m.row("Attempt", string(l.ID)),
			m.row("Sent", minute(l.At)+by(l.By)),
			m.row("Why", present.Plain(l.Why)),
			"Press enter to resolve it.",
		}
	}
	page := l.CreatedLink.Page.String()
	if l.CreatedLink.Page.IsZero() {
		page = "none that is safe to open"
	}
	return []string{
		m.row("URL", page),
		m.row("Name", l.CreatedLink.Name.Line(0)),
		m.row("Amount", amount(l)+" · can be paid "+present.Uses(*l.CreatedLink)),
		m.row("Created", minute(l.At)+by(l.By)+lastUsed(l)),
		m.row("Paid", paidSentence(l)),
	}
}

func (m *Model) row(label, value string) string {
	if strings.TrimSpace(value) == "" {
		value = "-"
	}
	return m.theme.Muted.Render(ui.Fit(label, labelWidth)) + ui.Fit(value, max(m.w-labelWidth, 0))
}

// amount is what a link charges.
func amount(l journal.LinkRecord) string {
	switch {
	case l.CreatedLink == nil && l.Amount.Currency.IsZero():
		return "unknown"
	case l.CreatedLink == nil:
		return l.Amount.String()
	case l.CreatedLink.AmountType == api.Dynamic && l.CreatedLink.HasAmount:
		return "any, in " + l.CreatedLink.Amount.Currency.Code()
	case l.CreatedLink.AmountType == api.Dynamic:
		return "any"
	case !l.CreatedLink.HasAmount:
		return "unknown"
	}
	return l.CreatedLink.Amount.String()
}

// paidRatio is how many payments through a link succeeded, of those that were tried.
func paidRatio(l journal.LinkRecord) string {
	if l.Accepted == 0 {
		return "-"
	}
	return strconv.Itoa(l.Paid) + "/" + strconv.Itoa(l.Accepted)
}

// paidSentence is what was paid through a link from here.
func paidSentence(l journal.LinkRecord) string {
	if l.Accepted == 0 {
		return "nothing from here yet"
	}
	words := present.Thousands(l.Paid) + " of " + present.Thousands(l.Accepted) + " payments from here SUCCESSFUL"
	var totals []string
	for _, a := range l.Total {
		totals = append(totals, a.String())
	}
	if len(totals) > 0 {
		words = strings.Join(totals, ", ") + " · " + words
	}
	return words
}

func lastUsed(l journal.LinkRecord) string {
	if l.LastUsed.IsZero() {
		return ""
	}
	return " · last used " + minute(l.LastUsed)
}

// searchable is the text that the filter searches.
func searchable(l journal.LinkRecord) string {
	parts := []string{string(l.ID), string(l.Link), amount(l), minute(l.At)}
	if l.CreatedLink != nil {
		parts = append(parts, string(l.CreatedLink.Alias), l.CreatedLink.Name.Line(0), l.CreatedLink.Page.String())
	} else {
		parts = append(parts, strings.ToLower(present.Unresolved))
	}
	return strings.ToLower(strings.Join(parts, "\n"))
}

func by(o journal.Operator) string {
	if o.User == "" {
		return ""
	}
	return " by " + present.Plain(o.User)
}

// minute is a local time without seconds; "" for none.
func minute(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("2006-01-02 15:04")
}
