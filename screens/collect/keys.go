package collect

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

var (
	keyChoose   = key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "choose"))
	keyAgain    = key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "check again"))
	keyCard     = key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "card, unchecked"))
	keyTransfer = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "transfer, unchecked"))
	keyLink     = key.NewBinding(key.WithKeys("l"), key.WithHelp("l", "create a link"))
	keyCards    = key.NewBinding(key.WithKeys("ctrl+t"), key.WithHelp("ctrl+t", "test cards"))
	keyRetype   = key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "type the CVV"))
	keyDown     = key.NewBinding(key.WithKeys("pgdown"), key.WithHelp("pgdn", "more"))
	keyUp       = key.NewBinding(key.WithKeys("pgup"), key.WithHelp("pgup", "less"))
	keySeen     = key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "acknowledge"))
	keyList     = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "transactions"))
	keyHome     = key.NewBinding(key.WithKeys("h"), key.WithHelp("h", "home"))
)

// pressed reports whether msg is a key of the binding.
func pressed(msg tea.Msg, b key.Binding) bool {
	k, ok := msg.(tea.KeyPressMsg)
	return ok && key.Matches(k, b)
}

// Keys lists the keys that do something now; there are none while the payment is being sent.
func (m *Model) Keys() []key.Binding {
	switch {
	case m.picker != nil:
		return append([]key.Binding{keyChoose}, m.picker.table.Keys()...)
	case m.offersCards():
		return append([]key.Binding{keyCards}, m.form().Keys()...)
	case m.form() != nil:
		return m.form().Keys()
	}
	switch m.stage {
	case stageAmount:
		return []key.Binding{ui.Submit}
	case stageChannel:
		return m.channel.keys()
	case reviewing:
		return m.reviewKeys()
	case mismatched:
		return []key.Binding{keySeen}
	case unresolved:
		return []key.Binding{keyList, keyHome}
	}
	return nil
}

func (c *channelStep) keys() []key.Binding {
	switch {
	case c.call.Pending():
		return nil
	case c.err != nil && c.noCards:
		return []key.Binding{keyAgain, keyLink, keyTransfer}
	case c.err != nil:
		return []key.Binding{keyAgain, keyCard, keyTransfer}
	}
	keys := []key.Binding{keyAgain}
	if c.noCards {
		keys = append(keys, keyLink)
	}
	if len(c.answer.Channels) == 0 {
		return keys
	}
	return append(append([]key.Binding{keyChoose}, keys...), c.table.Keys()...)
}

func (m *Model) reviewKeys() []key.Binding {
	keys := []key.Binding{keyRetype}
	if m.review.confirm != nil {
		keys = m.review.confirm.Keys()
	}
	if m.layReview(m.formWidth(), m.bodyHeight()).scrolls() {
		keys = append(keys, keyDown, keyUp)
	}
	return keys
}

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	lines := []string{
		"Collect takes one payment: amount, channel, customer, card, review. Nothing is sent until you confirm the review, " +
			"and then it is sent once.",
		"esc goes back one step and keeps your input. The CVV is wiped when you leave the card and after every " +
			"response, the whole card when the payment is answered or you leave.",
		"If the service rejects the payment, nothing was done: correct it and send it again. UNRESOLVED means that it is not " +
			"known whether the payment was made: look for it before you take another.",
		"A payment that looks like one sent in the last ten minutes, or like an unresolved one, is sent only after " +
			"you type the short ID of that payment.",
	}
	if m.options.NoCards {
		lines = append(lines, "Card entry is disabled here for live payments. To enable it, set allow_card_entry = true in the profile.")
	}
	if len(m.options.Cards) > 0 {
		lines = append(lines, "ctrl+t in the card step shows the test cards.")
	}
	return lines
}
