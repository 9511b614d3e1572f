package gate

import "paydesk/api/card"

// DoubtsCard reports whether a card may be a real one where only play money moves: its number is on no
// list of published test cards. It is not sent until [Control.ConfirmCard].
func (c *Control) DoubtsCard(p card.PAN) bool {
	return !c.Live() && !p.IsTest() && !c.cards.Has(p)
}

// ConfirmCard records that a person wants this number to be sent, although it may be a real card. It
// holds for this number, until the session ends.
func (c *Control) ConfirmCard(p card.PAN) { c.cards.Add(p) }
