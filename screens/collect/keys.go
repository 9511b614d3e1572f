package collect

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

var (
	keyChoose   = key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "choose"))
	keyAgain    = key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "ask again"))
	keyCard     = key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "card, unchecked"))
	keyTransfer = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "transfer, unchecked"))
	keyLink     = key.NewBinding(key.WithKeys("l"), key.WithHelp("l", "make a link"))
	keyCards    = key.NewBinding(key.WithKeys("ctrl+t"), key.WithHelp("ctrl+t", "test cards"))
	keyRetype   = key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "type the CVV"))
	keyDown     = key.NewBinding(key.WithKeys("pgdown"), key.WithHelp("pgdn", "more"))
	keyUp       = key.NewBinding(key.WithKeys("pgup"), key.WithHelp("pgup", "less"))
	keySeen     = key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "I have read it"))
	keyList     = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "transactions"))
	keyHome     = key.NewBinding(key.WithKeys("h"), key.WithHelp("h", "home"))
)

// pressed reports whether msg is a key of the binding.
func pressed(msg tea.Msg, b key.Binding) bool {
	k, ok := msg.(tea.KeyPressMsg)
	return ok && key.Matches(k, b)
}

// Keys lists what can be pressed now; only help and quit are left while the payment is
// being sent.
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
	if m.layReview(m.left(), m.bodyHeight()).scrolls() {
		keys = append(keys, keyDown, keyUp)
	}
	return keys
}
