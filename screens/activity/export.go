package activity

import (
	"context"
	"io"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/export"
	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// openExport asks for the format and the folder. There is nothing to choose among the rows: what
// the filter shows is exported.
func (m *Model) openExport() tea.Cmd {
	n, whole, searching := m.Found()
	switch {
	case searching:
		return m.Notify("The search has not ended yet; try again in a moment.")
	case n == 0:
		return m.Notify("There is nothing to export.")
	case !whole:
		n = 0 // it is not known
	}
	opened := m.Scope.Now()                  // in the name, so that the path that is shown is the path that is written
	j, chosen := m.options.Journal, m.listed // with the days that are shown
	return detail.OpenFile(m.Theme, detail.File{
		Title: "Export", Head: m.exportHead,
		Help:  []string{"Writes every attempt that the filter shows, with amounts in minor and in major units. Text that a spreadsheet would read as a formula starts with a quote character."},
		Parts: []detail.FilePart{{Rows: n}}, Formats: export.Formats(),
		Name: func(c detail.Choice) string { return export.FileName("activity", "."+string(c.Format), opened) },
		// The rows are read again meanwhile, by the same filter, because only some of them are in memory.
		Write: func(ctx context.Context, w io.Writer, c detail.Choice, told func(int)) (int, error) {
			return export.Write(w, c.Format, report.FileOf(report.Attempts(report.AttemptView{})), j.Each(ctx, chosen), told)
		},
		Start: m.folder, Folder: m.options.ExportFolder, Problem: errorText,
	}, m.receiveExport)
}

// receiveExport reports where the file is.
func (m *Model) receiveExport(w detail.Written) {
	m.folder = w.Folder // where one file went, the next will
	m.Tell(present.Count(w.Rows, "row was", "rows were")+" written to "+present.Plain(w.Path), "")
}

// exportHead is above the form, so that the person sees what is written before.
func (m *Model) exportHead(w int) []string {
	filter := m.Theme.Muted.Render("No filter")
	if words := m.Meaning(); words != "" {
		filter = ui.Fit(m.Theme.Muted.Render("Filter  ")+words, w)
	}
	return []string{m.Theme.Strong.Render("Export " + m.CountWords()), filter, ""}
}
