package attempt

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// commands are the keys of the attempt itself. A key that cannot be used now says why.
func (m *Model) commands() ui.Commands {
	reload := ui.Command{Key: ui.Bind("r", "reload"), On: true, Do: m.reload}
	a, k := m.record, m.subject()
	switch {
	case m.decideCall.Pending(), m.loadCall.Pending() && a.at.IsZero():
		return nil
	case a.at.IsZero():
		return ui.Commands{reload}
	case a.MayBeFound() && a.Kind == ledger.Initiate && a.OwnReference != "" && k.WhyElsewhere() == "":
		reload.Key, reload.Do = ui.Bind("r", "check"), m.checkAndReload
	}
	id := func() tea.Cmd { return m.Copy("attempt ID", string(a.ID)) }
	copies, other := m.CopyReference(a.Reference), ui.Command{Key: ui.Bind("Y", "copy attempt ID"), On: true, Do: id}
	switch {
	case a.CreatedLink != nil && !a.MustBeRead():
		copies = m.CopyURL(a.CreatedLink.Page)
	case a.Reference == "":
		copies, other.On = ui.Command{Key: ui.Bind("y", "copy ID"), On: true, Do: id}, false
	}
	if k.WhyNoAnswer() == "" {
		does := "answer"
		if a.Status.Text.Empty() { // none came
			does = "copy summary"
		}
		other = ui.Command{Key: ui.Bind("Y", does), On: true, Do: func() tea.Cmd { return m.Copy("answer", k.Answer()) }}
	}
	const behind = 4 // what gives up, and what leads elsewhere
	cs := m.actions()
	return append(slices.Insert(cs, len(cs)-behind, reload), copies, other,
		ui.Command{Key: ui.Bind("v", "raw answers"), On: true, Why: present.WhyUnread(a.Attempt), Do: nav.To(nav.RawOf(a.Attempt))},
		ui.Command{Key: ui.Bind("w", "case"), On: true, Do: func() tea.Cmd {
			return m.Save(detail.Case("attempt", string(m.id), m.subject))
		}})
}

// actions are the keys by which something is found out or decided. The service that is connected knows nothing of an attempt of
// another one.
func (m *Model) actions() ui.Commands {
	a, k, undecided, nothingToTake := m.record, m.subject(), m.record.IsUnresolved(), ""
	if !m.canTakeBack() {
		nothingToTake = "There is no decision to take back."
	}
	cs := ui.Commands{
		m.opens(),
		{Key: ui.Bind("d", "decide"), On: true, Why: k.WhyNothingToDecide(), Do: m.openChoices},
		{Key: ui.Bind("u", "take back"), On: true, Why: nothingToTake, Do: m.decider(m.back())},
	}
	if m.canBeTaken() {
		cs = append(cs, m.takeCommand())
	}
	if a.MayBeFound() {
		none := ""
		if a.Kind != ledger.Initiate {
			none = "The transactions hold payments only: look in the provider's dashboard."
		}
		cs = append(cs, ui.Command{Key: ui.Bind("m", "matches"), On: true, Why: none, Do: m.openMatches})
	}
	if undecided && a.Kind == ledger.Finalize && a.Reference != "" {
		cs = append(cs, m.finalizeAgain())
	}
	cs = append(cs, m.ends(),
		ui.Command{Key: ui.Bind("s", "status"), On: true, Why: k.WhyNoStatus(), Do: nav.To(nav.Payment{Reference: a.Reference})},
		ui.Command{Key: ui.Bind("c", "collect again"), On: true, Why: k.WhyNotAgain(), Do: m.collectAgain},
		m.Pin(m.service.IsPinned, a.Reference))
	if why := k.WhyElsewhere(); why != "" {
		for i := range cs {
			cs[i].Why = why
		}
	}
	return cs
}

// opens is the key that opens the link or the payment that the attempt is known to have made.
func (m *Model) opens() ui.Command {
	c := func(does, why string, to nav.Route) ui.Command {
		return ui.Command{Key: ui.Bind("enter", does), On: true, Why: why, Do: nav.To(to)}
	}
	switch a := m.record; {
	case a.CreatedLink != nil:
		return c("link, QR code", "", nav.ShareOf(a.Attempt))
	case a.Reference != "" && !a.IsUnresolved():
		return c("payment", "", nav.Payment{Reference: a.Reference})
	case a.Reference != "" && a.Kind == ledger.Finalize:
		return c("status", "", nav.Payment{Reference: a.Reference})
	case a.Kind == ledger.CreateLink:
		return c("link", "No link is known.", nil)
	}
	return c("payment", "It has no reference, so no payment can be opened.", nil)
}

// ends is the key that stops following a payment, or gives an attempt up.
func (m *Model) ends() ui.Command {
	ends, v, why := "stop following", ledger.NotFollowed, ""
	switch a := m.record; {
	case m.canStopFollowing():
	case a.Outcome != ledger.Unresolved:
		why = "Only a payment in progress, without an undecided mismatch, is followed."
	default:
		if ends, v = "give up", ledger.GaveUp; a.Decision == v {
			why = "This is already recorded."
		}
	}
	return ui.Command{Key: ui.Bind("x", ends), On: true, Why: why, Do: m.decider(v)}
}

// collectAgain takes the payment once more, with another card or channel.
func (m *Model) collectAgain() tea.Cmd {
	in := m.service.Again(m.record.Attempt)
	return nav.Open(nav.Collect{Again: &in})
}

// reload reads the attempt again, and says that it does: another console may have changed it, or not.
func (m *Model) reload() tea.Cmd {
	m.problem = present.Problem{}
	m.Notify(present.ReadAgain(m.Scope.Now()))
	return m.load()
}

// finalizeAgain is the key that leads to the finalization, which asks before it sends. The service may still
// be working on the last one for a minute after its answer was lost.
func (m *Model) finalizeAgain() ui.Command {
	a := m.record
	why := a.WhyNot(ledger.ToFinalize, a.at)
	switch {
	case a.Lease.ByAnother():
		why = takenWords
	case why != "" && a.WhyNot(ledger.ToFinalize, a.FinalizeAgainAt()) == "": // only the wait forbids it
		why += " Check the status first (enter)."
	}
	return ui.Command{Key: ui.Bind("f", "retry finalize"), On: true, Why: why, Do: nav.To(nav.Finalize{Reference: a.Reference})}
}

// offer fills in a reference that the service has named.
func (m *Model) offer(r api.Reference) { m.offered, m.typed = r, string(r) }

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	return append(append([]string{"One request that was sent: its outcome, or how to find it out, and what was decided about it."}, m.explainTaking()...),
		present.Unresolved+": "+present.NotKnown(m.record.Kind)+" So paydesk never sends it again by itself.",
		present.Mismatch+": the service's answer differs from what was asked for, or contradicts its final status. Ask the provider what was charged, then record it (d): that the answer is right, that it was charged as asked, or that it is about a payment that is not yours. u takes any of them back. No mismatch counts as paid here, decided or not.",
		"The attempt ID was created before anything was sent. A payment carries it in its metaData, so that you can find it at the provider; y copies it where no reference is known; else it is in what Y copies.",
		"m searches the transactions for rows of the same amount and currency. They prove nothing.",
		"r checks the status by our own reference, where one was sent. A status resolves the attempt; a rejection does not.",
		"d lists the decisions that are possible. Each is recorded after a question.",
		present.AgainHelp, detail.CaseWords,
		"x stops following a payment in progress, such as one that the customer gave up: home no longer lists it, and its status is checked only when it is opened.",
		"A decision can be replaced by another, or taken back (u): the latest counts, and all of them stay in the history.",
		"A decision is recorded with your user name and the time. \"Not found\" is available 10 minutes after sending, because a payment can appear late.",
	)
}
