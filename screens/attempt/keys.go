package attempt

import (
	"charm.land/bubbles/v2/key"

	"paydesk/api/journal"
)

type keyMap struct {
	checkStatus, matches, found, notFound, giveUp key.Binding
	copyID, reload, open, finalize                key.Binding
	useID, checkID                                key.Binding
}

func newKeyMap() keyMap {
	bind := func(k, help string) key.Binding { return key.NewBinding(key.WithKeys(k), key.WithHelp(k, help)) }
	return keyMap{
		checkStatus: bind("a", "check"),
		matches:     bind("m", "matches"),
		found:       bind("f", ofPayment.foundKey),
		notFound:    bind("n", ofPayment.notFoundKey),
		giveUp:      bind("g", "give up"),
		copyID:      bind("y", "copy ID"),
		reload:      bind("r", "reload"),
		open:        bind("enter", "payment"),
		finalize:    bind("z", "retry finalize"),
		useID:       bind("enter", "use ID"),
		checkID:     bind("l", "status"),
	}
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	k := m.keys
	switch {
	case m.decideCall.Pending() || m.loadCall.Pending() && m.record.at.IsZero():
		return nil
	case m.stage == confirming:
		return m.confirm.Keys()
	case m.stage == entering:
		return m.form.Keys()
	case m.stage == matching:
		_, any := m.selected()
		k.useID.SetEnabled(any)
		k.checkID.SetEnabled(any)
		return append([]key.Binding{k.useID, k.checkID, k.reload}, m.search.table.Keys()...)
	case m.record.at.IsZero():
		return []key.Binding{k.reload}
	case !m.record.IsUnresolved():
		k.open.SetEnabled(m.record.CreatedLink != nil || m.record.Reference != "")
		if m.record.CreatedLink != nil {
			k.open.SetHelp("enter", "link")
		}
		m.findingKeys(&k)
		return []key.Binding{k.open, k.checkStatus, k.matches, k.found, k.copyID, k.reload}
	}
	return m.unresolvedKeys(k)
}

// findingKeys enables the keys that find out the outcome.
func (m *Model) findingKeys(k *keyMap) {
	payment := m.record.findable() && m.record.Kind == journal.Initiate
	k.checkStatus.SetEnabled(payment && m.record.OwnReference != "")
	k.matches.SetEnabled(payment)
	k.found.SetEnabled(m.record.findable())
	k.found.SetHelp("f", wordingOf(m.record.Kind).foundKey)
}

func (m *Model) unresolvedKeys(k keyMap) []key.Binding {
	finalize := m.record.Kind == journal.Finalize
	m.findingKeys(&k)
	k.open.SetEnabled(finalize && m.record.Reference != "")
	k.open.SetHelp("enter", "status")
	k.finalize.SetEnabled(finalize && m.record.Reference != "" && m.canRefinalize)
	k.notFound.SetEnabled(m.canMarkNotFound)
	k.notFound.SetHelp("n", wordingOf(m.record.Kind).notFoundKey)
	return []key.Binding{k.open, k.checkStatus, k.matches, k.finalize, k.found, k.notFound, k.giveUp, k.copyID, k.reload}
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"A lost response says nothing: it may have been done, or not. So paydesk never sends it again by itself.",
		"The attempt ID was created before anything was sent. A payment carries it in its metaData, so that you can find it at the provider; y copies it.",
		"Possible matches are transactions of the same amount and currency, from at most 5 pages. They prove nothing: they have no time, and their ID may not be a reference.",
		"a checks the status by our own reference, where one was sent. A status resolves the attempt; a rejection does not.",
		"The reference you enter for a found payment is checked before it is recorded: one that the service does not have is rejected.",
		"A decision is recorded with your user name and the time. \"Not found\" is available 10 minutes after sending, because a payment can appear late.",
	}
}
