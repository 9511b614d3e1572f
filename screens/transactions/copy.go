package transactions

import (
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/export"
	"paydesk/api/listing"
	"paydesk/screens/nav"
	"paydesk/screens/report"
	"paydesk/ui"
)

const maxCopied = 16 << 10 // bytes: some terminals take no longer text

// A copier asks in which form a row is copied.
type copier struct {
	ui.Body
	menu   *ui.Menu
	screen *Model
	row    api.Transaction
}

// openCopy asks in which form the row is copied.
func (m *Model) openCopy(l listing.Listed) tea.Cmd {
	row := l.Transaction
	c := &copier{ui.Body{Theme: m.Theme}, ui.NewMenu(m.Theme), m, row}
	items := []ui.MenuItem{
		c.item("Text", "text", rowText(row), plainOnly(rowText(row))),
		c.item("JSON", "JSON", "its ID, amount, currency and status, as an export has them", rowJSON(row)),
	}
	if !row.Object.Empty() {
		items = append(items, c.item("Object", "object", "as the service sent it, cleaned and on one line", objectText(row)))
	}
	c.menu.Set(items...)
	return nav.Open(nav.Over{Screen: c})
}

// item is a form in which the row can be copied, and closes the question.
func (c *copier) item(name, what, about, text string) ui.MenuItem {
	return ui.MenuItem{Name: name, About: about, Do: func() tea.Cmd {
		switch {
		case text == "":
			c.screen.Notify("Cannot copy this row as text: it has unusual characters.")
		case len(text) > maxCopied:
			c.screen.Notify("This row is too long to copy: v shows the page that it is on.")
		default:
			return tea.Batch(c.screen.Copy(what, text), nav.Pop)
		}
		return nav.Pop
	}}
}

// plainOnly is a text of printable ASCII characters, "" for another: a paste may run in a shell. JSON is escaped, and an
// object is cleaned.
func plainOnly(s string) string {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return ""
		}
	}
	return s
}

// rowText is a row on one line: its ID, the service's status, and its exact amount; "minor units" follows an amount that
// is raw.
func rowText(r api.Transaction) string {
	amount := r.Amount.String()
	if !r.Known {
		amount = strings.TrimSpace(export.Masked(r.Raw) + " " + export.Masked(r.Currency))
		if amount != "" {
			amount += " (minor units)"
		}
	}
	var parts []string
	for _, p := range []string{export.Masked(r.ID), export.Masked(r.Status.Text), amount} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ", ")
}

// rowJSON is a row as an export has it in JSON: what the service said, and nothing else.
func rowJSON(r api.Transaction) string {
	return export.Object(report.FileOf(report.Transactions(false)), listing.Listed{Transaction: r})
}

// objectText is the object cleaned and on one line: each line of a paste may run in a shell.
func objectText(r api.Transaction) string {
	lines := r.Object.Block(0, 0)
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return card.Redact(strings.Join(lines, " "))
}

func (c *copier) Update(msg tea.Msg) tea.Cmd {
	k, pressed := msg.(tea.KeyPressMsg)
	if !pressed {
		return nil
	}
	return c.menu.Press(k)
}

func (c *copier) View() (string, *tea.Cursor) {
	lines := append([]string{c.Theme.Strong.Render("Copy this row"), ""}, c.menu.Lines(c.W)...)
	if c.row.Object.Empty() {
		lines = append(append(lines, ""), c.Theme.MutedLines("The raw object of this row is not kept: open the row to read it again.", c.W)...)
	}
	return ui.Lines(c.W, c.H, lines...), nil
}

func (c *copier) Keys() []key.Binding { return c.menu.Keys() }
func (c *copier) Title() string       { return "Copy" }
func (c *copier) Explain() []string {
	return []string{"The text goes to the clipboard of the terminal, on one line and without control characters."}
}

// Command implements [ui.Commander]: the page of the marked row, or the whole list once it is read or searched.
func (m *Model) Command() []string {
	words, where := []string{"transactions"}, m.Where()
	if m.state.To == 0 || where != nil {
		words = append(words, "--all")
	} else {
		words = append(words, "--page", strconv.Itoa(max(m.page(), 1)), "--per-page", strconv.Itoa(scanPage))
	}
	if m.totals.over != nil {
		words = append(words, "--totals")
	}
	return append(words, where...)
}

// Request is the page of the marked row, for curl.
func (m *Model) Request() (api.Call, bool) {
	return api.Call{Operation: api.OpTransactions, Page: max(m.page(), 1), PerPage: scanPage}, true
}

// page is the page of the marked row as it was read; 0 for none.
func (m *Model) page() int {
	l, some := m.Selected()
	if !some || l.Position == 0 {
		return 0
	}
	return pageOf(l)
}

// keptPage is the page of the marked row where that is kept as it came, as its object is; 0 for none.
func (m *Model) keptPage() int {
	if l, _ := m.Selected(); l.Object.Empty() {
		return 0
	}
	return m.page()
}

// pageOf is the page on which a row of the list was read.
func pageOf(l listing.Listed) int { return (l.Position-1)/scanPage + 1 }
