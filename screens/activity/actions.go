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
	"paydesk/screens/nav"
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
	case len(asked) == 0:
		m.Notify("Nothing in view needs checking; reloading the list.")
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
		Title: "Export", Heading: "Export " + m.CountWords(),
		Help: []string{"Writes every attempt that the search shows, with amounts in minor and in major units. Text that a spreadsheet would read as a formula starts with a quote character."},
		// The rows are read again meanwhile, by the same search, because only some of them are in memory.
		Parts: []detail.FilePart{{Name: "activity", Rows: n, Write: func(ctx context.Context, w io.Writer, as export.Format, told func(int)) (int, error) {
			return export.Write(w, as, report.FileOf(report.Attempts(report.AttemptView{})), j.Each(ctx, chosen), told)
		}}},
	})
}

// commands are the keys of the list. A key that cannot be used now says why.
func (m *Model) commands() ui.Commands {
	a, _ := m.Shown()
	return ui.Commands{
		m.On(ui.Bind("enter", "open"), nil, func(a ledger.Attempt) tea.Cmd { return nav.Open(nav.Attempt{ID: a.ID}) }),
		m.Search(),
		{Key: ui.Bind("w", "export"), On: m.Count() > 0, Do: m.openExport},
		m.On(ui.Bind("d", "decide"), m.why(report.Subject.WhyNothingToDecide), func(a ledger.Attempt) tea.Cmd { return nav.Open(nav.Attempt{ID: a.ID, Decide: true}) }),
		m.On(m.options.Pinned.Key(a.Reference), m.why(report.Subject.WhyNoStatus), func(a ledger.Attempt) tea.Cmd { return m.options.Pinned.Toggle(a.Reference) }),
		m.On(ui.Bind("s", "status"), m.why(report.Subject.WhyNoStatus), func(a ledger.Attempt) tea.Cmd { return nav.Open(nav.Payment{Reference: a.Reference}) }),
		m.collectAgain(),
		m.On(ui.Bind("y", "copy"), nil, m.copyName),
		m.On(ui.Bind("Y", "answer"), m.why(report.Subject.WhyNoAnswer), m.copyAnswer),
		m.On(ui.Bind("v", "raw answers"), present.WhyUnread, func(a ledger.Attempt) tea.Cmd { return nav.Open(nav.RawOf(a)) }),
		{Key: ui.Bind("r", "check"), On: true, Do: m.check},
		{Key: ui.Bind("x", "purge"), On: true, Do: m.openPurge},
	}
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	return append([]string{
		"Everything sent from this computer, newest first: to the service that is connected, whichever profile sent it. The first field above the list shows all services.",
		"/ searches the newest attempts first. Once it has found 1,000, it searches further as you scroll down; an export has all of them.",
		"email: and phone: compare keyed hashes, since the journal has no customer data: an address finds the same mailbox (ada+shop@ is ada@), a number the same last nine digits. An attempt without one matches neither them nor their opposite; what the first version recorded matches only as it was typed then.",
		"r asks the service about the payments in the window that are not final, and reads all rows again.",
		"tab goes through the fields above the list, and ←/→ choose among the values that occur, which become terms of the search. Status is the payment's; outcome is the request's, with what was decided about it.",
		present.Unresolved + ": " + present.NotKnown(ledger.Initiate) + " Open it and find out before sending it again.",
		present.AgainHelp,
	}, m.SearchHelp()...)
}

// why returns what says why a key does nothing about an attempt.
func (m *Model) why(says func(report.Subject) string) func(ledger.Attempt) string {
	return func(a ledger.Attempt) string { return says(m.subject(a, nil)) }
}

// collectAgain takes the payment once more, with another card or channel. Where nothing was sent yet it is the first.
func (m *Model) collectAgain() ui.Command {
	if m.Count() == 0 {
		return ui.Command{Key: ui.Bind("c", "collect"), On: true, Do: func() tea.Cmd { return nav.Open(nav.Collect{}) }}
	}
	return m.On(ui.Bind("c", "collect again"), m.why(report.Subject.WhyNotAgain), func(a ledger.Attempt) tea.Cmd {
		in := m.options.Again(a)
		return nav.Open(nav.Collect{Again: &in})
	})
}

// copyAnswer copies how a payment stands, in a line.
func (m *Model) copyAnswer(a ledger.Attempt) tea.Cmd {
	return m.Copy("answer", m.subject(a, nil).Answer())
}

// copyName copies the reference of the attempt, or its ID where it has none.
func (m *Model) copyName(a ledger.Attempt) tea.Cmd {
	if a.Reference != "" {
		return m.CopyName("reference", a.Reference.String())
	}
	return m.CopyName("attempt ID", string(a.ID))
}
