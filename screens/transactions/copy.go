package transactions

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/export"
	"paydesk/api/listing"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

const maxCopied = 16 << 10 // bytes: some terminals take no longer text

// A form is a format in which a row can be copied; its text is "" where it cannot be.
type form struct{ name, what, about, text string }

// openCopy asks in which form the row is copied.
func (m *Model) openCopy(l listing.Listed) tea.Cmd {
	row := l.Transaction
	forms := []form{
		{"Text", "text", rowText(row), plainOnly(rowText(row))},
		{"JSON", "JSON", "its ID, amount, currency and status", rowJSON(row)},
	}
	of := detail.Rows[form]{
		Title: "Copy", All: func() []form { return forms },
		Columns: func() []ui.Column {
			return []ui.Column{{Title: "Copy this row", Width: 13}, {Title: "Form", Width: 20, Grow: true}}
		},
		Cells: func(f form) []ui.Cell { return []ui.Cell{{Text: f.name}, {Text: f.about}} },
		Commands: func(f form, some bool) ui.Commands {
			return ui.Commands{{Key: ui.Bind("enter", "choose"), On: some, Do: func() tea.Cmd { return m.copyAs(f) }}}
		},
		Help: []string{"The text goes to the clipboard of the terminal, on one line and without control characters. JSON is as an export has it."},
	}
	if row.Object.Empty() {
		of.About, of.Says = "Object", func(_ form, _ bool, w, _ int) []present.Line {
			return present.Rows(0, ui.Wrap("The raw object of this row is not kept: open the row to read it again.", w)...)
		}
	} else {
		forms = append(forms, form{"Object", "object", "as the service sent it, cleaned", objectText(row)})
	}
	return detail.NewChooser(&m.Body, of).Open(0)
}

// copyAs copies the row in a form, and closes the question.
func (m *Model) copyAs(f form) tea.Cmd {
	switch {
	case f.text == "":
		m.Notify("Cannot copy this row as text: it has unusual characters.")
	case len(f.text) > maxCopied:
		m.Notify("This row is too long to copy: v shows the page that it is on.")
	default:
		return tea.Batch(m.Copy(f.what, f.text), nav.Pop)
	}
	return nav.Pop
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

// Command implements [ui.Commander]: the page of the marked row, or the whole list once it is read or searched.
func (m *Model) Command() []string {
	words, where := []string{"transactions"}, m.Where()
	if m.state.To == 0 || where != nil {
		words = append(words, "--all")
	} else {
		words = append(words, "--page", strconv.Itoa(max(m.page(), 1)), "--per-page", strconv.Itoa(scanPage))
	}
	if m.totals.chosen() {
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
