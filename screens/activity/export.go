package activity

import (
	"context"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal/export"
	"paydesk/screens/present"
	"paydesk/ui"
)

// An exportedFile was written.
type exportedFile struct {
	path string
	rows int
}

// An exportForm reads the format and the folder, and writes the file.
type exportForm struct {
	form   *ui.Form
	format *ui.ChoiceField
	folder *ui.TextField
	call   ui.Call[exportedFile]
}

// openExport asks for the format and the folder. There is nothing to choose among the rows: what
// the filter shows is exported.
func (m *Model) openExport() tea.Cmd {
	if m.list.window.total == 0 {
		return m.Notify("There is nothing to export.")
	}
	x := &exportForm{
		format: ui.NewChoiceField(m.Theme, "Format", "CSV for a spreadsheet, JSON for a program", "CSV", "JSON"),
		folder: ui.NewTextField(m.Theme, "Folder", "where to save the file", ui.Required()),
	}
	x.folder.SetValue(m.folder)
	x.form = ui.NewForm(m.Theme, x.format, x.folder)
	x.form.SubmitLabel("write")
	m.export = x
	return nil
}

// updateExport handles input, and writes once the form was submitted. The rows are read again while
// they are written, by the same filter, because only some of them are in memory.
func (m *Model) updateExport(msg tea.Msg) tea.Cmd {
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
	j, chosen, folder := m.options.Journal, m.filter.criteria(), m.folder
	return x.call.Then(m.receiveExport).Ask(m.Scope, func(ctx context.Context) (w exportedFile, err error) {
		now := time.Now()
		rows := export.Rows(ctx, j, chosen.filter(now))
		w.path, err = export.CreateFile(folder, export.FileName("activity", "."+string(format), now), func(out io.Writer) (err error) {
			w.rows, err = export.Write(out, format, rows)
			return err
		})
		return w, err
	})
}

// receiveExport reports where the file is, or what is wrong with the folder.
func (m *Model) receiveExport(a ui.Result[exportedFile]) tea.Cmd {
	if a.Err != nil {
		m.export.form.SetError(m.export.folder, errorText(a.Err))
		return nil
	}
	m.export = nil
	m.result = present.Count(a.Value.rows, "row was", "rows were") + " written to " + present.Plain(a.Value.path)
	m.layout()
	return nil
}

// closeExport closes the form and cancels the writing, which then leaves no file.
func (m *Model) closeExport() {
	m.export.call.Drop()
	m.export = nil
}

// viewExport draws the form, with the filter above it, so that the person sees what is exported.
func (m *Model) viewExport() (string, *tea.Cursor) {
	x, n := m.export, m.list.window.total
	lines := []string{m.Theme.Strong.Render("Export " + present.Count(n, "attempt", "attempts"))}
	lines = append(lines, m.filterLine(), "")
	if x.call.Pending() {
		return ui.Lines(m.W, m.H, append(lines, "Writing…", m.Theme.Muted.Render("esc cancels"))...), nil
	}
	note := "Creates a new file that only you can read; existing files are never overwritten."
	return m.Under(lines, func(w, h int) (string, *tea.Cursor) {
		body, cursor := x.form.View(w, max(h-2, 0))
		return body + "\n\n" + strings.Join(m.Theme.MutedLines(note, w), "\n"), cursor
	})
}
