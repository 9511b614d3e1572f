package activity

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal/export"
	"paydesk/screens/fileform"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A writtenFile is a file that was written; rows is 0 for a case.
type writtenFile struct {
	path string
	rows int
}

// An exportForm reads the folder, and the format of the rows, shows the path and writes the file.
type exportForm struct {
	form   *ui.Form
	format *ui.ChoiceField
	folder *ui.TextField
	of     *attemptDetail // whose case is written; nil for the rows
	opened time.Time      // is in the name, so that the path that is shown is the path that is written
	call   ui.Call[writtenFile]
}

// openExport asks for the format and the folder. There is nothing to choose among the rows: what
// the filter shows is exported.
func (m *Model) openExport() tea.Cmd {
	switch w := &m.list.window; {
	case w.Searching:
		return m.Notify("The search has not ended yet; try again in a moment.")
	case w.Count == 0:
		return m.Notify("There is nothing to export.")
	}
	m.askWhere(nil)
	return nil
}

// openCase asks where to write the case of the open attempt.
func (m *Model) openCase() tea.Cmd {
	if !m.detail.loaded {
		return m.Notify("The history has not loaded yet; press r to retry.")
	}
	of := m.detail.attemptDetail
	m.askWhere(&of)
	return nil
}

// askWhere opens the form; nothing is written before it is submitted.
func (m *Model) askWhere(of *attemptDetail) {
	x := &exportForm{
		of: of, opened: m.Scope.Now(),
		format: ui.NewChoiceField(m.Theme, "Format", "CSV for a spreadsheet, JSON for a program", "CSV", "JSON"),
		folder: fileform.FolderField(m.Theme),
	}
	x.folder.SetValue(m.folder)
	fields := []ui.Field{x.format, x.folder}
	if of != nil {
		fields = fields[1:]
	}
	x.form = ui.NewForm(m.Theme, fields...)
	x.form.SubmitLabel("write")
	m.export = x
}

// name is that of the file, unless it is taken.
func (x *exportForm) name() string {
	if x.of != nil {
		return export.FileName("case-"+present.Plain(string(x.of.attempt.ID)), ".md", x.opened)
	}
	return export.FileName("activity", "."+string(x.rowFormat()), x.opened)
}

func (x *exportForm) rowFormat() export.Format {
	if x.format.Value() == "JSON" {
		return export.JSON
	}
	return export.CSV
}

// updateExport handles input, and writes once the form was submitted.
func (m *Model) updateExport(msg tea.Msg) tea.Cmd {
	x := m.export
	if x.call.Pending() {
		return nil
	}
	if x.form.Update(msg) != ui.Submitted {
		return nil
	}
	folder, name, write := x.folder.Value(), x.name(), m.writer(x)
	return x.call.Then(m.receiveExport).Ask(m.Scope, func(ctx context.Context) (w writtenFile, err error) {
		w.path, err = export.CreateFile(folder, name, func(out io.Writer) (err error) {
			w.rows, err = write(ctx, out)
			return err
		})
		return w, err
	})
}

// writer returns what writes the file, and how many rows it wrote. The rows are read again
// meanwhile, by the same filter, because only some of them are in memory.
func (m *Model) writer(x *exportForm) func(context.Context, io.Writer) (int, error) {
	if x.of != nil {
		of := *x.of
		return func(_ context.Context, out io.Writer) (int, error) {
			return 0, export.WriteCase(out, of.attempt, of.events, time.Now())
		}
	}
	j, format := m.options.Journal, x.rowFormat()
	chosen := m.filter.criteria().filter(m.list.window.at) // the days that are shown
	return func(ctx context.Context, out io.Writer) (int, error) {
		return export.Write(out, format, export.Rows(ctx, j, chosen))
	}
}

// receiveExport reports where the file is, or what is wrong with the folder.
func (m *Model) receiveExport(a ui.Result[writtenFile]) tea.Cmd {
	if a.Err != nil {
		m.export.form.SetError(m.export.folder, errorText(a.Err)+" Nothing was written.")
		return nil
	}
	what := "The case file was"
	if m.export.of == nil {
		what = present.Count(a.Value.rows, "row was", "rows were")
	}
	m.folder, m.export = m.export.folder.Value(), nil // where one file went, the next will
	m.result = what + " written to " + present.Plain(a.Value.path)
	m.layout()
	return nil
}

// closeExport closes the form and cancels the writing, which then leaves no file.
func (m *Model) closeExport() {
	m.export.call.Drop()
	m.export = nil
}

// filterWords are what the rows are filtered by.
func (m *Model) filterWords() string {
	line := m.filter.criteria().describe()
	if line == "" {
		return m.Theme.Muted.Render("No filter")
	}
	return ui.Fit(m.Theme.Muted.Render("Filter  ")+line, m.W)
}

// viewExport draws the form, with what is written above it and the path below it, so that the
// person sees both before.
func (m *Model) viewExport() (string, *tea.Cursor) {
	x := m.export
	lines := []string{m.Theme.Strong.Render("Export " + m.count()), m.filterWords(), ""}
	if x.of != nil {
		lines = []string{m.Theme.Strong.Render("Case file of attempt " + present.Plain(string(x.of.attempt.ID))), ""}
	}
	if x.call.Pending() {
		return ui.Lines(m.W, m.H, append(lines, "Writing…", m.Theme.Muted.Render("esc cancels"))...), nil
	}
	where := ""
	if folder := x.folder.Value(); fileform.NotWhole(folder) == "" {
		where = "Writes " + filepath.Join(folder, x.name())
	}
	note := "Only you can read it. Where the name is taken, a number is added."
	return m.Under(lines, func(w, h int) (string, *tea.Cursor) {
		under := append(ui.Wrap(where, w), m.Theme.MutedLines(note, w)...)
		body, cursor := x.form.View(w, max(h-len(under)-1, 0))
		return body + "\n\n" + strings.Join(under, "\n"), cursor
	})
}
