package gate

import (
	"crypto/rand"
	"crypto/sha256"
	"sync"

	"paydesk/api/card"
)

// cards are the numbers that a person has confirmed in this session, as hashes with a key that is
// nowhere else: no number is kept.
type cards struct {
	key       [sha256.Size]byte
	drawn     sync.Once
	confirmed sync.Map // a mark for each number
}

// mark is the hash of a number.
func (c *cards) mark(p card.PAN) [sha256.Size]byte {
	c.drawn.Do(func() { rand.Read(c.key[:]) })
	b := append(make([]byte, 0, 64), c.key[:]...)
	number := p.ExposeBytes()
	defer clear(number)
	b = append(b, number...)
	defer clear(b)
	return sha256.Sum256(b)
}

// DoubtsCard reports whether a card may be a real one where only play money moves: its number is on no
// list of published test cards. It is not sent until [Control.ConfirmCard].
func (c *Control) DoubtsCard(p card.PAN) bool {
	if c.Live() || p.IsTest() {
		return false
	}
	_, confirmed := c.cards.confirmed.Load(c.cards.mark(p))
	return !confirmed
}

// ConfirmCard records that a person wants this number to be sent, although it may be a real card. It
// holds for this number, until the session ends.
func (c *Control) ConfirmCard(p card.PAN) { c.cards.confirmed.Store(c.cards.mark(p), true) }
