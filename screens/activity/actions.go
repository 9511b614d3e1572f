package activity

import (
	"context"
	"io"
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// unsettled are the payments of the rows in the window that are not final, and those of unresolved finalizations, which a
// final status settles. What another service was sent is unknown to the one that is connected.
func (m *Model) unsettled() (all []api.Reference) {
	for _, a := range m.Visible() {
		open := a.UnderWay() || a.Kind == ledger.Finalize && a.IsUnresolved()
		if open && a.Reference != "" && m.options.Here().IsSameService(a.Destination) && !slices.Contains(all, a.Reference) {
			all = append(all, a.Reference)
		}
	}
	return all
}

// check asks the service about the payments in the window once, and reads the rows again.
func (m *Model) check() tea.Cmd {
	asked, check := m.unsettled(), m.options.Check
	switch {
	case len(asked) == 0 || check == nil:
		return m.Refresh()
	case m.checkCall.Pending():
		return m.Notify("Already checking.")
	}
	m.Notify("Checking " + present.Count(len(asked), "payment", "payments") + "…")
	return m.checkCall.Then(m.checked).Ask(m.Scope, func(ctx context.Context) ([]session.WatchState, error) { return check(ctx, asked) })
}

// checked says how it went, and reads the rows, which the journal has by now.
func (m *Model) checked(a ui.Result[[]session.WatchState]) tea.Cmd {
	m.News = ui.Notice{}
	if a.Err != nil { // the screen is being left, or the connection
		return nil
	}
	failed := slices.DeleteFunc(slices.Clone(a.Value), func(s session.WatchState) bool { return s.Err == nil && s.Phase != session.KeyRejected })
	switch {
	case len(failed) == 0:
		m.Notify(present.Count(len(a.Value), "payment was", "payments were") + " checked.")
	case slices.ContainsFunc(failed, func(s session.WatchState) bool { return s.Phase == session.KeyRejected }):
		m.Warn("The service rejected the key: ctrl+g to enter another.")
	default:
		m.Warn(present.Thousands(len(failed)) + " of " + present.Thousands(len(a.Value)) + " could not be checked. " + present.Error(failed[0].Err, present.Reading).What)
	}
	return m.Refresh()
}

// openExport asks for the format and the folder. There is nothing to choose among the rows: what
// the search shows is exported.
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
	j, chosen := m.options.Journal, m.listed // with the days that are shown
	return m.Save(detail.File{
		Title: "Export", Heading: "Export " + m.CountWords(), Problem: errorText,
		Help: []string{"Writes every attempt that the search shows, with amounts in minor and in major units. Text that a spreadsheet would read as a formula starts with a quote character."},
		// The rows are read again meanwhile, by the same search, because only some of them are in memory.
		Parts: []detail.FilePart{{Name: "activity", Rows: n, Write: func(ctx context.Context, w io.Writer, as export.Format, told func(int)) (int, error) {
			return export.Write(w, as, report.FileOf(report.Attempts(report.AttemptView{})), j.Each(ctx, chosen), told)
		}}},
	})
}
