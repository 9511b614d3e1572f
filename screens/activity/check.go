package activity

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/watch"
	"paydesk/screens/present"
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
	return m.checkCall.Then(m.checked).Ask(m.Scope, func(ctx context.Context) ([]watch.State, error) { return check(ctx, asked) })
}

// checked says how it went, and reads the rows, which the journal has by now.
func (m *Model) checked(a ui.Result[[]watch.State]) tea.Cmd {
	m.News = ui.Notice{}
	if a.Err != nil { // the screen is being left, or the connection
		return nil
	}
	failed := slices.DeleteFunc(slices.Clone(a.Value), func(s watch.State) bool { return s.Err == nil && s.Phase != watch.KeyRejected })
	switch {
	case len(failed) == 0:
		m.Notify(present.Count(len(a.Value), "payment was", "payments were") + " checked.")
	case slices.ContainsFunc(failed, func(s watch.State) bool { return s.Phase == watch.KeyRejected }):
		m.Warn("The service rejected the key: ctrl+g to enter another.")
	default:
		m.Warn(present.Thousands(len(failed)) + " of " + present.Thousands(len(a.Value)) + " could not be checked. " + present.Error(failed[0].Err, present.Reading).What)
	}
	return m.Refresh()
}
