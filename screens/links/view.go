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
	if m.W < 1 || m.H < 1 {
		return "", nil
	}
	lines, cursor := m.head()
	if len(m.atTop)+m.snapshot.page.Count > 0 {
		lines = append(lines, m.table.View(), "")
		lines = append(lines, m.details()...)
	}
	return ui.Lines(m.W, m.H, lines...), cursor
}

// head is the number of links, any problem, and the filter while there is one.
func (m *Model) head() ([]string, *tea.Cursor) {
	lines := []string{m.position()}
	lines = append(lines, m.problem.Lines(m.Theme, m.W)...)
	lines, cursor := m.filter.View(lines, m.W, m.H)
	if !m.filter.Typing {
		lines = append(lines, "")
	}
	return lines, cursor
}

// position is how many links there are, how many the filter leaves, and when they were read.
func (m *Model) position() string {
	if m.snapshot.at.IsZero() {
		if !m.problem.IsZero() {
			return "Nothing loaded yet."
		}
		return m.Theme.WaitLines(m.loadCall.Wait(), "Reading the journal", m.W)[0]
	}
	s := &m.snapshot
	words := count(len(s.open), &s.all)
	switch {
	case s.text != "":
		words = present.Thousands(len(m.atTop)+s.page.Count) + orMore(&s.page) + " of " + words
	case len(s.open)+s.all.Count == 0:
		words = "No links have been created here yet."
	}
	if s.page.Searching {
		words = "Searching… " + words + " so far"
	}
	return words + m.Theme.Muted.Render(" · as of "+present.Clock(m.snapshot.at.Local()))
}

// count is how many links there are, besides the open ones those that were found.
func count(open int, found *journal.Page[journal.LinkRecord]) string {
	if more := orMore(found); more != "" {
		return present.Thousands(open+found.Count) + more + " links"
	}
	return present.Count(open+found.Count, "link", "links")
}

// orMore follows the number of links that were found, where there may be more.
func orMore(found *journal.Page[journal.LinkRecord]) string {
	if found.Complete || found.Searching {
		return ""
	}
	return " or more"
}

// layout gives the table the height that the rest leaves.
func (m *Model) layout() {
	head, _ := m.head()
	m.table.Resize(m.W, max(m.H-len(head)-1-len(m.details()), 0))
}

// cells are one row of the table.
func (m *Model) cells(l journal.LinkRecord) []ui.Cell {
	created := ui.Cell{Text: minute(l.At)}
	if l.CreatedLink == nil {
		name := ui.Cell{Text: present.Plain(l.Draft.Name)}
		return []ui.Cell{{Text: present.Unresolved, Tone: ui.ToneUnknown}, name, {Text: amountCell(l)}, {}, created, {}}
	}
	alias := ui.Cell{Text: string(l.CreatedLink.Alias)}
	switch {
	case l.MustBeRead():
		alias = ui.Cell{Text: present.Mismatch, Tone: ui.ToneMismatch}
	case l.CreatedLink.Differences() != "":
		alias.Tone = ui.ToneMismatch
	}
	return []ui.Cell{
		alias, {Text: l.CreatedLink.Name.Prose(60)}, {Text: amountCell(l)}, {Text: paidRatio(l)}, created, {Text: minute(l.LastUsed)},
	}
}

// details are the selected link, or its attempt.
func (m *Model) details() []string {
	l, ok := m.selected()
	if !ok {
		return nil
	}
	if l.CreatedLink == nil {
		return []string{
			m.Theme.Mark(ui.ToneUnknown, present.NotKnown(journal.CreateLink)),
			m.fact("Attempt", string(l.ID)+named(l)),
			m.fact("Sent", minute(l.At)+by(l.By)),
			m.fact("Amount", amount(l)),
			m.fact("Why", present.Plain(l.Why)),
			"Press enter to resolve it.",
		}
	}
	page := m.Theme.Hyperlink(l.CreatedLink.Page.String(), l.CreatedLink.Page.String())
	if l.CreatedLink.Page.IsZero() {
		page = "none that is safe to open"
	}
	if l.MustBeRead() {
		page = "shown once its differences were read"
	}
	return []string{
		m.fact("URL", page),
		m.answer(l),
		m.fact("Amount", amount(l)+" · can be paid "+present.Uses(*l.CreatedLink, l.Paid > 0)),
		m.fact("ID", l.CreatedLink.ID.Line(0)),
		m.fact("Created", minute(l.At)+by(l.By)+lastUsed(l)),
		m.fact("Paid", paidSentence(l)),
	}
}

// answer is what there is to say of the answer to the creation: that there was none, how it differs
// from what was asked, or what it lacks; else the name.
func (m *Model) answer(l journal.LinkRecord) string {
	if l.Outcome == journal.Unresolved {
		words := "the answer never arrived; found by " + present.Plain(l.DecidedBy.User) + " " + minute(l.DecidedAt)
		return m.fact("Found", words)
	}
	if words := l.CreatedLink.Differences(); words != "" {
		return m.Theme.Mark(ui.ToneMismatch, present.Mismatch) + "  " + words
	}
	if words := present.NotAnswered(l.CreatedLink); words != "" {
		return m.fact("Name", l.CreatedLink.Name.Prose(0)+" · "+words)
	}
	return m.fact("Name", l.CreatedLink.Name.Prose(0))
}

// named is the name that was asked for, after other words.
func named(l journal.LinkRecord) string {
	if l.Draft.Name == "" {
		return ""
	}
	return " · " + present.Plain(l.Draft.Name)
}

// fact is not cut here: the view cuts every line.
func (m *Model) fact(label, value string) string { return m.Theme.Fact(label, value, labelWidth) }

// amount is what a link charges.
func amount(l journal.LinkRecord) string {
	switch {
	case l.CreatedLink == nil && l.Amount.Currency.IsZero():
		return "unknown"
	case l.CreatedLink == nil:
		return present.Amount(l.Attempt)
	}
	return l.LinkAmount()
}

// amountCell is that in a column.
func amountCell(l journal.LinkRecord) string {
	if open := l.CustomerChooses(); l.CreatedLink == nil && open || l.CreatedLink != nil && l.CreatedLink.AmountType == api.Dynamic {
		return present.CustomerChooses
	}
	return amount(l)
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
	if l.Differ > 0 {
		words = present.Thousands(l.Differ) + " " + present.Mismatch + " · " + words // first: the line may be cut
	}
	var totals []string
	for _, a := range l.Total {
		totals = append(totals, a.String())
	}
	if len(totals) > 0 {
		words = strings.Join(totals, ", ") + " · " + words
	}
	return words
}

// lastUsed is empty for a link through which nothing was paid from here.
func lastUsed(l journal.LinkRecord) string {
	if l.LastUsed.IsZero() {
		return ""
	}
	return " · last used " + minute(l.LastUsed)
}

// searchable is the text of an open link that the filter searches; that of the others is in the journal.
func searchable(l journal.LinkRecord) string {
	parts := []string{string(l.ID), string(l.Link), l.Draft.Name, amount(l), minute(l.At)}
	if l.CreatedLink != nil {
		parts = append(parts, string(l.CreatedLink.Alias), l.CreatedLink.Name.Line(0), l.CreatedLink.Page.String())
	} else {
		parts = append(parts, present.Unresolved)
	}
	if l.CreatedLink.Differences() != "" {
		parts = append(parts, present.Mismatch)
	}
	return strings.ToLower(strings.Join(parts, "\n"))
}

// by names the user without the computer, which the line has no room for.
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
