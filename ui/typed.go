package ui

import (
	"cmp"
	"fmt"
	"unicode"
	"unicode/utf8"

	"paydesk/api/card"
	"paydesk/api/text"
)

// A cardGuard keeps card numbers out of a line of text that is shown: one is removed as soon as it
// is complete, whether it was typed, pasted or left by a deletion, and what was typed before is not
// kept for an undo. A line that is masked needs none.
type cardGuard struct {
	instead string                 // what to do now, "" for the usual advice
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
	if card.Is(s) {
		return "This is a card number; it belongs in the card step"
	}
	return ""
}

// ignored ends the words about a key or a paste that was not taken.
const ignored = " (input ignored)"

// checkVisible returns why s must not be inserted: no eye can check what is invisible. Joiners and the
// form of an emoji are left to [checkJoiners], which knows their place, or refused with the rest.
func checkVisible(s string, joiners bool) string {
	if !utf8.ValidString(s) {
		return "Not text" + ignored
	}
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r':
			return "More than one line" + ignored
		case unicode.Is(unicode.Zs, r), joiners && (text.IsJoiner(r) || text.IsEmojiForm(r)):
		case !unicode.IsPrint(r) || r == utf8.RuneError || text.Invisible(r):
			return unseen(r) + ignored
		}
	}
	return ""
}

func unseen(r rune) string { return fmt.Sprintf("Invisible character U+%04X", r) }

// checkMarks rejects combining marks without a letter and piles of them, which would draw over
// their neighbours.
func checkMarks(text []rune) string {
	marks := markLimit
	for _, r := range text {
		if !unicode.Is(unicode.M, r) {
			marks = 0
		} else if marks++; marks > markLimit {
			return "Too many accents, or one without a letter" + ignored
		}
	}
	return ""
}

// checkJoiners rejects the invisible joiners among the runes in [from, to) that no script needs where they
// are, and forms of an emoji that follow none. At the end of the text the letter that needs one may still come.
func checkJoiners(typed []rune, from, to int) string {
	for i := from; i < to; i++ {
		if !text.IsJoiner(typed[i]) && !text.IsEmojiForm(typed[i]) {
			continue
		}
		before, after := string(typed[:i]), string(typed[i+1:])
		switch {
		case text.IsEmojiForm(typed[i]) && text.HasEmojiForm(before):
		case after == "" && text.MayFollow(before, typed[i]):
		case text.Needs(before, typed[i], after), text.JoinsEmoji(before, typed[i], after):
		default:
			return unseen(typed[i]) + ignored
		}
	}
	return ""
}

// strayJoiner says which joiner in a text nothing needs, once it is complete or something beside it was
// deleted; "" for none.
func strayJoiner(s string) string {
	if r, is := text.Stray(s); is {
		return unseen(r) + ": delete it and the letter before it"
	}
	return ""
}
