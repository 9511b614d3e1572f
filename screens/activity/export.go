package activity

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal/export"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A written file.
type written struct {
	path string
	rows int
}

// An exporting asks how and where the rows are written, and writes them.
type exporting struct {
	form   *ui.Form
	format *ui.ChoiceField
	folder *ui.TextField
	call   ui.Call[written]
}

// askExport opens the question.
func (m *Model) askExport() tea.Cmd {
	if m.list.read.total == 0 {
		return m.say("There is nothing to export.")
	}
	x := &exporting{
		format: ui.NewChoiceField(m.theme, "As", "CSV for a spreadsheet, JSON for a program", "CSV", "JSON"),
		folder: ui.NewTextField(m.theme, "Folder", "where the file is made", ui.Required()),
	}
	x.folder.SetValue(m.folder)
	x.form = ui.NewForm(m.theme, x.format, x.folder)
	x.form.SubmitLabel("write")
	m.export = x
	return nil
}

func (m *Model) exportUpdate(msg tea.Msg) tea.Cmd {
	x := m.export
	if x.call.Pending() {
		return nil
	}
	if x.form.Update(msg) != ui.Submitted {
		return nil
	}
	m.folder = x.folder.Value()
	format := export.CSV
	if x.format.Value() == "JSON" {
		format = export.JSON
	}
	book, to, folder := m.options.Book, m.filter.reach(), m.folder
	return x.call.Ask(m.scope, func(ctx context.Context) (w written, err error) {
		now := time.Now()
		rows := export.Rows(ctx, book, to.filter(now))
		w.path, err = export.CreateFile(folder, export.FileName("activity", "."+string(format), now), func(out io.Writer) (err error) {
			w.rows, err = export.Write(out, format, rows)
			return err
		})
		return w, err
	})
}

// exportLetter says where the file is, or what is wrong with the folder.
func (m *Model) exportLetter(msg tea.Msg) (tea.Cmd, bool) {
	a, ok := m.export.call.Receive(msg)
	if !ok {
		return nil, false
	}
	if a.Err != nil {
		m.export.form.SetError(m.export.folder, words(a.Err))
		return nil, true
	}
	m.export = nil
	m.news = present.Thousands(a.Value.rows) + count(a.Value.rows, " row was", " rows were") + " written to " + plain(a.Value.path)
	m.layout()
	return nil, true
}

// exportBack closes the question, and breaks off what is being written.
func (m *Model) exportBack() {
	m.export.call.Drop()
	m.export = nil
}

func count(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func (m *Model) exportView() (string, *tea.Cursor) {
	x, n := m.export, m.list.read.total
	lines := []string{m.theme.Strong.Render("Export " + present.Thousands(n) + count(n, " attempt", " attempts") + ", as the list shows")}
	lines = append(lines, m.chosen(), "")
	if x.call.Pending() {
		return ui.Lines(m.w, m.h, append(lines, "Writing…", m.theme.Muted.Render("esc breaks it off"))...), nil
	}
	note := "A new file, readable by you alone. No file is written over."
	body, cursor := x.form.View(m.w, max(m.h-len(lines)-2, 0))
	if cursor != nil {
		cursor.Y += len(lines)
	}
	lines = append(lines, body, "")
	for _, l := range ui.Wrap(note, m.w) {
		lines = append(lines, m.theme.Muted.Render(l))
	}
	if cursor != nil && (cursor.Y >= m.h || cursor.X >= m.w) {
		cursor = nil
	}
	return ui.Lines(m.w, m.h, lines...), cursor
}
