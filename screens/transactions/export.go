package transactions

import (
	"context"
	"io"
	"iter"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/export"
	"paydesk/api/listing"
	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A selection is rows that can be exported: those on the screen, those that were found, or all that were read.
type selection struct {
	label   string
	name    string // in the name of the file; "" for all
	partial string // why the file does not have all there is; "" where it does, or is not meant to
	n       int
	rows    func(context.Context) iter.Seq2[listing.Listed, error] // may be called from any goroutine
}

// openExport asks which rows go where. What they are is decided now: rows that are read later are not in the file.
func (m *Model) openExport() tea.Cmd {
	if m.Reading() {
		return m.Notify("The search has not ended yet; try again in a moment.")
	}
	of := m.selections()
	if len(of) == 0 {
		return m.Notify("There is nothing to export.")
	}
	lister, asked := m.lister, m.asked()
	opened := m.Scope.Now() // in the name, so that the path that is shown is the path that is written
	return detail.OpenFile(m.Theme, detail.File{
		Title: "Export", Head: m.exportHead, Help: exportHelp,
		Parts: parts(of), Formats: export.Formats(), Start: m.folder, Folder: m.options.ExportFolder,
		Name: func(c detail.Choice) string {
			return export.FileName(of[c.Part].about(), "."+string(c.Format), opened)
		},
		Write: func(ctx context.Context, w io.Writer, c detail.Choice, told func(int)) (int, error) {
			return export.Write(w, c.Format, report.FileOf(report.Transactions(asked != "")), of[c.Part].marked(ctx, lister), told)
		},
	}, func(w detail.Written) { m.exported(w, of[w.Part]) })
}

// about names what the file is called after.
func (s selection) about() string {
	words := []string{"transactions"}
	if s.name != "" {
		words = append(words, s.name)
	}
	if s.partial != "" {
		words = append(words, "partial")
	}
	return strings.Join(words, "-")
}

// marked are the rows with what is known of them: the file of a payment about which an answer differed does not call it a success
// either.
func (s selection) marked(ctx context.Context, payments listing.Differing) iter.Seq2[listing.Listed, error] {
	return func(yield func(listing.Listed, error) bool) {
		known := listing.MismatchesOf(ctx, payments)
		for row, err := range s.rows(ctx) {
			if known.Mark(&row); !yield(row, err) {
				return
			}
		}
	}
}

// found are the rows of a scan that a search finds, with what they were in the earlier scan that is asked about.
func found(rows *listing.Rows, s listing.Search, asked string) func(context.Context) iter.Seq2[listing.Listed, error] {
	s.First, s.Since = 1, asked
	return func(ctx context.Context) iter.Seq2[listing.Listed, error] { return rows.Each(ctx, s) }
}

// selections lists what can be exported: what was found, all that was read, and what is on the screen.
func (m *Model) selections() (of []selection) {
	state := m.state
	if state.Read == 0 || m.found.rows != state.Rows {
		return nil
	}
	why := present.NotWhole(state)
	if n := m.Count(); !m.found.plain() && n > 0 {
		label, name := present.Thousands(n)+" found", "matches"
		if m.Query().Empty() {
			label, name = present.Thousands(n)+" as sorted", "sorted"
		}
		of = append(of, selection{label, name, why, n, found(state.Rows, m.searchOf(m.Query(), m.found.read), m.asked())})
	}
	label := "all " + present.Thousands(state.Read) + " read"
	switch {
	case state.Phase != listing.Done:
		label = present.Thousands(state.Read) + " read so far"
	case why != "":
		label = present.Thousands(state.Read) + " read"
	}
	of = append(of, selection{label, "", why, state.Read, found(state.Rows, listing.Search{To: state.Read}, "")})
	if from, to := m.Window(); to > from && len(m.Visible()) == to-from {
		of = append(of, selection{present.Thousands(to-from) + " visible", "visible", "", to - from, visible(m.Visible())})
	}
	return of
}

func visible(rows []listing.Listed) func(context.Context) iter.Seq2[listing.Listed, error] {
	return func(context.Context) iter.Seq2[listing.Listed, error] {
		return func(yield func(listing.Listed, error) bool) {
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

func parts(of []selection) (all []detail.FilePart) {
	for _, s := range of {
		all = append(all, detail.FilePart{Label: s.label, Rows: s.n, Note: s.partial})
	}
	return all
}

// exported says below the list where the file is.
func (m *Model) exported(w detail.Written, of selection) {
	m.folder = w.Folder // where one file went, the next will
	m.Tell(present.Count(w.Rows, "row was", "rows were")+" written to "+present.Plain(w.Path), of.partial)
}

// exportHead is above the form: what is exported, and the search.
func (m *Model) exportHead(w int) []string {
	lines := []string{m.Theme.Strong.Render("Export transactions")}
	if where := m.Where(); where != nil {
		lines = append(lines, ui.Fit(m.Theme.Muted.Render("Search  ")+present.Plain(where[1]), w))
	}
	return append(lines, "")
}

var exportHelp = []string{
	"Writes rows that were read, and says how many: what was not read is not in the file. A file that may lack rows has “partial” in its name.",
	"CSV has the position in the list, the ID, the service's status and what it means, the currency, and the exact amount in major and in minor units; what is no whole number in place of an amount is in amount_raw. A payment about which an answer differed means MISMATCH, whatever its status. JSON has only what the service said, cleaned. Card numbers are masked.",
	"Text that a spreadsheet would read as a formula starts with a quote character.",
}
