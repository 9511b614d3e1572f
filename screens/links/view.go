package links

import (
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	labelWidth = 13 // with the blanks after the label
	listWidth  = 76 // of the list beside a link
	below      = 6  // lines of a link below the list, in a low window too
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.W < 1 || m.H < 1 {
		return "", nil
	}
	lines, cursor := m.head()
	w, h := m.panes.ListSize()
	if len(m.snapshot.top)+m.snapshot.page.Count > 0 {
		lines = append(lines, m.table.View())
		return m.panes.View(ui.Lines(w, h, lines...), m.pane), cursor
	}
	if words, k := m.empty(); words != "" {
		lines = append(lines, m.Theme.Invite(words, k, m.W, m.H-len(lines))...)
	}
	return ui.Lines(m.W, m.H, lines...), cursor
}

// head is the number of links, any problem, and the filter while there is one.
func (m *Model) head() ([]string, *tea.Cursor) {
	w, h := m.panes.ListSize()
	lines := []string{m.position()}
	lines = append(lines, m.problem.Lines(m.Theme, w)...)
	lines, cursor := m.filter.View(lines, w, h)
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
		words = present.Thousands(len(m.snapshot.top)+s.page.Count) + orMore(&s.page) + " of " + words
	case len(s.open)+s.all.Count == 0:
		words = "No links"
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
	w, h := m.panes.ListSize()
	m.table.Resize(w, max(h-len(head), 0))
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

// empty says why there are no links, and the key that changes that; "" while they are read.
func (m *Model) empty() (string, key.Binding) {
	s := &m.snapshot
	switch {
	case s.at.IsZero() || s.page.Searching:
		return "", key.Binding{}
	case s.text != "":
		return "No link matches.", ui.ClearFilter
	}
	return "No links have been created here yet.", ui.Bind("n", "new link")
}

// A fact is what there is to say of a link. Without a label it is a sentence.
type fact struct{ label, value string }

// pane is a link beside the list or below it: first what the list has no room for.
func (m *Model) pane(i, w, h int) []string {
	l, read := m.row(i)
	if !read {
		return nil
	}
	title, uses, note, inset := "Link", "", "", ""
	if l.CreatedLink != nil {
		title, uses = "Link "+string(l.CreatedLink.Alias), present.Uses(*l.CreatedLink, l.Paid > 0)
	}
	all := facts(l)
	switch {
	case m.panes.Beside():
		inset = "  "
		if uses != "" {
			all = append(all, fact{"Can be paid", uses})
		}
	case uses != "":
		note = "can be paid " + uses // there are too few lines for one of its own
	}
	lines := []string{m.Theme.Rule(title, note, w)}
	about := present.AmountWithChip(m.Theme, amount(l), "", state(l), w-len(inset))
	for _, f := range all {
		about = append(about, m.factLines(f, w-len(inset))...)
	}
	for _, line := range about {
		lines = append(lines, inset+line)
	}
	return lines
}

// state is what became of the creation of a link.
func state(l journal.LinkRecord) ui.Cell {
	if l.CreatedLink != nil && l.CreatedLink.Differences() != "" {
		return ui.Cell{Text: present.Mismatch, Tone: ui.ToneMismatch}
	}
	return present.AttemptCell(l.Attempt, time.Time{})
}

// factLines are a fact on as many lines as it needs. An address is a hyperlink where it has one line.
func (m *Model) factLines(f fact, w int) []string {
	switch {
	case f.label == "":
		return ui.Wrap(f.value, w)
	case f.label == labelURL && ui.Width(f.value) <= w-labelWidth:
		return []string{m.Theme.Fact(f.label, m.Theme.Hyperlink(f.value, f.value), labelWidth)}
	}
	if f.value == "" {
		f.value = "-"
	}
	return m.Theme.FactLines(f.label, f.value, labelWidth, w)
}

const labelURL = "URL"

// facts are what there is to say of a link, or of the attempt to create it, the most needed first.
func facts(l journal.LinkRecord) []fact {
	if l.CreatedLink == nil {
		return []fact{
			{value: present.NotKnown(journal.CreateLink)},
			{label: "Attempt", value: string(l.ID) + named(l)},
			{label: "Why", value: present.Plain(l.Why)},
			{label: "Sent", value: minute(l.At) + by(l.By)},
			{value: "Press enter to resolve it."},
		}
	}
	page := fact{label: labelURL, value: l.CreatedLink.Page.String()}
	if l.CreatedLink.Page.IsZero() {
		page = fact{label: "Page", value: "none that is safe to open"}
	}
	if l.MustBeRead() {
		page = fact{label: "Page", value: "shown once its differences were read"}
	}
	all := []fact{page, answer(l), {label: "Paid", value: paidSentence(l)}}
	if id := l.CreatedLink.ID.Line(0); id != "" {
		all = append(all, fact{label: "ID", value: id})
	}
	all = append(all, fact{label: "Created", value: minute(l.At) + by(l.By)})
	if !l.LastUsed.IsZero() {
		all = append(all, fact{label: "Last used", value: minute(l.LastUsed)})
	}
	return all
}

// answer is what there is to say of the answer to the creation: that there was none, how it differs
// from what was asked, or what it lacks; else the name.
func answer(l journal.LinkRecord) fact {
	if l.Outcome == journal.Unresolved {
		return fact{label: "Found", value: "the answer never arrived; found by " + present.Plain(l.DecidedBy.User) + " " + minute(l.DecidedAt)}
	}
	if words := l.CreatedLink.Differences(); words != "" {
		return fact{label: "Differs", value: words}
	}
	name := l.CreatedLink.Name.Prose(200)
	if words := present.NotAnswered(l.CreatedLink); words != "" {
		name += " · " + words
	}
	return fact{label: "Name", value: name}
}

// named is the name that was asked for, after other words.
func named(l journal.LinkRecord) string {
	if l.Draft.Name == "" {
		return ""
	}
	return " · " + present.Plain(l.Draft.Name)
}

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
