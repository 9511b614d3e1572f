package attempt

import (
	"charm.land/bubbles/v2/key"

	"paydesk/api/journal"
)

type keyMap struct {
	ask, matches, found, notFound, giveUp key.Binding
	copyID, again, open, finalize         key.Binding
	choose, look                          key.Binding
}

func newKeyMap() keyMap {
	bind := func(k, words string) key.Binding { return key.NewBinding(key.WithKeys(k), key.WithHelp(k, words)) }
	return keyMap{
		ask:      bind("a", "ask"),
		matches:  bind("m", "matches"),
		found:    bind("f", ofPayment.foundKey),
		notFound: bind("n", ofPayment.notFoundKey),
		giveUp:   bind("g", "give up"),
		copyID:   bind("y", "copy id"),
		again:    bind("r", "read again"),
		open:     bind("enter", "its payment"),
		finalize: bind("z", "finalize again"),
		choose:   bind("enter", "take"),
		look:     bind("l", "its status"),
	}
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	k := m.keys
	switch {
	case m.decided.Pending() || m.read.Pending() && m.record.at.IsZero():
		return nil
	case m.stage == confirming:
		return m.confirm.Keys()
	case m.stage == naming:
		return m.form.Keys()
	case m.stage == matching:
		_, any := m.selected()
		k.choose.SetEnabled(any)
		k.look.SetEnabled(any)
		return append([]key.Binding{k.choose, k.look, k.again}, m.search.table.Keys()...)
	case m.record.at.IsZero():
		return []key.Binding{k.again}
	case !m.record.IsUnresolved():
		k.open.SetEnabled(m.record.CreatedLink != nil || m.record.Reference != "")
		if m.record.CreatedLink != nil {
			k.open.SetHelp("enter", "the link")
		}
		m.findingKeys(&k)
		return []key.Binding{k.open, k.ask, k.matches, k.found, k.copyID, k.again}
	}
	return m.unresolvedKeys(k)
}

// findingKeys are the keys that find out what became of it.
func (m *Model) findingKeys(k *keyMap) {
	payment := m.record.findable() && m.record.Kind == journal.Initiate
	k.ask.SetEnabled(payment && m.record.OwnReference != "")
	k.matches.SetEnabled(payment)
	k.found.SetEnabled(m.record.findable())
	k.found.SetHelp("f", wordsOf(m.record.Kind).foundKey)
}

func (m *Model) unresolvedKeys(k keyMap) []key.Binding {
	finalize := m.record.Kind == journal.Finalize
	m.findingKeys(&k)
	k.open.SetEnabled(finalize && m.record.Reference != "")
	k.open.SetHelp("enter", "its status")
	k.finalize.SetEnabled(finalize && m.record.Reference != "" && m.repeating)
	k.notFound.SetEnabled(m.finding)
	k.notFound.SetHelp("n", wordsOf(m.record.Kind).notFoundKey)
	return []key.Binding{k.open, k.ask, k.matches, k.finalize, k.found, k.notFound, k.giveUp, k.copyID, k.again}
}

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"An answer that is lost says nothing: it may have been done, or not. So nothing here sends it again.",
		"Its attempt id was made here before it was sent. A payment has it in its metaData, so that a person can find it at the provider; the key copies it.",
		"Possible matches are rows of the list of the same amount and currency, from at most 5 pages. They prove nothing: the list has no time, and its id is not said to be a reference.",
		"a asks for the status by our own reference, where one was sent; a status resolves the attempt, a refusal does not.",
		"The reference a payment was found as is asked for before it is recorded: one the service does not know is refused.",
		"A decision is recorded with your user and the time. \"Not found\" opens 10 minutes after the sending, because a payment can appear late.",
	}
}
