package ui

import (
	"cmp"
	"unicode/utf8"

	"paydesk/api/card"
)

// A cardGuard keeps card numbers out of a line of text that is shown: one is removed as soon as it
// is complete, whether it was typed, pasted or left by a deletion, and what was typed before is not
// kept for an undo. A line that is masked needs none.
type cardGuard struct {
	instead string                 // what to do now, "" for whatever it was
	except  func(text string) bool // texts that are none, though they look like one; nil for no text
	// caught is set from then on until a key that edits, or a paste: no letter and no digit is taken
	// before, and the value is not accepted.
	caught bool
}

// words say what happened and what to type.
func (g *cardGuard) words() string {
	return "Card number removed: it belongs in the card step. " + cmp.Or(g.instead, "Backspace goes on") + "."
}

// findCard returns where the first card number in a text is, in runes; 0, 0 for none.
func (l *lineEditor) findCard(text []rune) (from, to int) {
	if l.masked {
		return 0, 0
	}
	s := string(text)
	if l.cards.except != nil && l.cards.except(s) {
		return 0, 0
	}
	from, to = card.Find(s)
	return utf8.RuneCountInString(s[:from]), utf8.RuneCountInString(s[:to])
}

// dropCards removes the card numbers from the text, and reports whether there were any.
func (l *lineEditor) dropCards() (dropped bool) {
	for {
		from, to := l.findCard(l.text)
		if to == 0 {
			return dropped
		}
		l.remove(from, to)
		l.cards.caught, dropped = true, true
	}
}

// NoCardNumber is a check for a masked field whose text is sent: what is wrong with a card number.
func NoCardNumber(s string) string {
	if from, to := card.Find(s); to > 0 && from == 0 && to == len(s) {
		return "This is a card number; it belongs in the card step"
	}
	return ""
}
